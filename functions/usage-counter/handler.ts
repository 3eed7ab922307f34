import { readTables } from '../adapters/dynamo/tables.ts';
import { settingsIn } from '../adapters/env.ts';
import { createHandler } from '../adapters/lambda/event-handler.ts';
import { composeUsageCounter, type StreamEvent } from './compose.ts';
import { USAGE_COUNTER_SETTINGS, usageCounterEnvSchema } from './env.ts';

const env = usageCounterEnvSchema.parse(process.env);
const count = composeUsageCounter({
  tables: readTables('usage-counter', env),
  settings: settingsIn(USAGE_COUNTER_SETTINGS, env),
});

/** Counts the records of ended requests as the table's stream delivers them. A failed batch is redelivered. */
export const handler = createHandler(async (event: StreamEvent) => {
  await count(event);
  // A tumbling window requires a state; the totals are in the table.
  return { state: {} };
});
