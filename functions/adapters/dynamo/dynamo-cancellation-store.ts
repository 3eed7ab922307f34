import { BatchGetCommand, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { CancellationStore, StreamRef } from '../../pipeline/index.ts';
import type { DynamoClient } from '../aws/clients.ts';
import { reachStore } from '../aws/reach-store.ts';

const WHAT = 'idempotency table, cancelling';
/** Limit of BatchGetItem. */
const MAX_KEYS = 100;

/**
 * Cancellation marks in DynamoDB, one item for each stream to be ended. Their keys begin with `cancel#`; those of stored responses do not.
 */
export class DynamoCancellationStore implements CancellationStore {
  private readonly client: DynamoClient;
  private readonly tableName: string;

  constructor(client: DynamoClient, tableName: string) {
    this.client = client;
    this.tableName = tableName;
  }

  async ask(stream: StreamRef, expiresAtMs: number): Promise<boolean> {
    // A confirmation is never removed.
    const write = () =>
      this.client.send(
        new UpdateCommand({
          TableName: this.tableName,
          Key: keyOf(stream),
          UpdateExpression: 'SET #expiresAt = :expiresAt',
          ExpressionAttributeNames: { '#expiresAt': 'expiresAt' },
          ExpressionAttributeValues: { ':expiresAt': Math.ceil(expiresAtMs / 1000) },
          ReturnValues: 'ALL_NEW',
        }),
      );
    const { Attributes } = await reachStore(WHAT, write);
    return Attributes?.confirmed === true;
  }

  async asked(streams: readonly StreamRef[], signal: AbortSignal): Promise<readonly StreamRef[]> {
    const parts: StreamRef[][] = [];
    for (let at = 0; at < streams.length; at += MAX_KEYS) parts.push(streams.slice(at, at + MAX_KEYS));
    return (await Promise.all(parts.map((part) => this.askedOf(part, signal)))).flat();
  }

  async confirm(stream: StreamRef): Promise<void> {
    const write = () =>
      this.client.send(
        new UpdateCommand({
          TableName: this.tableName,
          Key: keyOf(stream),
          UpdateExpression: 'SET #confirmed = :true',
          ConditionExpression: 'attribute_exists(#pk)',
          ExpressionAttributeNames: { '#confirmed': 'confirmed', '#pk': 'pk' },
          ExpressionAttributeValues: { ':true': true },
        }),
      );
    await reachStore(WHAT, write);
  }

  async isConfirmed(stream: StreamRef): Promise<boolean> {
    const read = () =>
      this.client.send(new GetCommand({ TableName: this.tableName, Key: keyOf(stream), ConsistentRead: true }));
    const { Item } = await reachStore(WHAT, read);
    return Item?.confirmed === true;
  }

  /** Eventually consistent: half the price and at most about a second old. What a busy table omits is requested next time. */
  private async askedOf(streams: readonly StreamRef[], signal: AbortSignal): Promise<StreamRef[]> {
    const keys = streams.map(keyOf);
    const asked = { Keys: keys, ProjectionExpression: '#pk', ExpressionAttributeNames: { '#pk': 'pk' } };
    const read = () =>
      this.client.send(new BatchGetCommand({ RequestItems: { [this.tableName]: asked } }), { abortSignal: signal });
    const { Responses } = await reachStore(WHAT, read);
    const found = new Set(Responses?.[this.tableName]?.map(({ pk }) => pk as string));
    return streams.filter((_, at) => found.has(keys[at]?.pk as string));
  }
}

function keyOf({ keyId, requestId }: StreamRef): { pk: string } {
  return { pk: `cancel#${keyId}#${requestId}` };
}
