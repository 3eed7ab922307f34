import { composeUsageCounter } from './compose.ts';
import { usageCounterEnvSchema } from './env.ts';
import type { StreamEvent } from './stream-event.ts';

const env = usageCounterEnvSchema.parse(process.env);
const count = composeUsageCounter({
  aggregatesTable: env.SVC_AGGREGATES_TABLE,
  aggregateDays: env.SVC_AGGREGATE_DAYS,
  sessionDays: env.SVC_RECORD_DAYS,
});

/** Counts the records of ended requests, as the table's stream delivers them. A batch that fails is delivered again. */
export async function handler(event: StreamEvent): Promise<{ state: object }> {
  await count(event);
  // A tumbling window asks for a state; what is counted stands in the table.
  return { state: {} };
}
