import * as z from 'zod';
import { tableSchemas } from '../adapters/dynamo/tables.ts';
import { logLevelSchema } from '../adapters/telemetry/log-level.ts';

export const DEFAULT_DELIVERY_DAYS = 30;

/** What the function that delivers webhooks reads from its environment; the construct in lib/ takes exactly this type. */
export const webhookDeliveryEnvSchema = z.object({
  ...tableSchemas('webhook-delivery'),
  /** How long a delivery and its log are kept, days. */
  SVC_DELIVERY_DAYS: z
    .string()
    .regex(/^[1-9]\d{0,3}$/, 'must be whole days, 1 to 9999')
    .default(String(DEFAULT_DELIVERY_DAYS))
    .transform(Number),
  /** SQS queue that names endpoints for which something is due. */
  SVC_DELIVERIES_QUEUE_URL: z.url(),
  /** Secrets Manager: what the endpoints' signing secrets are sealed with. */
  SVC_SEALING_SECRET_ARN: z.string().min(1),
  /** The least that is logged: `debug`, `info`, `warn` or `error`. */
  SVC_LOG_LEVEL: logLevelSchema,
});

export type WebhookDeliveryEnv = z.input<typeof webhookDeliveryEnvSchema>;
