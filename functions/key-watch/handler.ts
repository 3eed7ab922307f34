import { composeKeyWatch } from './compose.ts';
import { keyWatchEnvSchema } from './env.ts';

const env = keyWatchEnvSchema.parse(process.env);
const watch = composeKeyWatch({ keysTable: env.SVC_KEYS_TABLE });

/** Tells of keys that expire soon, each hour. What failed is tried again by Lambda, and in the next hour. */
export async function handler(): Promise<void> {
  await watch();
}
