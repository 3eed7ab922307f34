import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';

/** An item as the document client gives and takes it. Each store casts what it reads to its own item type, once. */
export type Item = Record<string, unknown>;

/** Whether an item still counts: DynamoDB deletes what has expired within days, an embedded store never. */
export function isLive({ expiresAt }: { readonly expiresAt?: unknown }, nowMs: number): boolean {
  return typeof expiresAt !== 'number' || expiresAt * 1000 > nowMs;
}

/** An item as DynamoDB's streams have it: https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html */
export type StreamItem = Readonly<Record<string, AttributeValue>>;

/** The item of a stream as the document client would give it. @throws where a number is beyond 2^53 */
export function fromStream(item: StreamItem): Item {
  return unmarshall(item);
}
