import { type AuditDeps, audit, type Caller } from '../audit/audit-change.ts';
import type { Clock } from '../base/clock.ts';
import { randomHex } from '../base/crypto.ts';
import { utf8Length } from '../base/json.ts';
import { type ApiKey, type CreateKey, toKeyView } from '../model/api-key.ts';
import { type GatewayEvent, type KeyEventData, newEventId } from '../model/events.ts';
import type { KeyHasher, KeyStore } from './key-store.ts';

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
  return utf8Length(JSON.stringify(view)) > MAX_BYTES ? { id, object, name, state } : view;
}
