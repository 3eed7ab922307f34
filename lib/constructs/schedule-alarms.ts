import type { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type * as events from 'aws-cdk-lib/aws-events';
import { Construct } from 'constructs';
import { type AlarmTopics, createSilenceAlarm } from './alarm.ts';

export interface ScheduleAlarmsProps {
  /** By the name of the function that runs, with the longest silence that is no fault. */
  readonly schedules: Readonly<Record<string, { readonly rule: events.IRule | undefined; readonly within: Duration }>>;
  readonly topics: AlarmTopics;
}

/** Alarms for functions that their schedule does not run any more. */
export class ScheduleAlarms extends Construct {
  constructor(scope: Construct, id: string, { schedules, topics }: ScheduleAlarmsProps) {
    super(scope, id);
    for (const [name, { rule, within }] of Object.entries(schedules)) {
      if (rule === undefined) throw new Error(`${name} has no schedule`);
      createSilenceAlarm(this, `${name}Silent`, {
        metric: invocations(rule),
        threshold: 1,
        period: within,
        means: `The schedule of the function ${name} did not invoke it.`,
        runbook: 'a-schedule-is-silent',
        severity: 'ticket',
        topics,
      });
    }
  }
}

/** Successful invocations by a rule. The function's own metric would also count its messages. */
function invocations({ ruleName }: events.IRule): cloudwatch.MathExpression {
  const of = (metricName: string) =>
    new cloudwatch.Metric({
      namespace: 'AWS/Events',
      metricName,
      dimensionsMap: { RuleName: ruleName },
      statistic: 'Sum',
    });
  return new cloudwatch.MathExpression({
    expression: 'invoked - FILL(failed, 0)',
    usingMetrics: { invoked: of('Invocations'), failed: of('FailedInvocations') },
    label: 'invocations',
  });
}
