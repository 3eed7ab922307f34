import { Duration, type Stack } from 'aws-cdk-lib';
import type { KeyWatchEnv } from '../../functions/key-watch/env.ts';
import { ScheduledFunction } from '../constructs/event-functions.ts';
import { grantTables } from '../constructs/grants.ts';
import { type FunctionContext, tableNames } from './function-context.ts';

/** The function that tells of keys about to expire, what it is told and what its role may do. */
export function addKeyWatch(stack: Stack, { settings, data, code }: FunctionContext): ScheduledFunction<KeyWatchEnv> {
  const { logRetentionDays, tracing } = settings;
  const keyWatch = new ScheduledFunction<KeyWatchEnv>(stack, 'KeyWatch', {
    description: 'Tells of API keys that expire within a week.',
    code,
    environment: tableNames('key-watch', data),
    every: Duration.hours(1),
    memoryMb: 256,
    timeout: Duration.minutes(5),
    logRetentionDays,
    tracing,
  });
  grantTables('key-watch', data.tables, keyWatch);
  return keyWatch;
}
