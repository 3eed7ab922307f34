import { DeleteCommand, QueryCommand, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import type { EndUserStore } from '../../core/analytics/request-records.ts';
import { inParallel } from '../../core/base/batches.ts';
import type { DynamoClient } from '../aws/clients.ts';
import { reachStore } from './reach-store.ts';

const WHAT = 'deliveries table';
interface DeliveryKey {
  readonly pk: string;
  readonly sk: string;
}

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
        const write = () => this.client.send(new DeleteCommand({ TableName: this.tableName, Key }));
        await reachStore(WHAT, write);
        deleted.add(Key.pk);
      });
    }
    return { deliveries: deleted.size };
  }

  private async keysOf(endUserId: string): Promise<DeliveryKey[]> {
    const keys: DeliveryKey[] = [];
    let start: QueryCommandOutput['LastEvaluatedKey'];
    do {
      const read = () =>
        this.client.send(
          new QueryCommand({
            TableName: this.tableName,
            IndexName: 'byEndUser',
            KeyConditionExpression: '#endUser = :endUser',
            ExpressionAttributeNames: { '#endUser': 'endUserPk' },
            ExpressionAttributeValues: { ':endUser': endUserId },
            ExclusiveStartKey: start,
          }),
        );
      const { Items = [], LastEvaluatedKey } = await reachStore(WHAT, read);
      keys.push(...Items.map(({ pk, sk }) => ({ pk, sk })));
      start = LastEvaluatedKey;
    } while (start !== undefined);
    return keys;
  }
}
