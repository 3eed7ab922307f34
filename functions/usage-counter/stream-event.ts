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

/** The new request records of a batch. What is no record of ours is passed over: it could never be counted. */
export function toBatch({ Records, shardId }: StreamEvent): Batch {
  const deliveries = Records.flatMap(({ eventName, dynamodb: { SequenceNumber, NewImage } }) => {
    const json = NewImage?.record?.S;
    if (eventName !== 'INSERT' || json === undefined) return [];
    return [{ position: SequenceNumber, record: JSON.parse(json) as RequestRecord }];
  });
  return { source: shardId, deliveries };
}
