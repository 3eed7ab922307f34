import { readTables } from '../adapters/dynamo/tables.ts';
import { createHandler } from '../adapters/lambda/event-handler.ts';
import { composeUsageCounter } from './compose.ts';
import { usageCounterEnvSchema } from './env.ts';
import type { StreamEvent } from './stream-event.ts';

const env = usageCounterEnvSchema.parse(process.env);
const count = composeUsageCounter({
  tables: readTables('usage-counter', env),
  aggregateDays: env.SVC_AGGREGATE_DAYS,
  sessionDays: env.SVC_RECORD_DAYS,
});

/** Counts the records of ended requests, as the table's stream delivers them. A batch that fails is delivered again. */
export const handler = createHandler(async (event: StreamEvent) => {
  await count(event);
  // A tumbling window requires a state; the totals are in the table.
  return { state: {} };
});
