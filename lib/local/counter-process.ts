import { createDynamoClient } from '../../functions/adapters/aws/clients.ts';
import { composeUsageCounter } from '../../functions/usage-counter/compose.ts';
import { USAGE_COUNTER_SETTINGS } from '../../functions/usage-counter/env.ts';
import { readLocalSettings } from '../settings/function-settings.ts';
import { LOCAL_TABLES } from './create-resources.ts';
import { startRecordStream } from './table-streams.ts';

/**
 * The counting function as a process of its own, as it is one in the cloud: the gateway's CPU and memory can be read apart.
 * The stores are those that the environment names.
 */
process.title = 'svc-counter';

/** Totals need not be there before somebody asks for them, and who asks has them counted first. */
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
  const answer = () => process.send?.({ counted: asked });
  // What could not be counted comes again: totals are told without it.
  void stream.drained().then(answer, answer);
});

const stop = () => void stream.stop().finally(() => process.exit(0));
process.once('SIGTERM', stop);
// The parent is gone, however it went.
process.once('disconnect', stop);
// Ctrl-C reaches the whole group: the gateway decides when the counter goes.
process.on('SIGINT', () => {});
