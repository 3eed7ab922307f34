import type * as z from 'zod';
import { analyticsOperations, type KeyList, keyOperations } from '../../contract/index.ts';
import { ceilTo, DAY_MS, summarize } from '../../control/analytics/index.ts';
import { audit, auditVoid, changedFields } from '../../control/audit/index.ts';
import {
  addImportedSecret,
  currentHash,
  endImportedSecrets,
  findKeys,
  keyEvent,
  makeImportedKey,
  makeKey,
  sortedKeys,
  storeKey,
} from '../../control/keys/index.ts';
import { checkPolicy, checkToolTests } from '../../inspection/index.ts';
import { GatewayError, StoreUnavailable } from '../../kernel/errors/index.ts';
import type { RoutedRequest } from '../../kernel/http/index.ts';
import {
  type ApiKey,
  acceptedSecrets,
  isPermitted,
  type KeyView,
  keyState,
  toKeyView,
  type UpdateKey,
} from '../../kernel/model/index.ts';
import { inParallel } from '../../kernel/tasks/index.ts';
import { requirePermission } from '../access.ts';
import type { AdminDeps } from '../admin-deps.ts';
import { requireAuthority } from '../authority.ts';
import { ownUsageOf, usageOf } from '../key-usage.ts';
import type { Handlers } from '../operation-routes.ts';
import { checkTeam } from '../team-keys.ts';

/** Previous secrets that a rotation keeps. Beyond that, the oldest ends before its grace period. */
const MAX_RETIRED = 5;
/** Concurrent changes of one key by administrators are few. */
const MAX_CONFLICTS = 5;
const LIST_PAGE = 100;
const USAGE_DAYS = 30;
const READS_AT_ONCE = 16;

/** Creates, lists, changes, rotates and revokes keys; each change is in the audit log. */
export const KEY_HANDLERS: Handlers<typeof keyOperations, AdminDeps> = {
  async listKeys({ query: { limit, cursor, include, sort, order, ...filter }, caller, routed }, deps) {
    const needsTotals = include === 'usage' || BY_TOTALS.has(sort);
    if (needsTotals) await requirePermission(routed, analyticsOperations.getSummary, deps);
    const now = deps.clock.now();
    const page =
      sort === undefined
        ? await findKeys(filter, limit, cursor, deps.keys, now)
        : await sortedKeys(
            filter,
            { sort, order },
            { limit, cursor },
            deps.keys,
            BY_TOTALS.has(sort) ? await totalsByKey(caller.teamId, deps) : new Map(),
            now,
          );
    const views = page.keys.map(({ key }) => toKeyView(key, deps.clock.now()));
    return {
      object: 'list',
      data: include === 'usage' ? await withUsage(views, deps) : views,
      nextCursor: page.nextCursor ?? null,
    };
  },
  createKey: {
    check: checkKeyPolicy,
    async handle({ body: given, caller }, deps) {
      const body = { ...given, teamId: given.teamId ?? caller.teamId ?? null };
      requireAuthority(caller.authority, undefined, body);
      if (caller.teamId !== undefined) checkOwnersFields({ ...NEW_KEY, teamId: caller.teamId }, body);
      await checkToolTests(body.policy, ['policy']);
      const { maxConcurrent = deps.deployment.defaultMaxConcurrent } = body;
      const { key, secret } = await makeKey({ ...body, maxConcurrent }, deps.hasher, deps.clock);
      await checkTeam(undefined, key, deps);
      await storeKey(key, caller, deps);
      return { ...toKeyView(key, deps.clock.now()), key: secret };
    },
  },
  importKey: {
    check: checkKeyPolicy,
    async handle({ body: { importedSecret, state, ...body }, caller }, deps) {
      requireAuthority(caller.authority, undefined, body);
      await checkToolTests(body.policy, ['policy']);
      const { maxConcurrent = deps.deployment.defaultMaxConcurrent } = body;
      const made = await makeImportedKey({ ...body, maxConcurrent }, importedSecret, deps.hasher, deps.clock);
      const key = { ...made, state };
      const hashes = await deps.hasher.hashes(importedSecret.sha256);
      if ((await deps.keys.get(key.id)) !== undefined || (await deps.keys.find(hashes)) !== undefined) {
        throw new GatewayError('conflict', 'A key here has or had this secret.', { param: 'importedSecret' });
      }
      await checkTeam(undefined, key, deps);
      // First: a digest without a key only costs a look-up.
      await addImportedSecret(key.secretHash, deps.importedSecrets, deps.clock);
      await storeKey(key, caller, deps);
      return toKeyView(key, deps.clock.now());
    },
  },
  async getKey({ params }, deps) {
    const stored = await deps.keys.get(params.id);
    if (!stored) throw keyNotFound();
    return toKeyView(stored.key, deps.clock.now());
  },
  updateKey: {
    check: checkKeyPolicy,
    async handle({ params, body, caller, routed }, deps) {
      await checkToolTests(body.policy, ['policy']);
      // An absent field is not in the parsed changes, so it stays unchanged.
      const change = async (key: ApiKey): Promise<ApiKey> => {
        const changed: ApiKey = { ...key, ...(body as Partial<ApiKey>) };
        if (caller.teamId !== undefined) checkOwnersFields(key, changed);
        await checkTeam(key, changed, deps);
        return changed;
      };
      return toKeyView(await changeKey(params.id, routed, 'key.updated', change, deps), deps.clock.now());
    },
  },
  /** Idempotent. */
  async revokeKey({ params, routed }, deps) {
    const stored = await deps.keys.get(params.id);
    if (stored === undefined) throw keyNotFound();
    if (stored.key.state === 'revoked') return toKeyView(stored.key, deps.clock.now());
    const revoke = (key: ApiKey): ApiKey => ({ ...key, state: 'revoked', retiredSecrets: [] });
    return toKeyView(await changeKey(params.id, routed, 'key.revoked', revoke, deps), deps.clock.now());
  },
  async rotateKey({ params, body, routed }, deps) {
    let secret = '';
    const rotate = async (key: ApiKey): Promise<ApiKey> => {
      secret = await deps.hasher.mint();
      const secretHash = await currentHash(secret, deps.hasher);
      const retiredSecrets = retired(key, body.graceSeconds, deps.clock.now());
      return { ...key, secretHash, last4: secret.slice(-4), retiredSecrets };
    };
    const key = await changeKey(params.id, routed, 'key.rotated', rotate, deps);
    return { ...toKeyView(key, deps.clock.now()), key: secret };
  },
  async getKeyUsage({ params }, deps) {
    const stored = await deps.keys.get(params.id);
    if (!stored) throw keyNotFound();
    return usageOf(stored.key, deps);
  },
};

