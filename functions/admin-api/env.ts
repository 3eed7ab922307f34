import * as z from 'zod';

/** What the admin function reads from its environment; the construct in lib/ takes exactly this type. */
export const adminEnvSchema = z.object({
  /** DynamoDB table of keys. */
  SVC_KEYS_TABLE: z.string().min(1),
  /** SQS queue that events go to. */
  SVC_EVENTS_QUEUE_URL: z.url(),
  /** Secrets Manager: the pepper that keys are hashed with. */
  SVC_PEPPER_SECRET_ARN: z.string().min(1),
});

export type AdminEnv = z.infer<typeof adminEnvSchema>;
