import { type AttributeValue, ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { StoreUnavailable } from '../../core/base/errors.ts';
import { type DynamoClient, READING } from '../aws/clients.ts';
import { reachStore } from '../aws/reach-store.ts';

/** An item as the document client gives and takes it. Each store casts what it reads to its own item type, once. */
export type Item = Record<string, unknown>;

/** Whether an item still counts: DynamoDB deletes what has expired within days, an embedded store never. */
export function isLive({ expiresAt }: { readonly expiresAt?: unknown }, nowMs: number): boolean {
  return typeof expiresAt !== 'number' || expiresAt * 1000 > nowMs;
}

/** An item as DynamoDB's streams have it: https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html */
export type StreamItem = Readonly<Record<string, AttributeValue>>;

/** The item of a stream as the document client would give it. @throws where a number is beyond 2^53 */
export function fromStream(item: StreamItem): Item {
  return unmarshall(item);
}

export type WriteOutcome<T> =
  | { readonly ok: true; readonly answer: T }
  /** The condition failed; `old` is the item as it stands, where the store tells it. */
  | { readonly ok: false; readonly old: Item | undefined };

/**
 * What comes of a write whose condition may fail. `store` as for reachStore: `keys table`.
 * @throws StoreUnavailable where the store is out of reach
 */
export async function tryWrite<T extends object>(store: string, write: () => Promise<T>): Promise<WriteOutcome<T>> {
  try {
    return { ok: true, answer: await reachStore(store, write, isConflict) };
  } catch (error) {
    // The document client does not convert the items of errors.
    if (isConflict(error)) return { ok: false, old: error.Item && unmarshall(error.Item, READING) };
    throw error;
  }
}

/** What the write answers; undefined where its condition fails. */
export async function writeIf<T extends object>(store: string, write: () => Promise<T>): Promise<T | undefined> {
  const outcome = await tryWrite(store, write);
  return outcome.ok ? outcome.answer : undefined;
}

/** The same, where only whether it was made counts. */
export async function isWritten(store: string, write: () => Promise<object>): Promise<boolean> {
  return (await tryWrite(store, write)).ok;
}

function isConflict(error: unknown): error is ConditionalCheckFailedException {
  return error instanceof ConditionalCheckFailedException;
}

/** A call gives at most 16 MB, and less where the table is throttled: what it leaves out is asked for again. */
const MAX_ROUNDS = 8;
const PAUSE_MS = 25;

/**
 * The items of these partition keys (`pk`; at most 100, no two alike) as they stand now, by their keys.
 * @throws StoreUnavailable also where the table keeps leaving some out
 */
export async function batchGet(
  client: DynamoClient,
  tableName: string,
  pks: readonly string[],
): Promise<ReadonlyMap<string, Item>> {
  const found = new Map<string, Item>();
  let keys: Item[] = pks.map((pk) => ({ pk }));
  for (let round = 1; keys.length > 0; round += 1) {
    if (round > MAX_ROUNDS) throw new StoreUnavailable(`${tableName} table: items left out again and again`);
    if (round > 1) await new Promise((resolve) => setTimeout(resolve, Math.random() * PAUSE_MS * 2 ** round));
    const read = () =>
      client.send(new BatchGetCommand({ RequestItems: { [tableName]: { Keys: keys, ConsistentRead: true } } }));
    const { Responses, UnprocessedKeys } = await reachStore(`${tableName} table`, read);
    for (const item of Responses?.[tableName] ?? []) found.set(item.pk, item);
    keys = UnprocessedKeys?.[tableName]?.Keys ?? [];
  }
  return found;
}

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
