import { createHash } from 'node:crypto';
import { type AuditDeps, OPERATOR } from '../audit/audit-change.ts';
import { createKeySchema } from '../model/api-key.ts';
import type { KeyHasher, KeyPresence, KeyStore } from './key-store.ts';
import { makeKey, storeKey } from './make-key.ts';

export interface FirstAdminKeyDeps extends AuditDeps {
  readonly keys: Pick<KeyStore, 'get' | 'create'> & KeyPresence;
  readonly hasher: KeyHasher;
  readonly keeper: SecretKeeper;
}

/**
 * Makes a deployment's first admin key, unless it has any key; its text is kept where an operator reads it, and nowhere else.
 * A request that is repeated, even while it still runs, makes one key: the first text that is kept under its token is the key's.
 * The text is kept before the key is there, so that no cut between the two leaves a key that nobody knows. Throws StoreUnavailable.
 */
export async function makeFirstAdminKey(requestId: string, deps: FirstAdminKeyDeps): Promise<void> {
  const token = createHash('sha256').update(requestId).digest('hex');
  const id = `key_${token.slice(0, 32)}`;
  // The list may lag behind a repetition; the key's own name does not.
  if ((await deps.keys.get(id)) !== undefined || (await deps.keys.any())) return;
  const secret = await deps.keeper.keep(token, await deps.hasher.mint());
  const fields = createKeySchema.parse({ name: 'First admin key', permissions: ['admin'] });
  const { key } = await makeKey(fields, deps.hasher, deps.clock, { id, secret });
  await storeKey(key, OPERATOR, deps);
}

/** Where a text is put that an operator reads. */
export interface SecretKeeper {
  /**
   * Keeps `text` under `token` (32 to 64 characters), unless something was kept under it before. Throws StoreUnavailable.
   * @returns what is kept under the token: `text`, or what stood there
   */
  keep(token: string, text: string): Promise<string>;
}
