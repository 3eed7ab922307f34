import { createDynamoClient } from '../../functions/adapters/aws/clients.ts';
import { RELAYED_TABLES } from '../../functions/adapters/dynamo/tables.ts';
import { exitOnFault } from '../../functions/adapters/node/exit-on-fault.ts';
import { composeEventRelay } from '../../functions/event-relay/compose.ts';
import { composeUsageCounter } from '../../functions/usage-counter/compose.ts';
import { USAGE_COUNTER_SETTINGS } from '../../functions/usage-counter/env.ts';
import { readLocalSettings } from '../settings/function-settings.ts';
import { tablesOfProcess } from './child-processes.ts';
import { setUpLocalLog } from './local-log.ts';
import { startOutboxStream, startRecordStream } from './table-streams.ts';

/**
 * The functions behind the tables' streams in a separate process: the counting function and, where the environment names the queue of
 * events, the relaying function. The environment also names the stores.
 */
process.title = 'svc-streams';
setUpLocalLog();

/** Not urgent: a request for totals triggers counting first. */
const COUNT_INTERVAL_MS = 1_000;
/** Events are about as fast as in a deployment. */
const RELAY_INTERVAL_MS = 500;

const client = createDynamoClient();
const tables = tablesOfProcess();
const counting = startRecordStream({
  client,
  tableName: tables.records,
  deliver: composeUsageCounter({
    tables,
    settings: readLocalSettings(USAGE_COUNTER_SETTINGS, process.env),
  }),
  intervalMs: COUNT_INTERVAL_MS,
});
const { SVC_EVENTS_QUEUE_URL: eventsQueueUrl } = process.env;
const relaying =
  eventsQueueUrl === undefined
    ? undefined
    : startOutboxStream({
        client,
        tables,
        // All items are cleared here, since the poll finds them by their event.
        deliver: composeEventRelay({ eventsQueueUrl, clearedTables: RELAYED_TABLES.map((name) => tables[name]) }),
        intervalMs: RELAY_INTERVAL_MS,
      });
process.send?.('ready');

process.on('message', (asked) => {
  const reply = () => process.send?.({ counted: asked });
  // Records that could not be counted are retried; totals are returned without them.
  void counting.drained().then(reply, reply);
});

const finish = () => Promise.all([counting.stop(), relaying?.stop()]);
exitOnFault(finish);
const stop = () => void finish().finally(() => process.exit());
process.once('SIGTERM', stop);
// The parent has exited.
process.once('disconnect', stop);
// Ctrl-C reaches the whole process group: the gateway stops this process.
process.on('SIGINT', () => {});
