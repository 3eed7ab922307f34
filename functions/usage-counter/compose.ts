import { createDynamoClient } from '../adapters/aws/clients.ts';
import { DynamoAggregates } from '../adapters/dynamo/dynamo-aggregates.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { logFailedRecord } from '../adapters/telemetry/json-log.ts';
import { countRecords } from '../core/analytics/count-records.ts';
import { type StreamEvent, toBatch } from './stream-event.ts';

export interface UsageCounterConfig {
  readonly aggregatesTable: string;
  readonly aggregateDays: number;
  readonly sessionDays: number;
}

/** Counts what a stream delivers, over AWS or over whatever speaks its protocols. Rejects where it has to come again. */
export function composeUsageCounter(config: UsageCounterConfig): (event: StreamEvent) => Promise<void> {
  const { aggregatesTable, aggregateDays, sessionDays } = config;
  const store = new DynamoAggregates(createDynamoClient(), aggregatesTable, systemClock);
  return (event) =>
    countRecords(toBatch(event, logFailedRecord), { store, now: systemClock.now, aggregateDays, sessionDays });
}
