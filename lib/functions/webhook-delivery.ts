import { Duration, type Stack } from 'aws-cdk-lib';
import { RecursiveLoop } from 'aws-cdk-lib/aws-lambda';
import { WEBHOOK_DELIVERY_SETTINGS, type WebhookDeliveryEnv } from '../../functions/webhook-delivery/env.ts';
import { QueueConsumer } from '../constructs/event-functions.ts';
import { grantTables, grantValueOf } from '../constructs/grants.ts';
import { stageVariables } from '../settings/function-settings.ts';
import { type FunctionContext, tableNames } from './function-context.ts';

/** The function that delivers webhooks, what it is told and what its role may do. */
export function addWebhookDelivery(
  stack: Stack,
  { settings, data, code }: FunctionContext,
): QueueConsumer<WebhookDeliveryEnv> {
  const { logRetentionDays, tracing } = settings;
  const webhookDelivery = new QueueConsumer<WebhookDeliveryEnv>(stack, 'WebhookDelivery', {
    description: 'Delivers events to the endpoints that want them, signed, until they take them.',
    code,
    environment: {
      ...tableNames('webhook-delivery', data),
      SVC_DELIVERIES_QUEUE_URL: data.deliveriesQueue.queueUrl,
      SVC_SEALING_SECRET_ARN: data.sealingKey.secretArn,
      ...stageVariables(WEBHOOK_DELIVERY_SETTINGS, settings),
    },
    sources: {
      Events: { queue: data.eventsQueue, batchesAtOnce: 10 },
      // A batch is worked on for ten seconds at most, or twice that where receivers do not answer.
      Deliveries: { queue: data.deliveriesQueue, batchesAtOnce: 50 },
    },
    sweepEvery: Duration.minutes(1),
    memoryMb: 512,
    timeout: Duration.seconds(60),
    logRetentionDays,
    tracing,
    // It wakes itself for each next attempt.
    recursiveLoop: RecursiveLoop.ALLOW,
  });
  grantTables('webhook-delivery', data.tables, webhookDelivery);
  data.deliveriesQueue.grant(webhookDelivery, 'sqs:SendMessage');
  grantValueOf(data.sealingKey, webhookDelivery);
  return webhookDelivery;
}
