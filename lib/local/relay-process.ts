import { createDynamoClient } from '../../functions/adapters/aws/clients.ts';
import { RELAYED_TABLES } from '../../functions/adapters/dynamo/tables.ts';
import { exitOnFault } from '../../functions/adapters/node/exit-on-fault.ts';
import { composeEventRelay } from '../../functions/event-relay/compose.ts';
import { setUpLocalLog } from './local-log.ts';
import { startOutboxStream } from './table-streams.ts';

/**
 * The relaying function in a separate process. The environment names the stores. All items are cleared here, since the poll finds
 * them by their event.
 */
process.title = 'svc-relay';
setUpLocalLog();

/** Events are about as fast as in a deployment. */
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

exitOnFault(() => stream.stop());
const stop = () => void stream.stop().finally(() => process.exit());
process.once('SIGTERM', stop);
// The parent has exited.
process.once('disconnect', stop);
// Ctrl-C reaches the whole process group: the gateway stops the relay.
process.on('SIGINT', () => {});
