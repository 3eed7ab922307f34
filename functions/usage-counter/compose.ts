import { createDynamoClient } from '../adapters/aws/clients.ts';
import { DynamoAggregates } from '../adapters/dynamo/dynamo-aggregates.ts';
import { type RecordAttributes, readRecordItem } from '../adapters/dynamo/record-item.ts';
import type { TablesOf } from '../adapters/dynamo/tables.ts';
import { systemClock } from '../adapters/node/process-time.ts';
import { logSkippedRecord, logUncountedTags } from '../adapters/telemetry/json-log.ts';
import { assertCountable, type Batch, countRecords } from '../control/analytics/index.ts';
import type { RequestRecord } from '../kernel/model/index.ts';
import type { UsageCounterSettings } from './env.ts';

export interface UsageCounterConfig {
  readonly tables: TablesOf<'usage-counter'>;
  readonly settings: UsageCounterSettings;
}

/** Counts the records of a stream on AWS, or on services with the same APIs. Rejects if the batch must be redelivered. */
export function composeUsageCounter(config: UsageCounterConfig): (event: StreamEvent) => Promise<void> {
  const { tables, settings } = config;
  // A session's totals are kept as long as the records of its requests.
  const { aggregateDays, recordDays: sessionDays, totalParts } = settings;
  const store = new DynamoAggregates(createDynamoClient(), tables.aggregates, systemClock);
  const days = { aggregateDays, sessionDays };
  return (event) => {
    const batch = toBatch(event, (record) => assertCountable(record, days), logSkippedRecord);
    return countRecords(batch, { store, now: systemClock.now, onManyTags: logUncountedTags, totalParts, ...days });
  };
}

/**
 * A DynamoDB stream event of Lambda with a tumbling window, which adds the shard id:
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
    /** A decimal number of 21 to 40 digits that increases within a shard. */
    readonly SequenceNumber: string;
    readonly NewImage?: Readonly<Record<string, { readonly S?: string }>>;
  };
}

/**
 * The new request records of a batch. A record that does not pass `check` is reported and skipped: a batch is counted as one, up to a
 * position for each total, so a single failed record would block all later ones, or be skipped by them.
 */
export function toBatch(
  { Records, shardId }: StreamEvent,
  check: (record: RequestRecord) => void,
  onSkipped: (position: string, error: unknown) => void,
): Batch {
  const deliveries = Records.flatMap(({ eventName, dynamodb: { SequenceNumber: position, NewImage } }) => {
    if (eventName !== 'INSERT' || NewImage?.record?.S === undefined) return [];
    try {
      const record = readRecordItem(textsIn(NewImage));
      check(record);
      return [{ position, record }];
    } catch (error) {
      onSkipped(position, error);
      return [];
    }
  });
  return { source: shardId, deliveries };
}

function textsIn(image: NonNullable<StreamRecord['dynamodb']['NewImage']>): RecordAttributes {
  return Object.fromEntries(Object.entries(image).map(([name, { S }]) => [name, S]));
}
