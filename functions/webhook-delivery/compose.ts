import { createDynamoClient, createSnsClient, createSqsClient } from '../adapters/aws/clients.ts';
import { createSecretSealer } from '../adapters/aws/secret-sealer.ts';
import { SnsTopics } from '../adapters/aws/sns-topics.ts';
import { type QueueEvent, type QueueResponse, SqsEndpointWaker } from '../adapters/aws/sqs-queues.ts';
import { DynamoDeliveryStore } from '../adapters/dynamo/dynamo-delivery-store.ts';
import { DynamoDigestStore } from '../adapters/dynamo/dynamo-digest-store.ts';
import { DynamoEndpointTurns } from '../adapters/dynamo/dynamo-endpoint-turns.ts';
import { DynamoWebhookStore } from '../adapters/dynamo/dynamo-webhook-store.ts';
import type { TablesOf } from '../adapters/dynamo/tables.ts';
import { HttpsWebhookSender } from '../adapters/http/webhook-sender.ts';
import { processQueue } from '../adapters/lambda/event-handler.ts';
import { systemClock } from '../adapters/node/process-time.ts';
import { logDeadDelivery } from '../adapters/telemetry/json-log.ts';
import { receive, sweep } from '../control/webhooks/index.ts';
import type { WebhookDeliverySettings } from './env.ts';

export interface DeliveryPace {
  /** Working time of an endpoint's turn, and its lease. */
  readonly workMs: number;
  readonly leaseMs: number;
  /** 0..1, for jitter. */
  readonly random: () => number;
}

/** A turn starts attempts for this long; an attempt takes at most ten seconds, plus the time to record it. */
export const PACE: DeliveryPace = { workMs: 10_000, leaseMs: 30_000, random: Math.random };

export const ATTEMPTS_AT_ONCE = { fewest: 10, most: 100 };

export interface WebhookDeliveryConfig {
  readonly tables: TablesOf<'webhook-delivery'>;
  readonly settings: WebhookDeliverySettings;
  readonly deliveriesQueueUrl: string;
  /** The key that seals endpoint secrets. */
  readonly sealingKey: () => Promise<string>;
  /** Whether endpoints may be on the local machine. */
  readonly allowLoopback: boolean;
  /** For runs that cannot wait; the production pace by default. */
  readonly pace?: DeliveryPace;
}

export interface WebhookDelivery {
  /** Handles messages of the event and delivery queues. */
  receive(event: QueueEvent): Promise<QueueResponse>;
  /** Looks for due deliveries that were missed. */
  sweep(): Promise<void>;
}

/** Webhook delivery on AWS, or on services with the same APIs. */
export function composeWebhookDelivery(config: WebhookDeliveryConfig): WebhookDelivery {
  const dynamo = createDynamoClient();
  const { tables, settings, deliveriesQueueUrl, sealingKey, allowLoopback } = config;
  const { workMs, leaseMs, random } = config.pace ?? PACE;
  const { deliveryDays, webhookShards } = settings;
  const deliveries = new DynamoDeliveryStore(dynamo, tables.deliveries, systemClock, deliveryDays, webhookShards);
  const deps = {
    webhooks: new DynamoWebhookStore(dynamo, tables.webhooks, createSecretSealer(sealingKey), systemClock),
    deliveries,
    digests: new DynamoDigestStore(dynamo, tables.deliveries, systemClock, deliveries),
    turns: new DynamoEndpointTurns(dynamo, tables.deliveries, systemClock, leaseMs),
    waker: new SqsEndpointWaker(createSqsClient(), deliveriesQueueUrl),
    sender: new HttpsWebhookSender({ allowLoopback }),
    topics: new SnsTopics(createSnsClient()),
    clock: systemClock,
    turnMs: workMs,
    attemptsAtOnce: ATTEMPTS_AT_ONCE,
    shards: webhookShards,
    random,
    onDead: logDeadDelivery,
  };
  return {
    receive: (event) => processQueue(event, (messages) => receive(messages, deps)),
    sweep: () => sweep(deps),
  };
}
