import { createDynamoClient } from '../../functions/adapters/aws/clients.ts';
import { exitOnFault } from '../../functions/adapters/node/exit-on-fault.ts';
import { composeUsageCounter } from '../../functions/usage-counter/compose.ts';
import { USAGE_COUNTER_SETTINGS } from '../../functions/usage-counter/env.ts';
import { readLocalSettings } from '../settings/function-settings.ts';
import { LOCAL_TABLES } from './create-resources.ts';
import { setUpLocalLog } from './local-log.ts';
import { startRecordStream } from './table-streams.ts';

/**
 * The counting function in a separate process, so that the gateway's CPU and memory can be measured alone.
 * The environment names the stores.
 */
process.title = 'svc-counter';
setUpLocalLog();

/** Not urgent: a request for totals triggers counting first. */
const INTERVAL_MS = 1_000;

const stream = startRecordStream({
  client: createDynamoClient(),
  tableName: LOCAL_TABLES.records,
  deliver: composeUsageCounter({
    tables: LOCAL_TABLES,
    settings: readLocalSettings(USAGE_COUNTER_SETTINGS, process.env),
  }),
  intervalMs: INTERVAL_MS,
});
process.send?.('ready');

process.on('message', (asked) => {
  const reply = () => process.send?.({ counted: asked });
  // Records that could not be counted are retried; totals are returned without them.
  void stream.drained().then(reply, reply);
});

exitOnFault(() => stream.stop());
const stop = () => void stream.stop().finally(() => process.exit());
process.once('SIGTERM', stop);
// The parent has exited.
process.once('disconnect', stop);
// Ctrl-C reaches the whole process group: the gateway stops the counter.
process.on('SIGINT', () => {});
