import { readTables } from '../adapters/dynamo/tables.ts';
import { createHandler, processStream } from '../adapters/lambda/event-handler.ts';
import { composeEventRelay, type StreamEvent } from './compose.ts';
import { eventRelayEnvSchema } from './env.ts';

const env = eventRelayEnvSchema.parse(process.env);
const relay = composeEventRelay({
  eventsQueueUrl: env.SVC_EVENTS_QUEUE_URL,
  findingsQueueUrl: env.SVC_FINDINGS_QUEUE_URL,
  clearedTables: Object.values(readTables('event-relay', env)),
});

/** Sends events to the queue as the tables' streams deliver them. Failed records are redelivered. */
export const handler = createHandler((event: StreamEvent) => processStream(event, relay));
