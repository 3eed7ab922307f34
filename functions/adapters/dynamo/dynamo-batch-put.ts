import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { DynamoClient } from '../aws/clients.ts';
import type { Item } from './dynamo-item.ts';

/**
 * Up to 25 items in one attempt. A batch has no condition: done again later, it would put back what was taken out of the items
 * since.
 * @param client tries once
 * @returns whether all are known to be stored; where not, any of them may be
 */
export async function tryBatchPut(client: DynamoClient, tableName: string, items: readonly Item[]): Promise<boolean> {
  const requests = items.map((item) => ({ PutRequest: { Item: item } }));
  try {
    const { UnprocessedItems = {} } = await client.send(
      new BatchWriteCommand({ RequestItems: { [tableName]: requests } }),
    );
    return Object.keys(UnprocessedItems).length === 0;
  } catch {
    return false;
  }
}
