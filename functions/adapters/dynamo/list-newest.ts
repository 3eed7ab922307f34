import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { DynamoClient } from '../aws/clients.ts';
import { reachStore } from '../aws/reach-store.ts';
import type { Item } from './dynamo-calls.ts';

interface ListPage {
  /** Keys and identities have different ones. */
  readonly partition: 'keys' | 'identities';
  readonly limit: number;
  /** The `listSk` of the last item of the page before; undefined: the first page. */
  readonly before: string | undefined;
  /** Only items of this team. */
  readonly teamId?: string | undefined;
}

/** The `teamPk` of an item of a team, by which it is in the index `byTeam`. */
export function teamPartition(partition: ListPage['partition'], teamId: string): string {
  return `${partition}#${teamId}`;
}

/**
 * A page of the index `list` of the table of keys, or of its index `byTeam`, newest first. @returns `next`: the `listSk` of its last item if
 * more follow. @throws StoreUnavailable
 */
export async function listNewest(
  client: DynamoClient,
  tableName: string,
  { partition, limit, before, teamId }: ListPage,
): Promise<{ readonly items: readonly Item[]; readonly next: string | undefined }> {
  const isAfter = before !== undefined;
  const read = () =>
    client.send(
      new QueryCommand({
        TableName: tableName,
        IndexName: teamId === undefined ? 'list' : 'byTeam',
        KeyConditionExpression: `#partition = :partition${isAfter ? ' AND #listSk < :before' : ''}`,
        ExpressionAttributeNames: {
          '#partition': teamId === undefined ? 'listPk' : 'teamPk',
          ...(isAfter && { '#listSk': 'listSk' }),
        },
        ExpressionAttributeValues: {
          ':partition': teamId === undefined ? partition : teamPartition(partition, teamId),
          ...(isAfter && { ':before': before }),
        },
        ScanIndexForward: false,
        // One more, so that no page is empty because the one before ended exactly at the end.
        Limit: limit + 1,
      }),
    );
  const { Items = [] } = await reachStore('keys table', read);
  const items = Items.slice(0, limit);
  return { items, next: Items.length > limit ? String(items.at(-1)?.listSk) : undefined };
}
