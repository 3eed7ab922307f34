import { type ApiKey, type KeyView, keyState } from '../model/api-key.ts';
import type { KeyPage, KeyStore, StoredKey } from './key-store.ts';

/** Which keys are looked for; all that is given must fit. */
export interface KeyFilter {
  /** Stands in the name, whatever the case; or is the id, or how the secret ends. */
  readonly search?: string | undefined;
  readonly environment?: KeyView['environment'] | undefined;
  readonly state?: KeyView['state'] | undefined;
}

/** So many keys are looked at for one page, where few of them fit: the page then holds less than asked for. */
const MAX_LOOKED_AT = 1_000;
const READ_AT_ONCE = 100;

/** Keys that fit, newest first, from after `cursor` on. An unreadable cursor is a GatewayError `invalid_value`. */
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

function fits(key: ApiKey, { search, environment, state }: KeyFilter, nowMs: number): boolean {
  return (
    (environment === undefined || key.environment === environment) &&
    (state === undefined || keyState(key, nowMs) === state) &&
    (search === undefined || isNamed(key, search))
  );
}

function isNamed({ name, id, last4 }: ApiKey, search: string): boolean {
  return name.toLowerCase().includes(search.toLowerCase()) || id === search || last4 === search;
}