/** What stays with administrators: what inspection, shared budgets and other teams depend on. */
const ADMINISTERED = ['policy', 'tags', 'credentialId', 'onStoreFailure', 'teamId'] as const;

const NEW_KEY = { policy: {}, tags: {}, credentialId: null, onStoreFailure: 'closed' } as const;

/** @throws GatewayError `insufficient_permissions` for a field that owners of a team cannot set */
function checkOwnersFields(before: OwnersKey, after: OwnersKey): void {
  const isSame = (field: keyof OwnersKey) => JSON.stringify(before[field]) === JSON.stringify(after[field]);
  const changed = ADMINISTERED.find((field) => !isSame(field));
  if (changed === undefined) return;
  const message = `Only an administrator can set '${changed}' of a key.`;
  throw new GatewayError('insufficient_permissions', message, { param: changed });
}

type OwnersKey = Partial<Pick<ApiKey, (typeof ADMINISTERED)[number]>>;

function checkKeyPolicy({ policy }: Pick<UpdateKey, 'policy'>, context: z.RefinementCtx): void {
  checkPolicy(policy, context, ['policy']);
}

/** Orders that need totals. */
const BY_TOTALS: ReadonlySet<string | undefined> = new Set(['requests', 'spend']);

/** The last 30 UTC days. */
function usageRange({ clock }: AdminDeps): { readonly fromMs: number; readonly toMs: number } {
  const toMs = ceilTo(clock.now(), 'day');
  return { fromMs: toMs - USAGE_DAYS * DAY_MS, toMs };
}

/** The totals of all keys with requests, or of those of a team. */
async function totalsByKey(teamId: string | undefined, deps: AdminDeps) {
  const query = { ...usageRange(deps), groupBy: 'keyId', teamId } as const;
  const { groups = [] } = await summarize(query, deps.aggregates);
  return new Map(groups.map(({ group, requests, costUsd }) => [group ?? '', { requests, costUsd }]));
}

type Listed = KeyList['data'][number];

