import * as z from 'zod';
import { tableSchemas } from '../adapters/dynamo/tables.ts';

/** What the function that watches keys reads from its environment; the construct in lib/ takes exactly this type. */
export const keyWatchEnvSchema = z.object(tableSchemas('key-watch'));

export type KeyWatchEnv = z.input<typeof keyWatchEnvSchema>;
