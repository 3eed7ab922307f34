import { createDynamoClient, createSqsClient } from '../adapters/aws/clients.ts';
import { createSecretSealer } from '../adapters/aws/secret-sealer.ts';
import { type QueueAnswer, type QueueEvent, SqsEndpointWaker } from '../adapters/aws/sqs-queues.ts';
import { DynamoDeliveryStore } from '../adapters/dynamo/dynamo-delivery-store.ts';
import { DynamoDigestStore } from '../adapters/dynamo/dynamo-digest-store.ts';
import { DynamoEndpointTurns } from '../adapters/dynamo/dynamo-endpoint-turns.ts';
import { DynamoWebhookStore } from '../adapters/dynamo/dynamo-webhook-store.ts';
import type { TablesOf } from '../adapters/dynamo/tables.ts';
import { HttpsWebhookSender } from '../adapters/http/webhook-sender.ts';
import { processQueue } from '../adapters/lambda/event-handler.ts';
import { systemClock } from '../adapters/node/process-time.ts';
import { logDeadDelivery } from '../adapters/telemetry/json-log.ts';
import { receive } from '../core/webhooks/receive.ts';
import { sweep } from '../core/webhooks/run-endpoint.ts';
import type { WebhookDeliverySettings } from './env.ts';

export interface DeliveryPace {
  /** How long an endpoint's turn lasts, and when it ends by itself. */
  readonly workMs: number;
  readonly leaseMs: number;
  /** 0..1, for jitter. */
  readonly random: () => number;
}

/** A turn starts attempts for so long; one takes ten seconds at most, and noting it a moment. */
const PACE: DeliveryPace = { workMs: 10_000, leaseMs: 30_000, random: Math.random };

export interface WebhookDeliveryConfig {
  readonly tables: TablesOf<'webhook-delivery'>;
  readonly settings: WebhookDeliverySettings;
  readonly deliveriesQueueUrl: string;
  /** What the endpoints' secrets are sealed with. */
  readonly sealingKey: () => Promise<string>;
  /** Whether endpoints may be on this very machine. */
  readonly allowLoopback: boolean;
  /** For runs that cannot wait; as it has to be where absent. */
  readonly pace?: DeliveryPace;
}

export interface WebhookDelivery {
  /** Takes messages of the queues of events and of deliveries. */
  receive(event: QueueEvent): Promise<QueueAnswer>;
  /** Looks for what is due and was forgotten. */
  sweep(): Promise<void>;
}

/** The delivery of webhooks over AWS, or over whatever speaks its protocols. */
export function composeWebhookDelivery(config: WebhookDeliveryConfig): WebhookDelivery {
  const dynamo = createDynamoClient();
  const { tables, settings, deliveriesQueueUrl, sealingKey, allowLoopback } = config;
  const { workMs, leaseMs, random } = config.pace ?? PACE;
  const deliveries = new DynamoDeliveryStore(dynamo, tables.deliveries, systemClock, settings.deliveryDays);
  const deps = {
    webhooks: new DynamoWebhookStore(dynamo, tables.webhooks, createSecretSealer(sealingKey), systemClock),
    deliveries,
    digests: new DynamoDigestStore(dynamo, tables.deliveries, systemClock, deliveries),
    turns: new DynamoEndpointTurns(dynamo, tables.deliveries, systemClock, leaseMs),
    waker: new SqsEndpointWaker(createSqsClient(), deliveriesQueueUrl),
    sender: new HttpsWebhookSender({ allowLoopback }),
    clock: systemClock,
    turnMs: workMs,
    random,
    onDead: logDeadDelivery,
  };
  return {
    receive: (event) => processQueue(event, (messages) => receive(messages, deps)),
    sweep: () => sweep(deps),
  };
}