/** Adds each key's totals of the last 30 UTC days, and its limits: a query and a read a key, at most a page of them. */
async function withUsage(keys: readonly KeyView[], deps: AdminDeps): Promise<KeyList['data']> {
  const range = usageRange(deps);
  const known = new Map<string, Pick<Listed, 'usage' | 'limits'>>();
  try {
    await inParallel(keys, READS_AT_ONCE, async (key) => {
      const [figures, { at: _, ...limits }] = await Promise.all([
        summarize({ ...range, keyId: key.id }, deps.aggregates),
        ownUsageOf(key, deps),
      ]);
      const { requests, blocked, costUsd, unpriced, partlyPriced } = figures;
      known.set(key.id, { usage: { requests, blocked, costUsd, unpriced, partlyPriced }, limits });
    });
  } catch (error) {
    // The keys themselves are shown without their totals.
    if (!(error instanceof StoreUnavailable)) throw error;
    return keys.map((key) => ({ ...key, usage: null, limits: null }));
  }
  return keys.map((key) => ({ ...key, ...known.get(key.id) }));
}

/** The secrets before the new one, none valid for longer than the grace period. */
function retired(key: ApiKey, graceSeconds: number, nowMs: number): NonNullable<ApiKey['retiredSecrets']> {
  const validUntil = new Date(nowMs + graceSeconds * 1000).toISOString();
  const all = [...acceptedSecrets(key, nowMs), { hash: key.secretHash, last4: key.last4, validUntil }];
  return all
    .map((secret) => (secret.validUntil < validUntil ? secret : { ...secret, validUntil }))
    .filter((secret) => nowMs < Date.parse(secret.validUntil))
    .slice(-MAX_RETIRED);
}

/**
 * Replaces a key with the result of `change` and stores the event. After a concurrent change it begins again, the
 * caller's authority included. @throws GatewayError `not_found` for a missing or revoked key; `insufficient_permissions`; `conflict` if
 * the last admin key would be lost
 */
async function changeKey(
  id: string,
  routed: RoutedRequest,
  action: 'key.updated' | 'key.rotated' | 'key.revoked',
  change: (key: ApiKey) => ApiKey | Promise<ApiKey>,
  deps: AdminDeps,
): Promise<ApiKey> {
  for (let attempt = 1; attempt <= MAX_CONFLICTS; attempt += 1) {
    const caller = await requirePermission(routed, keyOperations.updateKey, deps);
    const stored = await deps.keys.get(id);
    if (stored === undefined || stored.key.state === 'revoked') throw keyNotFound();
    const changed = await change(stored.key);
    const now = deps.clock.now();
    const isRevived = keyState(stored.key, now) !== 'active' && keyState(changed, now) === 'active';
    requireAuthority(caller.authority, isRevived || action === 'key.rotated' ? undefined : stored.key, changed);
    await keepAnAdmin(stored.key, changed, deps);
    const difference = changedFields(toKeyView(stored.key, now), toKeyView(changed, now));
    const teams = [stored.key.teamId, changed.teamId];
    const entry = await audit(caller, { action, target: { type: 'key', id }, teams, ...difference }, deps);
    if (await deps.keys.replace(stored, changed, keyEvent(action, changed, now))) {
      // A digest that stays only costs a look-up.
      if (action !== 'key.updated')
        await endImportedSecrets(stored.key, changed, deps.importedSecrets, deps.clock).catch(() => {});
      return changed;
    }
    await auditVoid(caller, entry, deps);
  }
  throw new GatewayError('conflict', 'The key is being changed by others. Try again.');
}

/** Keeps an active admin key: without one, access to the deployment itself would be needed. */
async function keepAnAdmin(before: ApiKey, after: ApiKey, { keys, clock }: AdminDeps): Promise<void> {
  const isAdmin = (key: ApiKey) => keyState(key, clock.now()) === 'active' && isPermitted(key, 'admin');
  if (!isAdmin(before) || isAdmin(after)) return;
  let cursor: string | undefined;
  do {
    const page = await keys.list(LIST_PAGE, cursor);
    if (page.keys.some(({ key }) => key.id !== before.id && isAdmin(key))) return;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  const message = 'This is the last active key with the permission admin. Create another one first.';
  throw new GatewayError('conflict', message);
}

function keyNotFound(): GatewayError {
  return new GatewayError('not_found', 'There is no such key, or it is revoked.');
}
