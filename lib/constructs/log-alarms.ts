import * as logs from 'aws-cdk-lib/aws-logs';
import type * as sns from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { METRICS_NAMESPACE } from '../../functions/core/model/metric-names.ts';
import { createAlarm } from './alarm.ts';

export interface LogAlarmsProps {
  readonly stage: string;
  readonly gatewayLogs: logs.ILogGroup;
  readonly deliveryLogs: logs.ILogGroup;
  readonly topic: sns.ITopic | undefined;
}

/** What nothing but a log line says. A filter's metric has no dimension of its own: the stage stands in its name. */
export class LogAlarms extends Construct {
  constructor(scope: Construct, id: string, { stage, gatewayLogs, deliveryLogs, topic }: LogAlarmsProps) {
    super(scope, id);
    const count = (name: string, logGroup: logs.ILogGroup, filterPattern: logs.IFilterPattern) =>
      new logs.MetricFilter(this, `${name}Filter`, {
        logGroup,
        filterPattern,
        metricNamespace: METRICS_NAMESPACE,
        metricName: `${stage}.${name}`,
        metricValue: '1',
      }).metric({ statistic: 'Sum' });
    createAlarm(this, 'SettingsUnreadable', {
      metric: count(
        'SettingsNotRead',
        gatewayLogs,
        logs.FilterPattern.stringValue('$.message', '=', 'settings not read'),
      ),
      threshold: 1,
      periods: 3,
      means: "The secret with the providers' settings cannot be read; the last ones stay in use.",
      runbook: 'settings-unreadable',
      topic,
    });
    createAlarm(this, 'StreamsCut', {
      // What Lambda itself ends is in no line of ours.
      metric: count(
        'StreamsCut',
        gatewayLogs,
        logs.FilterPattern.all(
          logs.FilterPattern.stringValue('$.type', '=', 'platform.report'),
          logs.FilterPattern.stringValue('$.record.status', '=', 'timeout'),
        ),
      ),
      threshold: 1,
      means: 'Lambda ended requests of the gateway that ran for 15 minutes: they have no record.',
      runbook: 'streams-cut',
      topic,
    });
    createAlarm(this, 'MessagesFail', {
      metric: count('MessagesFailed', deliveryLogs, logs.FilterPattern.stringValue('$.message', '=', 'message failed')),
      threshold: 5,
      periods: 3,
      means: 'Messages of webhooks keep failing on our side, and come again; after five attempts they are given up.',
      runbook: 'messages-fail',
      topic,
    });
  }
}
