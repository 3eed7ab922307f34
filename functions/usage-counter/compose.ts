import { createDynamoClient } from '../adapters/aws/clients.ts';
import { DynamoAggregates } from '../adapters/dynamo/dynamo-aggregates.ts';
import type { TablesOf } from '../adapters/dynamo/tables.ts';
import { systemClock } from '../adapters/node/process-time.ts';
import { logFailedRecord } from '../adapters/telemetry/json-log.ts';
import { cellsOf } from '../core/analytics/cells.ts';
import { type Batch, countRecords } from '../core/analytics/count-records.ts';
import type { RequestRecord } from '../core/model/analytics.ts';
import type { UsageCounterSettings } from './env.ts';

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

/**
 * What Lambda hands over of a DynamoDB stream, with a tumbling window, which is what makes it tell the shard:
 * https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-windows.html
 */
export interface StreamEvent {
  /** Empty in the call that ends a window without a last record. */
  readonly Records: readonly StreamRecord[];
  readonly shardId: string;
}

export interface StreamRecord {
  readonly eventName: 'INSERT' | 'MODIFY' | 'REMOVE';
  readonly dynamodb: {
    /** A decimal number of 21 to 40 digits that grows within a shard. */
    readonly SequenceNumber: string;
    readonly NewImage?: Readonly<Record<string, { readonly S?: string }>>;
  };
}

/**
 * The new request records of a batch. A record that no attempt could count is logged and skipped: the batch is counted as one,
 * up to a position for each total, so that a record which failed alone would hold back, or be passed by, all that come after it.
 */
export function toBatch(
  { Records, shardId }: StreamEvent,
  onUnreadable: (position: string, error: unknown) => void,
): Batch {
  const deliveries = Records.flatMap(({ eventName, dynamodb: { SequenceNumber: position, NewImage } }) => {
    const json = NewImage?.record?.S;
    if (eventName !== 'INSERT' || json === undefined) return [];
    try {
      const record = JSON.parse(json) as RequestRecord;
      cellsOf(record);
      return [{ position, record }];
    } catch (error) {
      onUnreadable(position, error);
      return [];
    }
  });
  return { source: shardId, deliveries };
}
