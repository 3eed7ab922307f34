import * as z from 'zod';
import { tableSchemas } from '../adapters/dynamo/tables.ts';
import { recordDays, type SettingTable, type SettingValues, variablesOf, wholeDays } from '../adapters/env.ts';

export const USAGE_COUNTER_SETTINGS = {
  aggregateDays: {
    variable: 'SVC_AGGREGATE_DAYS',
    ...wholeDays(400),
    path: 'retentionDays.aggregates',
    example: 90,
    description: 'Retention of [totals by hour and day](findings.md#analytics)',
  },
  recordDays,
} as const satisfies SettingTable;

export type UsageCounterSettings = SettingValues<typeof USAGE_COUNTER_SETTINGS>;

/** The counting function's environment; the construct in lib/ takes exactly this type. */
export const usageCounterEnvSchema = z.object({
  ...tableSchemas('usage-counter'),
  ...variablesOf(USAGE_COUNTER_SETTINGS),
});

export type UsageCounterEnv = z.input<typeof usageCounterEnvSchema>;
