import * as z from 'zod';

/** What the function that relays events reads from its environment; the construct in lib/ takes exactly this type. */
export const eventRelayEnvSchema = z.object({
  /** SQS queue that events go to. */
  SVC_EVENTS_QUEUE_URL: z.url(),
  /** SQS queue that events with findings go to besides; nowhere where absent. */
  SVC_FINDINGS_QUEUE_URL: z.url().optional(),
  /** DynamoDB tables whose items live on after their events were relayed: they are taken out of them. */
  SVC_KEYS_TABLE: z.string().min(1),
  SVC_SESSIONS_TABLE: z.string().min(1),
  SVC_WEBHOOKS_TABLE: z.string().min(1),
});

export type EventRelayEnv = z.input<typeof eventRelayEnvSchema>;
