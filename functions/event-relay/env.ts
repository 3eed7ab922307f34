import * as z from 'zod';
import { tableSchemas } from '../adapters/dynamo/tables.ts';

/** Environment of the function that relays events; the construct in lib/ takes exactly this type. */
export const eventRelayEnvSchema = z.object({
  /** SQS queue for events. */
  SVC_EVENTS_QUEUE_URL: z.url(),
  /** SQS queue that also receives events with findings; absent if there is none. */
  SVC_FINDINGS_QUEUE_URL: z.url().optional(),
  ...tableSchemas('event-relay'),
});

export type EventRelayEnv = z.input<typeof eventRelayEnvSchema>;
