import { Duration } from 'aws-cdk-lib';
import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import type * as sns from 'aws-cdk-lib/aws-sns';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import type * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { METRICS } from '../../functions/core/model/metric-names.ts';
import { createAlarm, ownMetric } from './alarm.ts';

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

export interface WebhookAlarmsProps {
  readonly delivery: lambda.IFunction;
  readonly events: sqs.Queue;
  readonly deliveries: sqs.Queue;
  readonly topic: sns.ITopic | undefined;
}

/** What an operator must hear of: webhooks that are late, that we could not work on, and that were given up. */
export class WebhookAlarms extends Construct {
  constructor(scope: Construct, id: string, { delivery, events, deliveries, topic }: WebhookAlarmsProps) {
    super(scope, id);
    for (const [name, queue] of Object.entries({ Events: events, Deliveries: deliveries })) {
      const dead = queue.deadLetterQueue?.queue as sqs.IQueue;
      createAlarm(this, `${name}Dead`, {
        metric: dead.metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum' }) as cloudwatch.Metric,
        threshold: 1,
        means: `Messages of the queue ${name} could not be worked on and lie in its dead-letter queue.`,
        runbook: 'messages-given-up',
        topic,
      });
      createAlarm(this, `${name}Late`, {
        metric: queue.metricApproximateAgeOfOldestMessage({ statistic: 'Maximum' }) as cloudwatch.Metric,
        // A message of deliveries may wait for 15 minutes on purpose.
        threshold: Duration.minutes(30).toSeconds(),
        periods: 2,
        means: `Messages of the queue ${name} wait for more than half an hour: webhooks are late.`,
        runbook: 'webhooks-late',
        topic,
      });
    }
    createAlarm(this, 'DeadDeliveries', {
      metric: ownMetric(delivery, METRICS.deadDeliveries),
      threshold: 1,
      means: 'Webhooks were given up: a receiver failed for a day, answered 410, or was disabled with some pending.',
      runbook: 'dead-deliveries',
      topic,
    });
  }
}

export interface FindingsAlarmsProps {
  readonly findings: sqs.Queue;
  readonly topic: sns.ITopic | undefined;
}

/** What an operator must hear of: findings that reach the SIEM late, or were given up. */
export class FindingsAlarms extends Construct {
  constructor(scope: Construct, id: string, { findings, topic }: FindingsAlarmsProps) {
    super(scope, id);
    const dead = findings.deadLetterQueue?.queue as sqs.IQueue;
    createAlarm(this, 'FindingsDead', {
      metric: dead.metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum' }) as cloudwatch.Metric,
      threshold: 1,
      means: 'Findings were not taken by the SIEM for hours and lie in the dead-letter queue.',
      runbook: 'findings-not-taken',
      topic,
    });
    createAlarm(this, 'FindingsLate', {
      metric: findings.metricApproximateAgeOfOldestMessage({ statistic: 'Maximum' }) as cloudwatch.Metric,
      threshold: Duration.minutes(30).toSeconds(),
      periods: 2,
      means: 'Findings wait for more than half an hour: the SIEM does not take them.',
      runbook: 'findings-not-taken',
      topic,
    });
  }
}

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
