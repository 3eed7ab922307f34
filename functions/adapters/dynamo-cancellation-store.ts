import type { CancellationStore, StreamRef } from '../core/ports/cancellation-store.ts';
import type { DynamoClient } from './dynamo-client.ts';
import { type Item, number, text } from './dynamo-item.ts';
import { reachStore } from './reach-store.ts';

const WHAT = 'idempotency table, cancelling';
/** DynamoDB's own limit on a BatchGetItem. */
const MAX_KEYS = 100;

/** Marks in DynamoDB, an item for each stream that is to end. Their names begin with `cancel#`; those of kept answers do not. */
export class DynamoCancellationStore implements CancellationStore {
  private readonly client: DynamoClient;
  private readonly tableName: string;

  constructor(client: DynamoClient, tableName: string) {
    this.client = client;
    this.tableName = tableName;
  }

  async ask(stream: StreamRef, expiresAtMs: number): Promise<boolean> {
    // What was confirmed stays so.
    const write = () =>
      this.client.call('dynamodb:UpdateItem', {
        TableName: this.tableName,
        Key: keyOf(stream),
        UpdateExpression: 'SET #expiresAt = :expiresAt',
        ExpressionAttributeNames: { '#expiresAt': 'expiresAt' },
        ExpressionAttributeValues: { ':expiresAt': number(Math.ceil(expiresAtMs / 1000)) },
        ReturnValues: 'ALL_NEW',
      });
    const { Attributes } = await reachStore(WHAT, write);
    return Attributes?.confirmed?.BOOL === true;
  }

  async asked(streams: readonly StreamRef[], signal: AbortSignal): Promise<readonly StreamRef[]> {
    const parts: StreamRef[][] = [];
    for (let at = 0; at < streams.length; at += MAX_KEYS) parts.push(streams.slice(at, at + MAX_KEYS));
    return (await Promise.all(parts.map((part) => this.askedOf(part, signal)))).flat();
  }

  async confirm(stream: StreamRef): Promise<void> {
    const write = () =>
      this.client.call('dynamodb:UpdateItem', {
        TableName: this.tableName,
        Key: keyOf(stream),
        UpdateExpression: 'SET #confirmed = :true',
        ConditionExpression: 'attribute_exists(#pk)',
        ExpressionAttributeNames: { '#confirmed': 'confirmed', '#pk': 'pk' },
        ExpressionAttributeValues: { ':true': { BOOL: true } },
      });
    await reachStore(WHAT, write);
  }

  async isConfirmed(stream: StreamRef): Promise<boolean> {
    const read = () =>
      this.client.call('dynamodb:GetItem', { TableName: this.tableName, Key: keyOf(stream), ConsistentRead: true });
    const { Item } = await reachStore(WHAT, read);
    return Item?.confirmed?.BOOL === true;
  }

  /** Read as it may have stood a second ago, for half the price; what a busy table leaves out is asked for the next time. */
  private async askedOf(streams: readonly StreamRef[], signal: AbortSignal): Promise<StreamRef[]> {
    const keys = streams.map(keyOf);
    const asked = { Keys: keys, ProjectionExpression: '#pk', ExpressionAttributeNames: { '#pk': 'pk' } };
    const read = () =>
      this.client.call('dynamodb:BatchGetItem', { RequestItems: { [this.tableName]: asked } }, { signal });
    const { Responses } = await reachStore(WHAT, read);
    const found = new Set(Responses?.[this.tableName]?.map(({ pk }) => pk?.S));
    return streams.filter((_, at) => found.has(keys[at]?.pk?.S));
  }
}

function keyOf({ keyId, requestId }: StreamRef): Item {
  return { pk: text(`cancel#${keyId}#${requestId}`) };
}
