import * as z from 'zod';
import { tableSchemas } from '../adapters/dynamo/tables.ts';

export const DEFAULT_AGGREGATE_DAYS = 400;
export const DEFAULT_SESSION_DAYS = 30;
const days = z.string().regex(/^[1-9]\d{0,3}$/, 'must be whole days, 1 to 9999');

/** What the counting function reads from its environment; the construct in lib/ takes exactly this type. */
export const usageCounterEnvSchema = z.object({
  ...tableSchemas('usage-counter'),
  /** How long totals by hour and day are kept, days. */
  SVC_AGGREGATE_DAYS: days.default(String(DEFAULT_AGGREGATE_DAYS)).transform(Number),
  /** How long a session's totals are kept after its last request, days: as long as the records of its requests. */
  SVC_RECORD_DAYS: days.default(String(DEFAULT_SESSION_DAYS)).transform(Number),
});

export type UsageCounterEnv = z.input<typeof usageCounterEnvSchema>;
