import { QueryCommand, type QueryCommandInput, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import type { DynamoClient } from '../aws/clients.ts';
import { reachStore } from '../aws/reach-store.ts';

interface ListPage {
  /** Keys and identities have different ones. */
  readonly partition: string;
  readonly limit: number;
  /** The last item of the page before; undefined: the first page. */
  readonly start: QueryCommandInput['ExclusiveStartKey'];
}

/** A page of the index `list` of the table of keys, newest first. @throws StoreUnavailable */
export function listNewest(
  client: DynamoClient,
  tableName: string,
  { partition, limit, start }: ListPage,
): Promise<QueryCommandOutput> {
  const read = () =>
    client.send(
      new QueryCommand({
        TableName: tableName,
        IndexName: 'list',
        KeyConditionExpression: '#listPk = :partition',
        ExpressionAttributeNames: { '#listPk': 'listPk' },
        ExpressionAttributeValues: { ':partition': partition },
        ScanIndexForward: false,
        Limit: limit,
        ExclusiveStartKey: start,
      }),
    );
  return reachStore('keys table', read);
}
