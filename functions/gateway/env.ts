import * as z from 'zod';

export const DEFAULT_PROVIDER_TIMEOUT_MS = 120_000;

/** What the gateway function reads from its environment; the construct in lib/ takes exactly this type. */
export const gatewayEnvSchema = z.object({
  /** DynamoDB table of keys. */
  SVC_KEYS_TABLE: z.string().min(1),
  /** DynamoDB table of the rate limits' buckets. */
  SVC_LIMITS_TABLE: z.string().min(1),
  /** DynamoDB table of the sessions' scores. */
  SVC_SESSIONS_TABLE: z.string().min(1),
  /** SQS queue that events go to. */
  SVC_EVENTS_QUEUE_URL: z.url(),
  /** Secrets Manager: the pepper that keys are hashed with. */
  SVC_PEPPER_SECRET_ARN: z.string().min(1),
  /** Secrets Manager: a JSON object of `<PROVIDER>_API_KEY` and `<PROVIDER>_BASE_URL`. */
  SVC_PROVIDERS_SECRET_ARN: z.string().min(1),
  /** The deployment's stage. */
  SVC_STAGE: z.enum(['Production', 'Staging', 'Development']),
  /** `true` answers the model `echo` without a provider; off in Production unless set. */
  SVC_ECHO: z.enum(['true', 'false']).optional(),
  /** Longest wait for a provider's first byte, and for each next one, milliseconds. */
  SVC_PROVIDER_TIMEOUT_MS: z
    .string()
    .regex(/^[1-9]\d{2,5}$/, 'must be whole milliseconds, 100 to 999999')
    .default(String(DEFAULT_PROVIDER_TIMEOUT_MS))
    .transform(Number),
});

/** As the construct sets it: texts, those with a default left out where it stands. */
export type GatewayEnv = z.input<typeof gatewayEnvSchema>;
