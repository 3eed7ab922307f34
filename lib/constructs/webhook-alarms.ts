import { Duration } from 'aws-cdk-lib';
import type * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import type * as sns from 'aws-cdk-lib/aws-sns';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { METRICS } from '../../functions/core/model/metric-names.ts';
import { createAlarm } from './alarm.ts';
import { ownMetric } from './own-metric.ts';

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
