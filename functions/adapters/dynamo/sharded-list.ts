import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { DynamoClient } from '../aws/clients.ts';
import { reachStore } from '../aws/reach-store.ts';
import type { Item } from './dynamo-calls.ts';

/** Sort before and after every time. */
const FIRST = '0';
const LAST = '9';

/**
 * Number of partitions for lists that every request may add to, since a partition takes 1,000 writes a second. Lists of a key or an end
 * user too: one of them may cause all traffic.
 */
export const LIST_SHARDS = 8;

/**
 * The partitions of the lists of records since a time (ISO 8601), in order of time; before the first, LIST_SHARDS. A record belongs to those of
 * the time of its request, so every process that knows an entry before its time writes to and reads from the same ones: lists grow without a moment
 * at which a record is not found. Times are compared as text, by all processes alike.
 */
export type Shards = readonly { readonly from: string; readonly count: number }[];

/** How many partitions a list has at a time. */
export function shardsAt(shards: Shards, time: string): number {
  return shards.findLast(({ from }) => from <= time)?.count ?? LIST_SHARDS;
}

/** The most partitions that a list has between two times; without them, ever. */
export function mostShards(shards: Shards, from = FIRST, to = LAST): number {
  const later = shards.filter((entry) => entry.from > from && entry.from < to);
  return Math.max(shardsAt(shards, from), ...later.map(({ count }) => count));
}

/** The partition key of a list's shard. */
export function partitionOf(list: string, shard: number): string {
  return `${shard}#${list}`;
}

/** The location of a list and the range of sort keys to read. */
export interface ListQuery {
  readonly tableName: string;
  /** The table itself if absent. */
  readonly index?: string | undefined;
  readonly partitionKey: string;
  readonly sortKey: string;
  readonly list: string;
  /** Sort keys: from (inclusive) and to (exclusive). */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** The last sort key of the previous page. */
  readonly after?: string | undefined;
  readonly limit: number;
  /** Its partitions; LIST_SHARDS if absent. */
  readonly shards?: number;
}

/** A page of a list, highest sort keys first. `next` is its last sort key; undefined if it is the last page. */
interface ListPage {
  readonly items: readonly Item[];
  readonly next: string | undefined;
  /** Items that DynamoDB read for it. */
  readonly read: number;
}

/** Items read from each partition beyond its share of a page, so that an uneven spread seldom shortens the page. */
const SPARE_ITEMS = 5;

/** Reads a list as if it were in one partition, in as few rounds as fill the page. */
export async function readList(client: DynamoClient, query: ListQuery): Promise<ListPage> {
  const items: Item[] = [];
  let read = 0;
  let after = query.after;
  for (;;) {
    const page = await readRound(client, { ...query, after, limit: query.limit - items.length });
    items.push(...page.items);
    read += page.read;
    const isDone = items.length >= query.limit || page.next === undefined || page.next === after;
    if (isDone) return { items, next: page.next, read };
    after = page.next;
  }
}

/** May return fewer items than requested although more follow. */
async function readRound(client: DynamoClient, query: ListQuery): Promise<ListPage> {
  const upTo = [query.to ?? LAST, query.after ?? LAST].sort()[0] as string;
  const from = query.from ?? FIRST;
  // DynamoDB refuses a range that ends before it begins.
  if (from > upTo) return { items: [], next: undefined, read: 0 };
  const parts = await Promise.all(
    Array.from({ length: query.shards ?? LIST_SHARDS }, (_, shard) => readPart(client, query, shard, from, upTo)),
  );
  const sortOf = (item: Item) => item[query.sortKey] as string;
  // In a partially read partition, items beyond the last one read are unknown, and may sort in between.
  const known = parts.reduce((latest, { cutAt }) => (cutAt > latest ? cutAt : latest), '');
  const items = parts
    .flatMap((part) => part.items)
    .filter((item) => sortOf(item) >= known)
    .sort((a, b) => (sortOf(a) < sortOf(b) ? 1 : -1));
  const taken = items.slice(0, query.limit);
  const last = taken.at(-1);
  const more = known !== '' || items.length > taken.length;
  const read = parts.reduce((sum, part) => sum + part.read, 0);
  return { items: taken, next: more ? (last === undefined ? known : sortOf(last)) : undefined, read };
}

async function readPart(
  client: DynamoClient,
  { tableName, index, partitionKey, sortKey, list, limit, shards = LIST_SHARDS }: ListQuery,
  shard: number,
  from: string,
  upTo: string,
): Promise<{ items: readonly Item[]; cutAt: string; read: number }> {
  const read = () =>
    client.send(
      new QueryCommand({
        TableName: tableName,
        IndexName: index,
        KeyConditionExpression: '#partition = :partition AND #sort BETWEEN :from AND :upTo',
        ExpressionAttributeNames: { '#partition': partitionKey, '#sort': sortKey },
        ExpressionAttributeValues: { ':partition': partitionOf(list, shard), ':from': from, ':upTo': upTo },
        ScanIndexForward: false,
        Limit: Math.ceil(limit / shards) + SPARE_ITEMS,
      }),
    );
  const { Items = [], LastEvaluatedKey } = await reachStore(`${tableName} table`, read);
  const items = Items.filter((item) => item[sortKey] < upTo);
  return { items, cutAt: LastEvaluatedKey?.[sortKey] ?? '', read: Items.length };
}
