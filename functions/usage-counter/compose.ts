import { createDynamoClient } from '../adapters/aws/clients.ts';
import { DynamoAggregates } from '../adapters/dynamo/dynamo-aggregates.ts';
import type { TablesOf } from '../adapters/dynamo/tables.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { logFailedRecord } from '../adapters/telemetry/json-log.ts';
import { countRecords } from '../core/analytics/count-records.ts';
import type { UsageCounterSettings } from './env.ts';
import { type StreamEvent, toBatch } from './stream-event.ts';

export interface UsageCounterConfig {
  readonly tables: TablesOf<'usage-counter'>;
  readonly settings: UsageCounterSettings;
}

/** Counts what a stream delivers, over AWS or over whatever speaks its protocols. Rejects where it has to come again. */
export function composeUsageCounter(config: UsageCounterConfig): (event: StreamEvent) => Promise<void> {
  const { tables, settings } = config;
  // A session's totals are kept as long as the records of its requests.
  const { aggregateDays, recordDays: sessionDays } = settings;
  const store = new DynamoAggregates(createDynamoClient(), tables.aggregates, systemClock);
  return (event) =>
    countRecords(toBatch(event, logFailedRecord), { store, now: systemClock.now, aggregateDays, sessionDays });
}
