import * as z from 'zod';

/** What the gateway function reads from its environment; the construct in lib/ takes exactly this type. */
export const gatewayEnvSchema = z.object({
  /** DynamoDB table of keys. */
  SVC_KEYS_TABLE: z.string().min(1),
  /** DynamoDB table of the rate limits' buckets. */
  SVC_LIMITS_TABLE: z.string().min(1),
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
});

export type GatewayEnv = z.infer<typeof gatewayEnvSchema>;
