import { Duration } from 'aws-cdk-lib';
import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import type * as sns from 'aws-cdk-lib/aws-sns';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { METRICS } from '../../functions/core/model/metric-names.ts';
import { createAlarm } from './alarm.ts';
import { ownMetric } from './own-metric.ts';

export interface BackgroundAlarmsProps {
  readonly gateway: lambda.IFunction;
  readonly usageCounter: lambda.IFunction;
  /** Where batches of records are named that could not be counted. */
  readonly uncounted: sqs.IQueue;
  readonly eventRelay: lambda.IFunction;
  /** Where batches of changes are named whose events could not be relayed. */
  readonly unrelayed: sqs.IQueue;
  readonly topic: sns.ITopic | undefined;
}

/** What an operator must hear of: limits that were not kept to the letter, totals and events that are late or missing. */
export class BackgroundAlarms extends Construct {
  constructor(scope: Construct, id: string, props: BackgroundAlarmsProps) {
    super(scope, id);
    const { gateway, usageCounter, uncounted, eventRelay, unrelayed, topic } = props;
    createAlarm(this, 'AdmittedWithoutLimits', {
      metric: ownMetric(gateway, METRICS.admittedWithoutLimits),
      threshold: 1,
      means: 'Requests of keys with onStoreFailure "open" were let through without their limits.',
      runbook: 'admitted-without-limits',
      topic,
    });
    createAlarm(this, 'Unsettled', {
      metric: ownMetric(gateway, METRICS.unsettled),
      threshold: 1,
      means: 'What requests used could not be written to the limits table.',
      runbook: 'unsettled',
      topic,
    });
    createAlarm(this, 'CountedLate', {
      metric: usageCounter.metric('IteratorAge', { statistic: 'Maximum' }) as cloudwatch.Metric,
      threshold: Duration.minutes(15).toMilliseconds(),
      periods: 3,
      means: 'Totals are more than 15 minutes late; after a day the stream drops records uncounted.',
      runbook: 'counted-late',
      topic,
    });
    createAlarm(this, 'CounterFails', {
      metric: usageCounter.metricErrors({ statistic: 'Sum' }) as cloudwatch.Metric,
      threshold: 1,
      periods: 3,
      means: 'The function that adds records up keeps failing; its batches are tried again for a day.',
      runbook: 'counter-fails',
      topic,
    });
    createAlarm(this, 'Uncounted', {
      metric: uncounted.metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum' }) as cloudwatch.Metric,
      threshold: 1,
      means: 'Records are missing from totals: batches were given up after a day of attempts.',
      runbook: 'uncounted',
      topic,
    });
    createAlarm(this, 'RelayedLate', {
      metric: eventRelay.metric('IteratorAge', { statistic: 'Maximum' }) as cloudwatch.Metric,
      threshold: Duration.minutes(15).toMilliseconds(),
      periods: 3,
      means: 'Events are more than 15 minutes late; after a day the streams drop them.',
      runbook: 'relayed-late',
      topic,
    });
    createAlarm(this, 'RelayFails', {
      metric: eventRelay.metricErrors({ statistic: 'Sum' }) as cloudwatch.Metric,
      threshold: 1,
      periods: 3,
      means: 'The function that relays events keeps failing; its batches are tried again for a day.',
      runbook: 'relay-fails',
      topic,
    });
    createAlarm(this, 'Unrelayed', {
      metric: unrelayed.metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum' }) as cloudwatch.Metric,
      threshold: 1,
      means: 'Events did not reach the queue: batches were given up after a day of attempts.',
      runbook: 'unrelayed',
      topic,
    });
  }
}
