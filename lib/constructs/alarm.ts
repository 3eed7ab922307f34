import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as actions from 'aws-cdk-lib/aws-cloudwatch-actions';
import type * as sns from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

export interface AlarmProps {
  readonly metric: cloudwatch.Metric | cloudwatch.MathExpression;
  /** It goes off when the metric is at least so much in each of `periods` periods. */
  readonly threshold: number;
  readonly periods?: number;
  /** Five minutes where absent. */
  readonly period?: Duration;
  /** What is wrong, in a sentence. */
  readonly means: string;
  /** The heading of docs/operations.md that says what to do. */
  readonly runbook: string;
  /** Told when it goes off and when it is over; where absent the alarm only stands in the console. */
  readonly topic: sns.ITopic | undefined;
}

/** An alarm that says what it means and where to read on. Where nothing is measured, all is well. */
export function createAlarm(scope: Construct, id: string, props: AlarmProps): cloudwatch.Alarm {
  const { metric, threshold, periods = 1, period = Duration.minutes(5), means, runbook, topic } = props;
  const alarm = new cloudwatch.Alarm(scope, id, {
    metric: metric.with({ period }),
    threshold,
    evaluationPeriods: periods,
    comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
    alarmDescription: `${means} What to do: docs/operations.md#${runbook}`,
  });
  if (topic !== undefined) {
    alarm.addAlarmAction(new actions.SnsAction(topic));
    alarm.addOkAction(new actions.SnsAction(topic));
  }
  return alarm;
}
