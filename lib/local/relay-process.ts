import { createDynamoClient } from '../../functions/adapters/aws/clients.ts';
import { RELAYED_TABLES } from '../../functions/adapters/dynamo/tables.ts';
import { composeEventRelay } from '../../functions/event-relay/compose.ts';
import { startOutboxStream } from './table-streams.ts';

/**
 * The function that relays events as a process of its own, as it is one in the cloud. The stores are those that the
 * environment names. Here every item is cleared: it is by its event that the poll finds it.
 */
process.title = 'svc-relay';

/** Who waits for an event waits no longer than for one in the cloud. */
const INTERVAL_MS = 500;

const stream = startOutboxStream({
  client: createDynamoClient(),
  deliver: composeEventRelay({
    eventsQueueUrl: process.env.SVC_EVENTS_QUEUE_URL ?? '',
    clearedTables: RELAYED_TABLES,
  }),
  intervalMs: INTERVAL_MS,
});
process.send?.('ready');

const stop = () => void stream.stop().finally(() => process.exit(0));
process.once('SIGTERM', stop);
// The parent is gone, however it went.
process.once('disconnect', stop);
// Ctrl-C reaches the whole group: the gateway decides when the relay goes.
process.on('SIGINT', () => {});
