import { createHash } from 'node:crypto';
import type * as z from 'zod';
import { randomHex } from '../../kernel/crypto/index.ts';
import {
  type ApiKey,
  type CreateKey,
  createKeySchema,
  type GatewayEvent,
  type importedSecretSchema,
  newEventId,
  SYNTHETIC_CHECK_KEY_ID,
  toKeyView,
} from '../../kernel/model/index.ts';
import type { Clock } from '../../kernel/tasks/index.ts';
import { type AuditDeps, audit, type Caller, OPERATOR } from '../audit/index.ts';
import type { KeyHasher, KeyPresence, KeyStore } from './key-store.ts';

/** Parts of a new key that are fixed beforehand. */
export interface GivenKey {
  readonly id?: string;
  readonly secret?: string | undefined;
}

/** A new key in its stored form, and its secret. */
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

/** A key with a secret of another gateway, in its stored form. Its id follows from the secret, so that no two keys can have the same one. */
export async function makeImportedKey(
  fields: CreateKey,
  { sha256, last4 }: z.infer<typeof importedSecretSchema>,
  hasher: KeyHasher,
  clock: Clock,
): Promise<ApiKey> {
  const secretHash = await currentHash(sha256, hasher);
  const { key } = await makeKey(fields, hasher, clock, {
    id: `key_${tokenOf(secretHash).slice(0, 32)}`,
    secret: sha256,
  });
  return { ...key, last4 };
}

/** Stores a new key with its audit record and event. */
export async function storeKey(
  key: ApiKey,
  caller: Caller,
  deps: AuditDeps & { readonly keys: Pick<KeyStore, 'create'> },
): Promise<void> {
  const after = toKeyView(key, deps.clock.now());
  const target = { type: 'key', id: key.id } as const;
  await audit(caller, { action: 'key.created', target, teams: [key.teamId], before: null, after }, deps);
  await deps.keys.create(key, keyEvent('key.created', key, deps.clock.now()));
}

/** Under the current pepper. */
export async function currentHash(secret: string, hasher: KeyHasher): Promise<string> {
  const [current] = await hasher.hashes(secret);
  return current;
}

/** The event is stored in the key's item until it is relayed, and sent in one message. */
const MAX_BYTES = 16 * 1024;

type KeyEventType = Extract<GatewayEvent, { type: `key.${string}` }>['type'];

/** The event of a created or changed key. */
export function keyEvent(type: KeyEventType, key: ApiKey, nowMs: number): GatewayEvent {
  return { id: newEventId(), type, created: new Date(nowMs).toISOString(), data: keyEventData(key, nowMs) };
}

/** The key as events contain it. */
export function keyEventData(key: ApiKey, nowMs: number) {
  const view = toKeyView(key, nowMs);
  const { id, object, name, state } = view;
  return Buffer.byteLength(JSON.stringify(view)) > MAX_BYTES ? { id, object, name, state } : view;
}

export interface DeploymentKeyDeps extends AuditDeps {
  readonly keys: Pick<KeyStore, 'get' | 'create'> & KeyPresence;
  readonly hasher: KeyHasher;
  readonly keeper: SecretKeeper;
}

/**
 * Creates a deployment's first admin key, unless there is any key; its secret is stored only where an operator reads
 * it. Throws StoreUnavailable.
 */
export async function makeFirstAdminKey(requestId: string, deps: DeploymentKeyDeps): Promise<void> {
  const token = tokenOf(requestId);
  const id = `key_${token.slice(0, 32)}`;
  // The list may miss a key that a repetition created; a read by id does not.
  if ((await deps.keys.get(id)) !== undefined || (await deps.keys.any())) return;
  await storeKeptKey(createKeySchema.parse({ name: 'First admin key', permissions: ['admin'] }), id, token, deps);
}

/** No provider has it: the only model that the key of the check may name. */
export const SYNTHETIC_CHECK_MODEL = 'openai/svc-synthetic-check';

/**
 * Creates the API key of the synthetic check, unless it exists; its secret is stored only where the check reads it. The key can call no
 * model that exists. Throws StoreUnavailable.
 */
export async function makeSyntheticCheckKey(requestId: string, deps: DeploymentKeyDeps): Promise<void> {
  if ((await deps.keys.get(SYNTHETIC_CHECK_KEY_ID)) !== undefined) return;
  const fields = createKeySchema.parse({
    name: 'Synthetic check',
    allowedModels: [SYNTHETIC_CHECK_MODEL],
    rateLimit: { requests: 10, period: 'minute' },
    // A refusal would be a 200.
    policy: { onBlock: 'error' },
    tags: { purpose: 'synthetic-check' },
  });
  await storeKeptKey(fields, SYNTHETIC_CHECK_KEY_ID, tokenOf(requestId), deps);
}

/**
 * A repeated request, also while the first one runs, creates one key: the first secret stored under its token wins. The secret is stored
 * before the key, so that no interruption leaves a key with an unknown secret.
 */
async function storeKeptKey(fields: CreateKey, id: string, token: string, deps: DeploymentKeyDeps): Promise<void> {
  const secret = await deps.keeper.keep(token, await deps.hasher.mint());
  const { key } = await makeKey(fields, deps.hasher, deps.clock, { id, secret });
  await storeKey(key, OPERATOR, deps);
}

function tokenOf(requestId: string): string {
  return createHash('sha256').update(requestId).digest('hex');
}

/** Stores the text of a key where its owner reads it. */
export interface SecretKeeper {
  /**
   * Stores `text` under `token` (32 to 64 characters), unless the token is used. Throws StoreUnavailable.
   * @returns what is stored under the token
   */
  keep(token: string, text: string): Promise<string>;
}
