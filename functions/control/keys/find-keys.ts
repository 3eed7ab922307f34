import { createHash } from 'node:crypto';
import { type ApiKey, type KeyView, keyState } from '../../kernel/model/index.ts';
import type { Clock } from '../../kernel/tasks/index.ts';
import type { KeyExpiryStore, KeyPage, KeyStore, StoredKey } from './key-store.ts';
import { keyEventData } from './make-key.ts';

/** Which keys to find; all given members must match. */
export interface KeyFilter {
  /** A part of the name in any case, the id, or the last four characters of the secret. */
  readonly search?: string | undefined;
  readonly environment?: KeyView['environment'] | undefined;
  readonly state?: KeyView['state'] | undefined;
  readonly teamId?: string | undefined;
}

/** A page reads at most this many keys; where few match it returns fewer than requested. */
const MAX_LOOKED_AT = 1_000;
const READ_AT_ONCE = 100;

/** Matching keys after `cursor`, newest first. An unreadable cursor is a GatewayError `invalid_value`. */
export async function findKeys(
  filter: KeyFilter,
  limit: number,
  cursor: string | undefined,
  store: Pick<KeyStore, 'list' | 'cursorAfter'>,
  nowMs: number,
): Promise<KeyPage> {
  if (Object.values(filter).every((wanted) => wanted === undefined)) return store.list(limit, cursor);
  const keys: StoredKey[] = [];
  let from = cursor;
  for (let lookedAt = 0; lookedAt < MAX_LOOKED_AT; lookedAt += READ_AT_ONCE) {
    const page = await store.list(READ_AT_ONCE, from);
    for (const [at, stored] of page.keys.entries()) {
      if (!fits(stored.key, filter, nowMs)) continue;
      keys.push(stored);
      if (keys.length < limit) continue;
      const isLast = at === page.keys.length - 1 && page.nextCursor === undefined;
      return isLast ? { keys } : { keys, nextCursor: store.cursorAfter(stored.key) };
    }
    if (page.nextCursor === undefined) return { keys };
    from = page.nextCursor;
  }
  return from === undefined ? { keys } : { keys, nextCursor: from };
}

/** Whether a key matches. */
export function fits(key: ApiKey, { search, environment, state, teamId }: KeyFilter, nowMs: number): boolean {
  return (
    (teamId === undefined || key.teamId === teamId) &&
    (environment === undefined || key.environment === environment) &&
    (state === undefined || keyState(key, nowMs) === state) &&
    (search === undefined || isNamed(key, search))
  );
}

function isNamed({ name, id, last4 }: ApiKey, search: string): boolean {
  return name.toLowerCase().includes(search.toLowerCase()) || id === search || last4 === search;
}

/** How long before its expiry a key is reported. */
const NOTICE_MS = 7 * 86_400_000;
const PAGE = 100;

interface ExpiringKeysDeps {
  readonly keys: Pick<KeyStore, 'list'> & KeyExpiryStore;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Emits `key.expiring` for each active key that expires within a week, once for each `expiresAt`: the event is in the
 * write that records the report.
 * @returns how many were reported
 * @throws StoreUnavailable: earlier reports are recorded, the others follow next time
 */
export async function reportExpiringKeys({ keys, clock }: ExpiringKeysDeps): Promise<number> {
  let reported = 0;
  let cursor: string | undefined;
  do {
    const page = await keys.list(PAGE, cursor);
    for (const { key, expiryTold } of page.keys) {
      const now = clock.now();
      if (key.expiresAt === null || key.expiresAt === expiryTold || !isExpiring(key, now)) continue;
      const [id, created] = [eventIdOf(key.id, key.expiresAt), new Date(now).toISOString()];
      const event = { id, type: 'key.expiring', created, data: keyEventData(key, now) } as const;
      if (await keys.emitExpiryEvent(key, key.expiresAt, event)) reported += 1;
    }
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return reported;
}

function isExpiring(key: ApiKey, nowMs: number): boolean {
  return keyState(key, nowMs) === 'active' && Date.parse(key.expiresAt ?? '') - nowMs <= NOTICE_MS;
}

function eventIdOf(keyId: string, expiresAt: string): string {
  return `evt_${createHash('sha256').update(`${keyId} expires ${expiresAt}`).digest('hex').slice(0, 32)}`;
}
