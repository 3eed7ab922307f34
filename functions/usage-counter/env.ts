import * as z from 'zod';
import { tableSchemas } from '../adapters/dynamo/tables.ts';
import {
  aggregateDays,
  recordDays,
  type SettingTable,
  type SettingValues,
  totalParts,
  variablesOf,
} from '../adapters/env.ts';

export const USAGE_COUNTER_SETTINGS = {
  aggregateDays,
  recordDays,
  totalParts,
} as const satisfies SettingTable;

export type UsageCounterSettings = SettingValues<typeof USAGE_COUNTER_SETTINGS>;

/** The counting function's environment; the construct in lib/ takes exactly this type. */
export const usageCounterEnvSchema = z.object({
  ...tableSchemas('usage-counter'),
  ...variablesOf(USAGE_COUNTER_SETTINGS),
});

export type UsageCounterEnv = z.input<typeof usageCounterEnvSchema>;
