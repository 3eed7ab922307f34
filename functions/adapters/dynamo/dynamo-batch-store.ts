import { GetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { BatchPage, BatchStore, StoredBatch } from '../../control/batches/index.ts';
import type { Clock } from '../../kernel/tasks/index.ts';
import type { DynamoClient } from '../aws/clients.ts';
import { reachStore } from '../aws/reach-store.ts';
import { type Item, isLive } from './dynamo-calls.ts';

const WHAT = 'approvals table';

/** What never changes, as JSON. */
type Facts = Omit<StoredBatch, 'id' | 'keyId' | 'providerBatchId'>;

/** Batches in the table of approvals, which has a list for each key: one item each, without any content. */
export class DynamoBatchStore implements BatchStore {
  private readonly client: DynamoClient;
  private readonly tableName: string;
  private readonly clock: Pick<Clock, 'now'>;

  constructor(client: DynamoClient, tableName: string, clock: Pick<Clock, 'now'>) {
    this.client = client;
    this.tableName = tableName;
    this.clock = clock;
  }

  create(batch: StoredBatch, expiresAtMs: number): Promise<void> {
    const { id: _, keyId: __, providerBatchId, ...facts } = batch;
    return this.set(batch, {
      facts: JSON.stringify(facts satisfies Facts),
      providerBatchId: providerBatchId ?? '',
      expiresAt: Math.ceil(expiresAtMs / 1000),
    });
  }

  taken(batch: Parameters<BatchStore['taken']>[0]): Promise<void> {
    return this.set(batch, { providerBatchId: batch.providerBatchId ?? '' });
  }

  async find(keyId: string, id: string): Promise<StoredBatch | undefined> {
    const Key = { pk: partitionOf(keyId), sk: id };
    const read = () => this.client.send(new GetCommand({ TableName: this.tableName, Key, ConsistentRead: true }));
    const { Item } = await reachStore(WHAT, read);
    return Item && this.toBatches(keyId, [Item])[0];
  }

  async list(keyId: string, limit: number, { after, before }: Parameters<BatchStore['list']>[2]): Promise<BatchPage> {
    const isForward = before !== undefined;
    const from = before ?? after;
    const found: StoredBatch[] = [];
    let start: Item | undefined;
    do {
      const read = () =>
        this.client.send(
          new QueryCommand({
            TableName: this.tableName,
            KeyConditionExpression:
              from === undefined ? '#pk = :pk' : `#pk = :pk AND #sk ${isForward ? '>' : '<'} :from`,
            ExpressionAttributeNames: { '#pk': 'pk', ...(from !== undefined && { '#sk': 'sk' }) },
            ExpressionAttributeValues: { ':pk': partitionOf(keyId), ...(from !== undefined && { ':from': from }) },
            ScanIndexForward: isForward,
            ConsistentRead: true,
            Limit: limit + 1,
            ExclusiveStartKey: start,
          }),
        );
      const { Items = [], LastEvaluatedKey } = await reachStore(WHAT, read);
      found.push(...this.toBatches(keyId, Items));
      start = LastEvaluatedKey;
    } while (start !== undefined && found.length <= limit);
    const batches = found.slice(0, limit);
    return { batches: isForward ? batches.reverse() : batches, hasMore: found.length > limit };
  }

  /** An expired item is not found, and is removed by the table. */
  delete(batch: StoredBatch): Promise<void> {
    return this.set(batch, { expiresAt: 1 });
  }

  private toBatches(keyId: string, items: readonly Item[]): StoredBatch[] {
    return items
      .filter((item) => isLive(item, this.clock.now()))
      .map(({ sk, facts, providerBatchId }) => ({
        ...(JSON.parse(facts as string) as Facts),
        id: sk as string,
        keyId,
        providerBatchId: (providerBatchId as string) || null,
      }));
  }

  private async set({ keyId, id }: Pick<StoredBatch, 'keyId' | 'id'>, fields: Item): Promise<void> {
    const names = Object.keys(fields);
    const write = () =>
      this.client.send(
        new UpdateCommand({
          TableName: this.tableName,
          Key: { pk: partitionOf(keyId), sk: id },
          UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}`,
          ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
          ExpressionAttributeValues: Object.fromEntries(names.map((name) => [`:${name}`, fields[name]])),
        }),
      );
    await reachStore(WHAT, write);
  }
}

/** Other items of the table begin with the id of a key, or `wrong#`. */
function partitionOf(keyId: string): string {
  return `batches#${keyId}`;
}
