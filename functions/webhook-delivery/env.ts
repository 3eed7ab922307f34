import * as z from 'zod';
import { tableSchemas } from '../adapters/dynamo/tables.ts';
import {
  deliveryDays,
  logLevel,
  type SettingTable,
  type SettingValues,
  variablesOf,
  webhookShards,
} from '../adapters/env.ts';

export const WEBHOOK_DELIVERY_SETTINGS = {
  deliveryDays,
  logLevel,
  webhookShards,
} as const satisfies SettingTable;

export type WebhookDeliverySettings = SettingValues<typeof WEBHOOK_DELIVERY_SETTINGS>;

/** The webhook delivery function's environment; the construct in lib/ takes exactly this type. */
export const webhookDeliveryEnvSchema = z.object({
  ...tableSchemas('webhook-delivery'),
  /** SQS queue with the endpoints that may have due deliveries. */
  SVC_DELIVERIES_QUEUE_URL: z.url(),
  /** Secrets Manager: the key that seals endpoints' signing secrets. */
  SVC_SEALING_SECRET_ARN: z.string().min(1),
  ...variablesOf(WEBHOOK_DELIVERY_SETTINGS),
});

export type WebhookDeliveryEnv = z.input<typeof webhookDeliveryEnvSchema>;
