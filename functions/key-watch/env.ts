import * as z from 'zod';
import { tableSchemas } from '../adapters/dynamo/tables.ts';
import { auditRetentionDays, type SettingTable, variablesOf } from '../adapters/env.ts';

export const KEY_WATCH_SETTINGS = { auditRetentionDays } as const satisfies SettingTable;

/** Environment of the function that watches keys and roll-outs; the construct in lib/ takes exactly this type. */
export const keyWatchEnvSchema = z.object({ ...tableSchemas('key-watch'), ...variablesOf(KEY_WATCH_SETTINGS) });

export type KeyWatchEnv = z.input<typeof keyWatchEnvSchema>;
