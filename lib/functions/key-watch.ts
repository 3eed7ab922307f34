import { Duration, type Stack } from 'aws-cdk-lib';
import type { KeyWatchEnv } from '../../functions/key-watch/env.ts';
import { grantOnTable, grantQueryOn, grantWriting } from '../constructs/grants.ts';
import { ScheduledFunction } from '../constructs/scheduled-function.ts';
import { TABLE_DEFINITIONS } from '../table-definitions.ts';
import type { FunctionContext } from './function-context.ts';

/** The function that tells of keys about to expire, what it is told and what its role may do. */
export function addKeyWatch(stack: Stack, { settings, data, code }: FunctionContext): ScheduledFunction<KeyWatchEnv> {
  const { logRetentionDays, tracing } = settings;
  const keyWatch = new ScheduledFunction<KeyWatchEnv>(stack, 'KeyWatch', {
    description: 'Tells of API keys that expire within a week.',
    code,
    environment: { SVC_KEYS_TABLE: data.keysTable.tableName },
    every: Duration.hours(1),
    memoryMb: 256,
    timeout: Duration.minutes(5),
    logRetentionDays,
    tracing,
  });
  grantOnTable(data.keysTable, keyWatch, 'dynamodb:BatchGetItem', 'dynamodb:GetItem');
  for (const index of TABLE_DEFINITIONS.keys.indexes) grantQueryOn(data.keysTable, index.name, keyWatch);
  grantWriting(data.keysTable, keyWatch, 'expiryTold', 'outbox', 'outboxPk');
  return keyWatch;
}
