import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type * as sns from 'aws-cdk-lib/aws-sns';
import type * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { createAlarm } from './alarm.ts';

export interface ExportAlarmsProps {
  /** Each export of records is an execution of it. */
  readonly machine: sfn.IStateMachine;
  readonly topic: sns.ITopic | undefined;
}

/** That a window's records are missing in the bucket of exports. */
export class ExportAlarms extends Construct {
  constructor(scope: Construct, id: string, { machine, topic }: ExportAlarmsProps) {
    super(scope, id);
    for (const [name, metric] of Object.entries({
      Failed: machine.metricFailed(),
      TimedOut: machine.metricTimedOut(),
    })) {
      createAlarm(this, name, {
        metric: metric as cloudwatch.Metric,
        threshold: 1,
        means: 'Records of a window are missing in the export bucket.',
        runbook: 'export-fails',
        topic,
      });
    }
  }
}
