import * as z from 'zod';
import { tableSchemas } from '../adapters/dynamo/tables.ts';

/** What the function that relays events reads from its environment; the construct in lib/ takes exactly this type. */
export const eventRelayEnvSchema = z.object({
  /** SQS queue that events go to. */
  SVC_EVENTS_QUEUE_URL: z.url(),
  /** SQS queue that events with findings go to besides; nowhere where absent. */
  SVC_FINDINGS_QUEUE_URL: z.url().optional(),
  ...tableSchemas('event-relay'),
});

export type EventRelayEnv = z.input<typeof eventRelayEnvSchema>;
