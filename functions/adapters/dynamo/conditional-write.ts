import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { READING } from '../aws/clients.ts';
import type { Item } from './dynamo-item.ts';
import { reachStore } from './reach-store.ts';

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
