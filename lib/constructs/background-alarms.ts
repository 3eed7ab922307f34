import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import type * as sfn from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { METRICS } from '../../functions/kernel/model/index.ts';
import { type AlarmTopics, createAlarm, ownMetric } from './alarm.ts';

/** Fewer in five minutes need no one: connections are lost. */
const FEW_REQUESTS = 3;

export interface BackgroundAlarmsProps {
  readonly gateway: Pick<lambda.IFunction, 'functionName'>;
  readonly usageCounter: lambda.IFunction;
  /** Queue with references to batches of records that could not be counted. */
  readonly uncounted: sqs.IQueue;
  readonly eventRelay: lambda.IFunction;
  /** Queue with references to batches of changes whose events could not be relayed. */
  readonly unrelayed: sqs.IQueue;
  readonly keyWatch: lambda.IFunction;
  readonly topics: AlarmTopics;
}

/** Alarms for limits that were not enforced, for totals and events that are late or missing, and for alerts that are not evaluated. */
export class BackgroundAlarms extends Construct {
  constructor(scope: Construct, id: string, props: BackgroundAlarmsProps) {
    super(scope, id);
    const { gateway, usageCounter, uncounted, eventRelay, unrelayed, keyWatch, topics } = props;
    createAlarm(this, 'AdmittedWithoutLimits', {
      metric: ownMetric(gateway, METRICS.admittedWithoutLimits),
      threshold: FEW_REQUESTS,
      means: 'Requests of keys with onStoreFailure "open" were admitted without their limits.',
      runbook: 'admitted-without-limits',
      severity: 'page',
      topics,
    });
    createAlarm(this, 'Unsettled', {
      metric: ownMetric(gateway, METRICS.unsettled),
      threshold: FEW_REQUESTS,
      means: 'The use of requests could not be written to the limits table.',
      runbook: 'unsettled',
      severity: 'ticket',
      topics,
    });
    createAlarm(this, 'CountedLate', {
      metric: usageCounter.metric('IteratorAge', { statistic: 'Maximum' }) as cloudwatch.Metric,
      threshold: Duration.minutes(15).toMilliseconds(),
      periods: 3,
      means: 'Totals are more than 15 minutes late. After 12 hours records are given up uncounted.',
      runbook: 'counted-late',
      severity: 'page',
      topics,
    });
    createAlarm(this, 'CounterFails', {
      metric: usageCounter.metricErrors({ statistic: 'Sum' }) as cloudwatch.Metric,
      threshold: 1,
      periods: 3,
      means: 'The function that counts records keeps failing. Its batches are retried for 12 hours.',
      runbook: 'counter-fails',
      severity: 'ticket',
      topics,
    });
    createAlarm(this, 'Uncounted', {
      metric: uncounted.metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum' }) as cloudwatch.Metric,
      threshold: 1,
      means: 'Records are missing from totals: batches were given up after 12 hours of retries.',
      runbook: 'uncounted',
      severity: 'ticket',
      topics,
    });
    createAlarm(this, 'RecordsSkipped', {
      metric: new cloudwatch.MathExpression({
        expression: 'FILL(counter, 0) + FILL(relay, 0)',
        usingMetrics: {
          counter: ownMetric(usageCounter, METRICS.skippedRecords),
          relay: ownMetric(eventRelay, METRICS.skippedRecords),
        },
        label: 'skipped records',
      }),
      threshold: 1,
      means: 'A stream record, or an event in it, could never be processed and was skipped.',
      runbook: 'records-skipped',
      severity: 'ticket',
      topics,
    });
    createAlarm(this, 'RelayedLate', {
      metric: eventRelay.metric('IteratorAge', { statistic: 'Maximum' }) as cloudwatch.Metric,
      threshold: Duration.minutes(15).toMilliseconds(),
      periods: 3,
      means: 'Events are more than 15 minutes late. After six hours they are given up.',
      runbook: 'relayed-late',
      severity: 'page',
      topics,
    });
    createAlarm(this, 'RelayFails', {
      metric: eventRelay.metricErrors({ statistic: 'Sum' }) as cloudwatch.Metric,
      threshold: 1,
      periods: 3,
      means: 'The function that relays events keeps failing. Its batches are retried for six hours.',
      runbook: 'relay-fails',
      severity: 'ticket',
      topics,
    });
    createAlarm(this, 'Unrelayed', {
      metric: unrelayed.metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum' }) as cloudwatch.Metric,
      threshold: 1,
      means: 'Events did not reach the queue: batches were given up after six hours of retries.',
      runbook: 'unrelayed',
      severity: 'ticket',
      topics,
    });
    createAlarm(this, 'AlertFailures', {
      metric: ownMetric(keyWatch, METRICS.alertFailures),
      threshold: 1,
      periods: 3,
      means: 'Alerts cannot be evaluated: they keep their states, and do not fire.',
      runbook: 'alert-failures',
      severity: 'ticket',
      topics,
    });
  }
}

