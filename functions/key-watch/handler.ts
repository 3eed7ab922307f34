import { readTables } from '../adapters/dynamo/tables.ts';
import { settingsIn } from '../adapters/env.ts';
import { createHandler } from '../adapters/lambda/event-handler.ts';
import { composeKeyWatch } from './compose.ts';
import { KEY_WATCH_SETTINGS, keyWatchEnvSchema } from './env.ts';

const env = keyWatchEnvSchema.parse(process.env);
const watch = composeKeyWatch({ tables: readTables('key-watch', env), settings: settingsIn(KEY_WATCH_SETTINGS, env) });

/**
 * Watches a roll-out of the policy, evaluates alerts and counts tool calls that wait every minute, and every hour emits events for keys that
 * expire soon and the report of a month that is over. Lambda retries a failed run, and the next run does its work.
 */
export const handler = createHandler(async ({ time }: { readonly time?: string }) => {
  const isHourly = time === undefined || new Date(time).getUTCMinutes() === 0;
  await Promise.all([
    watch.rollout(),
    watch.alerts(),
    watch.approvals(),
    ...(isHourly ? [watch.keys(), watch.spend()] : []),
  ]);
});
