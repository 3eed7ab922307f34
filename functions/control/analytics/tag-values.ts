import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { StoreUnavailable } from '../../kernel/errors/index.ts';
import type { RequestRecord } from '../../kernel/model/index.ts';
import type { AggregateKey, AggregateStore } from './aggregate-store.ts';
import { bucketOf, DAY_MS, startOf } from './cells.ts';

/** Values of one tag of requests that the totals of a UTC day distinguish, by team, so that no team takes the room of another; further ones count as `other`. */
export const MAX_TAG_VALUES = 1_000;
/** Names of such tags by key and UTC day; tags with further names have no totals. By key, so that no key takes the room of another. */
export const MAX_TAG_NAMES = 64;
/** Also what a client may send as a value, which is counted with these. */
export const OTHER_VALUE = 'other';

/** A stream keeps its records for a day, and a failed batch is repeated for half of one. */
const KEPT_DAYS = 7;
const MAX_CONFLICTS = 50;
const DIGEST_CHARACTERS = 11;
/** Of a full list: about 40 KB. */
const MAX_CACHED_LISTS = 256;

/** Names or values that are distinguished: of one day, each as a digest. Such a list only grows, so that a record counts the same each time. */
interface List {
  readonly key: AggregateKey;
  readonly most: number;
}
type Known = Map<string, Set<string>>;

/** What this process knows to be in lists of a store: never more than is in them. */
const caches = new WeakMap<AggregateStore, LRUCache<string, Set<string>>>();

/**
 * The record with the tags of requests as totals count them. A list of at most 1,000 values for each tag, team and day decides which values are
 * distinguished: the first ones. It is written when a value is new, so usual requests cost no call.
 * @param onMany called once for each tag with values that are not distinguished. @throws StoreUnavailable
 */
export async function withCountedTags<T extends { readonly record: RequestRecord }>(
  deliveries: readonly T[],
  store: AggregateStore,
  onMany: (tag: string, requests: number) => void,
): Promise<readonly T[]> {
  const tagged = deliveries.filter(({ record }) => record.requestTags !== undefined);
  if (tagged.length === 0) return deliveries;
  const named = await listed(
    tagged.flatMap(({ record }) => namesOf(record).map((name) => [namesList(record), name] as const)),
    store,
  );
  const isNamed = (record: RequestRecord, name: string) => isIn(named, namesList(record), name);
  const valued = await listed(
    tagged.flatMap(({ record }) =>
      Object.entries(record.requestTags ?? {})
        .filter(([name]) => isNamed(record, name))
        .map(([name, value]) => [valuesList(record, name), value] as const),
    ),
    store,
  );
  const uncounted = new Map<string, number>();
  const counted = deliveries.map((delivery) => {
    const { record } = delivery;
    if (record.requestTags === undefined) return delivery;
    const tags = Object.entries(record.requestTags).flatMap(([name, value]) => {
      if (isNamed(record, name) && isIn(valued, valuesList(record, name), value)) return [[name, value]];
      uncounted.set(name, (uncounted.get(name) ?? 0) + 1);
      return isNamed(record, name) ? [[name, OTHER_VALUE]] : [];
    });
    return { ...delivery, record: { ...record, requestTags: Object.fromEntries(tags) } };
  });
  for (const [name, requests] of uncounted) onMany(name, requests);
  return counted;
}

function namesOf({ requestTags = {} }: RequestRecord): string[] {
  return Object.keys(requestTags);
}

function namesList(record: RequestRecord): List {
  return { key: { pk: partitionOf(record), sk: `names#${record.keyId}` }, most: MAX_TAG_NAMES };
}

function valuesList(record: RequestRecord, name: string): List {
  const { teamId } = record;
  // A name has no `#`.
  const sk = teamId == null ? `values#${name}` : `values#${name}#${teamId}`;
  return { key: { pk: partitionOf(record), sk }, most: MAX_TAG_VALUES };
}

function partitionOf({ time }: RequestRecord): string {
  return `tags#${bucketOf(Date.parse(time), 'day')}`;
}

function isIn(known: Known, { key }: List, text: string): boolean {
  return known.get(nameOf(key))?.has(digestOf(text)) ?? false;
}

/** Adds texts to their lists while there is room. @returns what is in the lists then */
async function listed(wanted: readonly (readonly [List, string])[], store: AggregateStore): Promise<Known> {
  const cache = caches.get(store) ?? new LRUCache({ max: MAX_CACHED_LISTS });
  caches.set(store, cache);
  const known: Known = new Map();
  const byList = Map.groupBy(wanted, ([{ key }]) => nameOf(key));
  for (const [name, texts] of byList) {
    const [list] = texts[0] as readonly [List, string];
    const digests = [...new Set(texts.map(([, text]) => digestOf(text)))];
    const cached = cache.get(name);
    const isDecided = cached !== undefined && (cached.size >= list.most || digests.every((one) => cached.has(one)));
    const all = isDecided ? cached : await extended(list, digests, store);
    cache.set(name, all);
    known.set(name, all);
  }
  return known;
}

async function extended({ key, most }: List, digests: readonly string[], store: AggregateStore): Promise<Set<string>> {
  for (let attempt = 0; attempt < MAX_CONFLICTS; attempt += 1) {
    const [stored] = await store.read([key]);
    const before = digestsIn((stored?.value as { digests?: string } | undefined)?.digests ?? '');
    const more = digests.filter((digest) => !before.includes(digest)).slice(0, Math.max(0, most - before.length));
    const all = [...before, ...more];
    if (more.length === 0) return new Set(all);
    const expiresAt = Math.ceil((startOf(key.pk.slice('tags#'.length)) + KEPT_DAYS * DAY_MS) / 1000);
    if (await store.replace({ key, value: { digests: all.join('') }, expiresAt }, stored?.version)) return new Set(all);
  }
  throw new StoreUnavailable(`aggregates table: too many add to ${key.sk} at once`);
}

function digestsIn(text: string): string[] {
  return Array.from({ length: text.length / DIGEST_CHARACTERS }, (_, at) =>
    text.slice(at * DIGEST_CHARACTERS, (at + 1) * DIGEST_CHARACTERS),
  );
}

function digestOf(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, DIGEST_CHARACTERS);
}

function nameOf({ pk, sk }: AggregateKey): string {
  return `${pk} ${sk}`;
}
