import type { ApiKey } from '../../kernel/model/index.ts';
import type { Clock } from '../../kernel/tasks/index.ts';
import { type ImportedSecretsStore, moveImportedSecrets } from './imported-secrets.ts';
import type { KeyHasher, KeyStore } from './key-store.ts';

const LIST_PAGE = 100;

export interface Rehashed {
  readonly moved: number;
  /** Keys that already use the current pepper. */
  readonly current: number;
  /** Keys not used since the current pepper was set: without the older one they would be lost. */
  readonly behind: readonly ApiKey[];
}

/**
 * Moves keys to the current pepper if their secret was presented since it was set, since only then the new hash is known. Revoked keys are
 * not moved. A key that is changed concurrently is left for the next run, and so are all others if a run is stopped.
 */
export async function rehashKeys(
  keys: Pick<KeyStore, 'list' | 'replace'>,
  hasher: Pick<KeyHasher, 'pepperId'>,
  importedSecrets: ImportedSecretsStore,
  clock: Clock,
): Promise<Rehashed> {
  const prefix = `${await hasher.pepperId()}.`;
  const behind: ApiKey[] = [];
  let moved = 0;
  let current = 0;
  let cursor: string | undefined;
  do {
    const page = await keys.list(LIST_PAGE, cursor);
    const moves = page.keys.flatMap(({ key: { state, secretHash: from }, seenHash: to }) =>
      state !== 'revoked' && !from.startsWith(prefix) && to?.startsWith(prefix) ? [{ from, to }] : [],
    );
    await moveImportedSecrets(moves, importedSecrets, clock);
    for (const stored of page.keys) {
      const { key, seenHash } = stored;
      if (key.state === 'revoked') continue;
      if (key.secretHash.startsWith(prefix)) current += 1;
      else if (seenHash?.startsWith(prefix) && (await keys.replace(stored, { ...key, secretHash: seenHash })))
        moved += 1;
      else behind.push(key);
    }
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return { moved, current, behind };
}
