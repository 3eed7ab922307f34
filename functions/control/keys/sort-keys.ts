import { GatewayError } from '../../kernel/errors/index.ts';
import type { ApiKey } from '../../kernel/model/index.ts';
import { fits, type KeyFilter } from './find-keys.ts';
import type { KeyStore, StoredKey } from './key-store.ts';

export interface KeyOrder {
  readonly sort: 'created' | 'name' | 'lastUsed' | 'expires' | 'requests' | 'spend';
  readonly order: 'asc' | 'desc';
}

/** The figures of a key with requests. `costUsd` is null if no price is known. */
interface KeyFigures {
  readonly requests: number;
  readonly costUsd: number | null;
}

const NO_FIGURES: KeyFigures = { requests: 0, costUsd: 0 };
/** All keys are read for each page. */
const MAX_SORTED = 10_000;
const READ_AT_ONCE = 100;

interface SortedPage {
  readonly keys: readonly StoredKey[];
  /** The id of the last key. */
  readonly nextCursor?: string;
}

/**
 * Matching keys in an order, those without a value last. The cursor is the id of the last key of the page before: its place is looked up
 * again, also where the key no longer matches.
 * @throws GatewayError `invalid_value` for an unknown cursor, and if there are too many keys to sort
 */
export async function sortedKeys(
  filter: KeyFilter,
  by: KeyOrder,
  { limit, cursor }: { readonly limit: number; readonly cursor: string | undefined },
  store: Pick<KeyStore, 'list'>,
  figures: ReadonlyMap<string, KeyFigures>,
  nowMs: number,
): Promise<SortedPage> {
  const all = (await readAll(store)).sort((a, b) => compare(a.key, b.key, by, figures));
  const from = cursor === undefined ? 0 : all.findIndex(({ key }) => key.id === cursor) + 1;
  if (cursor !== undefined && from === 0) {
    throw new GatewayError('invalid_value', "'cursor' is not a cursor from an earlier page.", { param: 'cursor' });
  }
  const rest = all.slice(from).filter(({ key }) => fits(key, filter, nowMs));
  const keys = rest.slice(0, limit);
  const last = keys.at(-1);
  return last === undefined || rest.length === keys.length ? { keys } : { keys, nextCursor: last.key.id };
}

async function readAll(store: Pick<KeyStore, 'list'>): Promise<StoredKey[]> {
  const all: StoredKey[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.list(READ_AT_ONCE, cursor);
    all.push(...page.keys);
    cursor = page.nextCursor;
    if (all.length > MAX_SORTED) {
      const message = `'sort': there are more than ${MAX_SORTED} keys. List them without it.`;
      throw new GatewayError('invalid_value', message, { param: 'sort' });
    }
  } while (cursor !== undefined);
  return all;
}

function compare(a: ApiKey, b: ApiKey, { sort, order }: KeyOrder, figures: ReadonlyMap<string, KeyFigures>): number {
  const [first, second] = [sortValue(a, sort, figures), sortValue(b, sort, figures)];
  if (first === second) return compareTexts(a.id, b.id);
  if (first === null || second === null) return first === null ? 1 : -1;
  const ascending =
    typeof first === 'number' && typeof second === 'number'
      ? first - second
      : compareTexts(String(first), String(second));
  return order === 'asc' ? ascending : -ascending;
}

function sortValue(
  { id, name, createdAt, lastUsedAt, expiresAt }: ApiKey,
  sort: KeyOrder['sort'],
  figures: ReadonlyMap<string, KeyFigures>,
): string | number | null {
  switch (sort) {
    case 'created':
      return createdAt;
    case 'name':
      return name.toLowerCase();
    case 'lastUsed':
      return lastUsedAt ?? null;
    case 'expires':
      return expiresAt;
    case 'requests':
      return figures.get(id)?.requests ?? 0;
    case 'spend':
      return (figures.get(id) ?? NO_FIGURES).costUsd;
  }
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