export interface WebhookAlarmsProps {
  readonly delivery: lambda.IFunction;
  readonly events: sqs.Queue;
  readonly deliveries: sqs.Queue;
  readonly topics: AlarmTopics;
}

/** Alarms for webhooks that are late, that could not be processed, and that were given up. */
export class WebhookAlarms extends Construct {
  constructor(scope: Construct, id: string, { delivery, events, deliveries, topics }: WebhookAlarmsProps) {
    super(scope, id);
    for (const [name, queue] of Object.entries({ Events: events, Deliveries: deliveries })) {
      const dead = queue.deadLetterQueue?.queue as sqs.IQueue;
      createAlarm(this, `${name}Dead`, {
        metric: dead.metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum' }) as cloudwatch.Metric,
        threshold: 1,
        means: `Messages of the queue ${name} could not be processed and are in its dead-letter queue.`,
        runbook: 'messages-given-up',
        severity: 'ticket',
        topics,
      });
      createAlarm(this, `${name}Late`, {
        metric: queue.metricApproximateAgeOfOldestMessage({ statistic: 'Maximum' }) as cloudwatch.Metric,
        // A delivery message may have a delay of 15 minutes.
        threshold: Duration.minutes(30).toSeconds(),
        periods: 2,
        means: `Messages of the queue ${name} wait for more than half an hour: webhooks are late.`,
        runbook: 'webhooks-late',
        severity: 'ticket',
        topics,
      });
    }
    createAlarm(this, 'DeadDeliveries', {
      metric: ownMetric(delivery, METRICS.deadDeliveries),
      threshold: 1,
      means:
        'Webhook deliveries were given up: a receiver failed for a day, returned 410, or was disabled with deliveries pending.',
      runbook: 'dead-deliveries',
      severity: 'ticket',
      topics,
    });
  }
}

export interface FindingsAlarmsProps {
  readonly findings: sqs.Queue;
  readonly topics: AlarmTopics;
}

/** Alarms for findings that reach the SIEM late, or were given up. */
export class FindingsAlarms extends Construct {
  constructor(scope: Construct, id: string, { findings, topics }: FindingsAlarmsProps) {
    super(scope, id);
    const dead = findings.deadLetterQueue?.queue as sqs.IQueue;
    createAlarm(this, 'FindingsDead', {
      metric: dead.metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum' }) as cloudwatch.Metric,
      threshold: 1,
      means: 'The SIEM did not accept findings for hours; they are in the dead-letter queue.',
      runbook: 'findings-not-taken',
      severity: 'ticket',
      topics,
    });
    createAlarm(this, 'FindingsLate', {
      metric: findings.metricApproximateAgeOfOldestMessage({ statistic: 'Maximum' }) as cloudwatch.Metric,
      threshold: Duration.minutes(30).toSeconds(),
      periods: 2,
      means: 'Findings wait for more than half an hour: the SIEM does not accept them.',
      runbook: 'findings-not-taken',
      severity: 'ticket',
      topics,
    });
  }
}

export interface ExportAlarmsProps {
  /** Each export of records is one execution. */
  readonly machine: sfn.IStateMachine;
  readonly topics: AlarmTopics;
}

/** Alarms for windows whose records are missing in the export bucket. */
export class ExportAlarms extends Construct {
  constructor(scope: Construct, id: string, { machine, topics }: ExportAlarmsProps) {
    super(scope, id);
    for (const [name, metric] of Object.entries({
      Failed: machine.metricFailed(),
      TimedOut: machine.metricTimedOut(),
    })) {
      createAlarm(this, name, {
        metric: metric as cloudwatch.Metric,
        threshold: 1,
        means: 'The records of a window are missing in the export bucket.',
        runbook: 'export-fails',
        severity: 'ticket',
        topics,
      });
    }
  }
}
