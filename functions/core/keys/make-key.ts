import { createHash } from 'node:crypto';
import { type AuditDeps, audit, type Caller, OPERATOR } from '../audit/audit-change.ts';
import type { Clock } from '../base/clock.ts';
import { randomHex } from '../base/crypto.ts';
import { type ApiKey, type CreateKey, createKeySchema, toKeyView } from '../model/api-key.ts';
import { type GatewayEvent, type KeyEventData, newEventId } from '../model/events.ts';
import type { KeyHasher, KeyPresence, KeyStore } from './key-store.ts';

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

/** The event stands in the key's own item until it is relayed, and a receiver takes it in one message. */
const MAX_BYTES = 16 * 1024;

type KeyEventType = Extract<GatewayEvent, { type: `key.${string}` }>['type'];

/** That a key was changed, or made. */
export function keyEvent(type: KeyEventType, key: ApiKey, nowMs: number): GatewayEvent {
  return { id: newEventId(), type, created: new Date(nowMs).toISOString(), data: keyEventData(key, nowMs) };
}

/** The key as events tell of it. */
export function keyEventData(key: ApiKey, nowMs: number): KeyEventData {
  const view = toKeyView(key, nowMs);
  const { id, object, name, state } = view;
  return Buffer.byteLength(JSON.stringify(view)) > MAX_BYTES ? { id, object, name, state } : view;
}

interface FirstAdminKeyDeps extends AuditDeps {
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
