import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { DynamoClient } from '../../functions/adapters/aws/clients.ts';
import type { Item } from '../../functions/adapters/dynamo/dynamo-item.ts';

/** So many come at a time: BatchGetItem takes no more. */
export const BATCH = 100;

export interface PendingOptions {
  readonly client: DynamoClient;
  readonly tableName: string;
  /** A sparse index that items are in until they are delivered, and the attribute and its one value that keep them there. */
  readonly index: string;
  readonly attribute: string;
  readonly value: string;
  /** The attributes of the table's key. */
  readonly key: readonly string[];
}

/** A table's items that were not delivered yet, for a store without streams. */
export class PendingItems {
  private readonly options: PendingOptions;

  constructor(options: PendingOptions) {
    this.options = options;
  }

  /** The keys of some of them, as the index has them. */
  async keys(): Promise<Item[]> {
    const { client, tableName, index, attribute, value, key } = this.options;
    const command = new QueryCommand({
      TableName: tableName,
      IndexName: index,
      KeyConditionExpression: '#pending = :pending',
      ExpressionAttributeNames: { '#pending': attribute },
      ExpressionAttributeValues: { ':pending': value },
      Limit: BATCH,
    });
    const { Items = [] } = await client.send(command);
    return Items.map((item) => Object.fromEntries(key.map((name) => [name, item[name]])));
  }

  /** Of these keys those whose items are still to be delivered: an index may lag behind its table. */
  async stillPending(keys: readonly Item[]): Promise<{ readonly key: Item; readonly item: Item }[]> {
    const items = await this.read(keys);
    return keys.flatMap((key, at) => {
      const item = items[at];
      return item?.[this.options.attribute] === undefined ? [] : [{ key, item }];
    });
  }

  /** In the order of their keys; undefined where an item is gone. */
  async read(keys: readonly Item[]): Promise<(Item | undefined)[]> {
    const { client, tableName } = this.options;
    const found = new Map<string, Item>();
    for (let wanted = [...keys]; wanted.length > 0; ) {
      const RequestItems = { [tableName]: { Keys: wanted, ConsistentRead: true } };
      const { Responses, UnprocessedKeys } = await client.send(new BatchGetCommand({ RequestItems }));
      for (const item of Responses?.[tableName] ?? []) found.set(this.nameOf(item), item);
      wanted = UnprocessedKeys?.[tableName]?.Keys ?? [];
    }
    return keys.map((key) => found.get(this.nameOf(key)));
  }

  /** Takes an item out of the index. */
  async unmark(key: Item): Promise<void> {
    const { client, tableName, attribute } = this.options;
    const command = new UpdateCommand({
      TableName: tableName,
      Key: key,
      UpdateExpression: 'REMOVE #pending',
      // One that was deleted meanwhile must not come back as an empty item.
      ConditionExpression: 'attribute_exists(#pk)',
      ExpressionAttributeNames: { '#pending': attribute, '#pk': 'pk' },
    });
    try {
      await client.send(command);
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    }
  }

  private nameOf(item: Item): string {
    return this.options.key.map((name) => item[name]).join(' ');
  }
}
