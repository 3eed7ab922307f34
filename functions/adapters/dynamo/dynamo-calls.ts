import { type AttributeValue, ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { StoreUnavailable } from '../../kernel/errors/index.ts';
import { type DynamoClient, UNMARSHALL_OPTIONS } from '../aws/clients.ts';
import { reachStore } from '../aws/reach-store.ts';

/** An item of the document client. Each store casts it to its own item type once. */
export type Item = Record<string, unknown>;

/** Whether an item is still valid: DynamoDB deletes expired items within days, an embedded store never does. */
export function isLive({ expiresAt }: { readonly expiresAt?: unknown }, nowMs: number): boolean {
  return typeof expiresAt !== 'number' || expiresAt * 1000 > nowMs;
}

/** An item in a DynamoDB stream: https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html */
export type StreamItem = Readonly<Record<string, AttributeValue>>;

/** A stream's item in the document client's form. @throws if a number is beyond 2^53 */
export function fromStream(item: StreamItem): Item {
  return unmarshall(item);
}

export type WriteOutcome<T> =
  | { readonly ok: true; readonly answer: T }
  /** The condition failed; `old` is the current item, if the store returns it. */
  | { readonly ok: false; readonly old: Item | undefined };

/** Result of a conditional write. `store` as in reachStore: `keys table`. @throws StoreUnavailable if the store does not respond */
export async function tryWrite<T extends object>(store: string, write: () => Promise<T>): Promise<WriteOutcome<T>> {
  try {
    return { ok: true, answer: await reachStore(store, write, isConflict) };
  } catch (error) {
    // The document client does not convert the items of errors.
    if (isConflict(error)) return { ok: false, old: error.Item && unmarshall(error.Item, UNMARSHALL_OPTIONS) };
    throw error;
  }
}

/** The result of a conditional write; undefined if the condition failed. */
export async function writeIf<T extends object>(store: string, write: () => Promise<T>): Promise<T | undefined> {
  const outcome = await tryWrite(store, write);
  return outcome.ok ? outcome.answer : undefined;
}

/** Whether a conditional write was made. */
export async function isWritten(store: string, write: () => Promise<object>): Promise<boolean> {
  return (await tryWrite(store, write)).ok;
}

function isConflict(error: unknown): error is ConditionalCheckFailedException {
  return error instanceof ConditionalCheckFailedException;
}

/** A call returns at most 16 MB, and less while the table is throttled: missing items are requested again. */
const MAX_ROUNDS = 8;
const PAUSE_MS = 25;

/**
 * The current items of these partition keys (`pk`; at most 100, all different), by key. @throws StoreUnavailable if the table keeps
 * omitting some
 */
export async function batchGet(
  client: DynamoClient,
  tableName: string,
  pks: readonly string[],
): Promise<ReadonlyMap<string, Item>> {
  const found = new Map<string, Item>();
  let keys: Item[] = pks.map((pk) => ({ pk }));
  for (let round = 1; keys.length > 0; round += 1) {
    if (round > MAX_ROUNDS) throw new StoreUnavailable(`${tableName} table: items omitted too often`);
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
 * Writes up to 25 items in one attempt. A batch has no condition: a late retry would overwrite later changes of the items. @param client
 * tries once @returns whether all are known to be stored; if not, any of them may be
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

/** The items in order, in batches of at most this size. */
export function inBatches<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));
}
