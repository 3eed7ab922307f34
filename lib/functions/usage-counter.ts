import { Duration, type Stack } from 'aws-cdk-lib';
import { USAGE_COUNTER_SETTINGS, type UsageCounterEnv } from '../../functions/usage-counter/env.ts';
import { StreamConsumer } from '../constructs/event-functions.ts';
import { grantTables } from '../constructs/grants.ts';
import { stageVariables } from '../settings/function-settings.ts';
import { type FunctionContext, tableNames } from './function-context.ts';

/** The function that adds records up, what it is told and what its role may do. */
export function addUsageCounter(
  stack: Stack,
  { settings, data, code }: FunctionContext,
): StreamConsumer<UsageCounterEnv> {
  const { logRetentionDays, tracing } = settings;
  const usageCounter = new StreamConsumer<UsageCounterEnv>(stack, 'UsageCounter', {
    description: 'Adds up the records of requests by hour, day and session, as the table delivers them.',
    code,
    environment: {
      ...tableNames('usage-counter', data),
      ...stageVariables(USAGE_COUNTER_SETTINGS, settings),
    },
    // Neither what expires nor what is marked is new.
    sources: { Stream: { table: data.tables.records, filter: { eventName: ['INSERT'] } } },
    undelivered: data.uncounted,
    // Only an outage holds a batch up: a record that cannot be counted is skipped. Half a day is left to look into what was not counted.
    maxRecordAge: Duration.hours(12),
    // Positions are counted in order, so that a batch fails as one (toBatch).
    reportsRecords: false,
    batchSize: 1_000,
    maxBatchingWindow: Duration.seconds(2),
    // Without a shard nothing tells what was counted already.
    tumblingWindow: Duration.minutes(15),
    memoryMb: 512,
    timeout: Duration.minutes(1),
    logRetentionDays,
    tracing,
  });
  grantTables('usage-counter', data.tables, usageCounter);
  return usageCounter;
}
