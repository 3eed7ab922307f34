import { readTables } from '../adapters/dynamo/tables.ts';
import { createHandler } from '../adapters/lambda/event-handler.ts';
import { composeKeyWatch } from './compose.ts';
import { keyWatchEnvSchema } from './env.ts';

const env = keyWatchEnvSchema.parse(process.env);
const watch = composeKeyWatch({ tables: readTables('key-watch', env) });

/** Emits events for keys that expire soon, every hour. Lambda retries a failed run, and the next run includes its keys. */
export const handler = createHandler(async () => {
  await watch();
});
