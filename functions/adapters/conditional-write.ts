import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { reachStore } from './aws-clients.ts';

/**
 * What a write answers whose condition may fail; undefined where it does. `store` as for reachStore: `keys table`.
 * @throws StoreUnavailable where the store is out of reach
 */
export async function writeIf<T extends object>(store: string, write: () => Promise<T>): Promise<T | undefined> {
  try {
    return await reachStore(store, write, isConflict);
  } catch (error) {
    if (isConflict(error)) return undefined;
    throw error;
  }
}

/** The same, where only whether it was made counts. */
export async function isWritten(store: string, write: () => Promise<object>): Promise<boolean> {
  return (await writeIf(store, write)) !== undefined;
}

function isConflict(error: unknown): boolean {
  return error instanceof ConditionalCheckFailedException;
}
