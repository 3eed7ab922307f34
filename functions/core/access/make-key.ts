import { type AuditDeps, audit, type Caller } from '../audit/audit-change.ts';
import { randomHex } from '../crypto/random-hex.ts';
import { keyEvent } from '../events/key-event.ts';
import { type ApiKey, type CreateKey, toKeyView } from '../model/api-key.ts';
import type { Clock } from '../ports/clock.ts';
import type { KeyHasher } from '../ports/key-hasher.ts';
import type { KeyStore } from '../ports/key-store.ts';

/** What a new key has that was agreed on beforehand. */
export interface GivenKey {
  readonly id?: string;
  readonly secret?: string | undefined;
}

/** A new key as it is stored, and its secret. */
export async function makeKey(
  fields: CreateKey,
  hasher: KeyHasher,
  clock: Clock,
  given: GivenKey = {},
): Promise<{ key: ApiKey; secret: string }> {
  const secret = given.secret ?? (await hasher.mint());
  const key: ApiKey = {
    ...fields,
    id: given.id ?? `key_${randomHex(32)}`,
    state: 'active',
    last4: secret.slice(-4),
    createdAt: new Date(clock.now()).toISOString(),
    secretHash: await currentHash(secret, hasher),
  };
  return { key, secret };
}

/** Stores a new key, and tells of it. */
export async function storeKey(
  key: ApiKey,
  caller: Caller,
  deps: AuditDeps & { readonly keys: Pick<KeyStore, 'create'> },
): Promise<void> {
  const after = toKeyView(key, deps.clock.now());
  await audit(caller, { action: 'key.created', target: { type: 'key', id: key.id }, before: null, after }, deps);
  await deps.keys.create(key, keyEvent('key.created', key, deps.clock.now()));
}

/** Under the current pepper. */
export async function currentHash(secret: string, hasher: KeyHasher): Promise<string> {
  const [current] = await hasher.hashes(secret);
  return current;
}
