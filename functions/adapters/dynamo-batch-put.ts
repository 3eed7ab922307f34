import type { DynamoClient } from './dynamo-client.ts';
import type { Item } from './dynamo-item.ts';

/**
 * Up to 25 items in one attempt. A batch has no condition: done again later, it would put back what was taken out of the items
 * since.
 * @returns whether all are known to be stored; where not, any of them may be
 */
export async function tryBatchPut(client: DynamoClient, tableName: string, items: readonly Item[]): Promise<boolean> {
  const requests = items.map((item) => ({ PutRequest: { Item: item } }));
  try {
    const { UnprocessedItems = {} } = await client.call(
      'dynamodb:BatchWriteItem',
      { RequestItems: { [tableName]: requests } },
      { repeatable: false, attempts: 1 },
    );
    return Object.keys(UnprocessedItems).length === 0;
  } catch {
    return false;
  }
}
