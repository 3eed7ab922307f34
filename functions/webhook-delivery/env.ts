import * as z from 'zod';
import { tableSchemas } from '../adapters/dynamo/tables.ts';
import { logLevel, type SettingTable, type SettingValues, variablesOf, wholeDays } from '../adapters/env.ts';

export const WEBHOOK_DELIVERY_SETTINGS = {
  deliveryDays: {
    variable: 'SVC_DELIVERY_DAYS',
    ...wholeDays(30),
    path: 'retentionDays.deliveries',
    example: 12,
    description: 'How long [deliveries of webhooks](webhooks.md#deliveries) and their log are kept',
  },
  logLevel,
} as const satisfies SettingTable;

export type WebhookDeliverySettings = SettingValues<typeof WEBHOOK_DELIVERY_SETTINGS>;

/** What the function that delivers webhooks reads from its environment; the construct in lib/ takes exactly this type. */
export const webhookDeliveryEnvSchema = z.object({
  ...tableSchemas('webhook-delivery'),
  /** SQS queue that names endpoints for which something is due. */
  SVC_DELIVERIES_QUEUE_URL: z.url(),
  /** Secrets Manager: what the endpoints' signing secrets are sealed with. */
  SVC_SEALING_SECRET_ARN: z.string().min(1),
  ...variablesOf(WEBHOOK_DELIVERY_SETTINGS),
});

export type WebhookDeliveryEnv = z.input<typeof webhookDeliveryEnvSchema>;
