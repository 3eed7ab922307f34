import { inParallel } from '../core/analytics/in-parallel.ts';
import type { EndUserStore } from '../core/ports/end-user-store.ts';
import type { DynamoClient } from './dynamo-client.ts';
import { type Item, text } from './dynamo-item.ts';
import { reachStore } from './reach-store.ts';

const WHAT = 'deliveries table';
const AT_ONCE = 16;
/** An index may lag behind its table: looked again until nothing is left to find. */
const MAX_PASSES = 5;

/** Deliveries of events that name an end user. What was not sent yet never is. */
export class DynamoDeliveredEndUsers implements EndUserStore {
  private readonly client: DynamoClient;
  private readonly tableName: string;

  constructor(client: DynamoClient, tableName: string) {
    this.client = client;
    this.tableName = tableName;
  }

  async deleteEndUser(endUserId: string): Promise<{ deliveries: number }> {
    const deleted = new Set<string>();
    for (let pass = 1; pass <= MAX_PASSES; pass += 1) {
      const keys = await this.keysOf(endUserId);
      if (keys.length === 0) break;
      await inParallel(keys, AT_ONCE, async (Key) => {
        const write = () => this.client.call('dynamodb:DeleteItem', { TableName: this.tableName, Key });
        await reachStore(WHAT, write);
        deleted.add(Key.pk?.S ?? '');
      });
    }
    return { deliveries: deleted.size };
  }

  private async keysOf(endUserId: string): Promise<Item[]> {
    const keys: Item[] = [];
    let start: Item | undefined;
    do {
      const read = () =>
        this.client.call('dynamodb:Query', {
          TableName: this.tableName,
          IndexName: 'byEndUser',
          KeyConditionExpression: '#endUser = :endUser',
          ExpressionAttributeNames: { '#endUser': 'endUserPk' },
          ExpressionAttributeValues: { ':endUser': text(endUserId) },
          ...(start !== undefined && { ExclusiveStartKey: start }),
        });
      const { Items = [], LastEvaluatedKey } = await reachStore(WHAT, read);
      keys.push(...Items.map(({ pk, sk }) => ({ pk, sk }) as Item));
      start = LastEvaluatedKey;
    } while (start !== undefined);
    return keys;
  }
}
