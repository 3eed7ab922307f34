import * as z from 'zod';
import { tableSchemas } from '../adapters/dynamo/tables.ts';

/** Environment of the function that watches keys; the construct in lib/ takes exactly this type. */
export const keyWatchEnvSchema = z.object(tableSchemas('key-watch'));

export type KeyWatchEnv = z.input<typeof keyWatchEnvSchema>;
