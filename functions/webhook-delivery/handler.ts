import { secretSource } from '../adapters/aws/secrets-manager.ts';
import type { QueueEvent } from '../adapters/aws/sqs-queues.ts';
import { readTables } from '../adapters/dynamo/tables.ts';
import { settingsIn } from '../adapters/env.ts';
import { createHandler } from '../adapters/lambda/event-handler.ts';
import { setLogLevel } from '../adapters/telemetry/logger.ts';
import { composeWebhookDelivery } from './compose.ts';
import { WEBHOOK_DELIVERY_SETTINGS, webhookDeliveryEnvSchema } from './env.ts';

const env = webhookDeliveryEnvSchema.parse(process.env);
const settings = settingsIn(WEBHOOK_DELIVERY_SETTINGS, env);
setLogLevel(settings.logLevel);
const delivery = composeWebhookDelivery({
  tables: readTables('webhook-delivery', env),
  settings,
  deliveriesQueueUrl: env.SVC_DELIVERIES_QUEUE_URL,
  sealingKey: secretSource(env.SVC_SEALING_SECRET_ARN),
  // A deployment may only send to the public internet, whatever the environment says.
  allowLoopback: false,
});

/** Delivers webhooks: messages of its two queues and, in a scheduled run every minute, due deliveries that were missed. */
export const handler = createHandler(async (event: QueueEvent | { readonly Records?: undefined }) => {
  if (event.Records !== undefined) return delivery.receive(event);
  await delivery.sweep();
  return undefined;
});
