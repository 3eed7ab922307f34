import { cellsOf } from '../core/analytics/cells.ts';
import type { Batch } from '../core/analytics/count-records.ts';
import type { RequestRecord } from '../core/model/analytics.ts';

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
