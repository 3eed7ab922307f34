import { hash } from 'node:crypto';
import * as z from 'zod';
import { StoreUnavailable } from '../../kernel/errors/index.ts';
import { type RequestRecord, requestRecordSchema } from '../../kernel/model/index.ts';
import { inParallel } from '../../kernel/tasks/index.ts';
import type { Aggregate, AggregateKey, AggregateStore, VersionedAggregate } from './aggregate-store.ts';
import { cellsOf, partOf } from './cells.ts';
import { rolloutKeys, withRollout } from './rollout-counts.ts';
import { type SessionValue, sessionKey, withTurns } from './sessions.ts';
import { withCountedTags } from './tag-values.ts';
import { type CellValue, withRequests } from './totals.ts';

/** Records in the order in which one source delivers them; a repeated delivery has the same positions. */
export interface Batch {
  /** Such as a shard of a stream. */
  readonly source: string;
  /** `position` is a decimal number of at most 40 digits that grows within a source. */
  readonly deliveries: readonly { readonly position: string; readonly record: RequestRecord }[];
}

export interface CountDeps {
  readonly store: AggregateStore;
  readonly now: () => number;
  /** How long cells and sessions are kept, days. */
  readonly aggregateDays: number;
  readonly sessionDays: number;
  /** Parts of the totals in which many records count, each for some shards of the stream; 1 if absent. */
  readonly totalParts?: number;
  /** Requests have a tag with more values, or their keys more names of tags, than totals distinguish on one day. */
  readonly onManyTags?: (tag: string, requests: number) => void;
}

/** The last counted position of each source, and when it was counted. */
type Seen = Readonly<Record<string, readonly [position: string, atMs: number]>>;
type Counted = { readonly seen?: Seen };

/** An aggregate, and how records are added to it. */
interface Target {
  readonly key: AggregateKey;
  /** The first part of the total, in which the source counted before there were more. */
  readonly first?: AggregateKey;
  readonly deliveries: { readonly position: string; readonly record: RequestRecord }[];
  readonly grow: (known: object | undefined, records: readonly RequestRecord[]) => Aggregate;
}

const AT_ONCE = 16;
/** As many shards of the stream may count into the same aggregate at once. */
const MAX_CONFLICTS = 50;
const POSITION_DIGITS = 40;
/** A stream keeps its records for a day: a source that was silent for longer repeats nothing. */
const FORGET_SOURCE_MS = 48 * 3_600_000;

/**
 * Counts records into all their totals and sessions. Each record counts exactly once, however often it is delivered and
 * however many processes count: an aggregate stores the last position of each source, and a write requires the version
 * that was read. An interrupted batch is completed by delivering it again.
 * @throws StoreUnavailable
 */
export async function countRecords({ source, deliveries }: Batch, deps: CountDeps): Promise<void> {
  const tagged = await withCountedTags(deliveries, deps.store, deps.onManyTags ?? (() => {}));
  const targets = toTargets(await withoutForgotten(tagged, deps.store), deps, source);
  const known = await deps.store.read(targets.map(({ key }) => key));
  const jobs = targets.map((target, at) => ({ target, known: known[at] }));
  await inParallel(jobs, AT_ONCE, (job) => countInto(job.target, source, job.known, deps));
}

/** DynamoDB's limits of a partition key and a sort key, bytes. */
const MAX_PK_BYTES = 2_048;
const MAX_SK_BYTES = 1_024;

/** The fields that are counted. Types of threats may be newer than this code. */
const countableSchema = requestRecordSchema
  .pick({ time: true, keyId: true, environment: true, sessionId: true, endUserId: true, provider: true, model: true })
  .extend(requestRecordSchema.pick({ tokens: true, costUsd: true, latencyMs: true, timeToFirstTokenMs: true }).shape)
  .extend(requestRecordSchema.pick({ teamId: true, tags: true, requestTags: true }).shape)
  .extend({ turnScore: z.number(), threats: z.record(z.string(), z.number()), rollout: z.int().optional() })
  .extend({
    findings: z.array(z.object({ type: z.string(), score: z.number(), location: z.object({ part: z.string() }) })),
  });

/**
 * Throws if a record can never be counted: its fields have no sum, or the store would refuse its totals. It would fail each batch that
 * contains it.
 */
export function assertCountable(record: RequestRecord, days: Pick<CountDeps, 'aggregateDays' | 'sessionDays'>): void {
  if (!countableSchema.safeParse(record).success) throw new TypeError('the record has another form');
  for (const { key } of toTargets([{ position: '0', record }], days)) {
    if (Buffer.byteLength(key.pk) > MAX_PK_BYTES || Buffer.byteLength(key.sk) > MAX_SK_BYTES) {
      throw new RangeError('a name in the record is too long');
    }
  }
}

/** The key of the time when an end user's data was deleted: older records count without the end user. */
export function forgottenKey(endUserId: string): AggregateKey {
  return { pk: `forgotten#${hash('sha256', endUserId, 'hex')}`, sk: '-' };
}

async function withoutForgotten(deliveries: Batch['deliveries'], store: AggregateStore): Promise<Batch['deliveries']> {
  const users = [...new Set(deliveries.flatMap(({ record }) => record.endUserId ?? []))];
  const found = await store.read(users.map(forgottenKey));
  const forgottenAt = new Map(users.map((user, at) => [user, (found[at]?.value as { at?: number } | undefined)?.at]));
  return deliveries.map((delivery) => {
    const { endUserId, time } = delivery.record;
    const at = endUserId === null ? undefined : forgottenAt.get(endUserId);
    if (at === undefined || Date.parse(time) > at) return delivery;
    return { ...delivery, record: { ...delivery.record, endUserId: null, sessionId: null } };
  });
}

function toTargets(
  deliveries: Batch['deliveries'],
  { aggregateDays, sessionDays, totalParts = 1 }: Pick<CountDeps, 'aggregateDays' | 'sessionDays' | 'totalParts'>,
  source = '',
): Target[] {
  const targets = new Map<string, Target>();
  const add = (delivery: Batch['deliveries'][number], cell: AggregateKey, grow: Target['grow'], isBusy = false) => {
    const first = { pk: cell.pk, sk: cell.sk };
    const key = isBusy ? partOf(first, source, totalParts) : first;
    const name = JSON.stringify([key.pk, key.sk]);
    const target = targets.get(name) ?? { key, deliveries: [], grow, ...(key.sk !== first.sk && { first }) };
    target.deliveries.push(delivery);
    targets.set(name, target);
  };
  for (const delivery of deliveries) {
    const { record } = delivery;
    for (const cell of cellsOf(record)) {
      const grow: Target['grow'] = (known, records) =>
        withRequests(cell, known as CellValue | undefined, records, aggregateDays);
      add(delivery, cell, grow, cell.isBusy);
    }
    for (const key of rolloutKeys(record)) add(delivery, key, (known, records) => withRollout(key, known, records));
    if (record.sessionId === null) continue;
    add(delivery, sessionKey(record.sessionId, record.keyId), (known, records) =>
      withTurns(known as SessionValue | undefined, records, sessionDays),
    );
  }
  return [...targets.values()];
}

async function countInto(
  { key, first, deliveries, grow }: Target,
  source: string,
  found: VersionedAggregate | undefined,
  { store, now }: CountDeps,
): Promise<void> {
  let known = found;
  for (let attempt = 0; attempt < MAX_CONFLICTS; attempt += 1) {
    const seen = (known?.value as Counted | undefined)?.seen ?? {};
    const upTo = (seen[source] ?? (first && (await seenIn(first, store))[source]))?.[0] ?? '';
    const fresh = deliveries.filter(({ position }) => sortable(position) > upTo);
    const last = fresh.at(-1);
    if (last === undefined) return;
    const grown = grow(
      known?.value,
      fresh.map(({ record }) => record),
    );
    const value = { ...grown.value, seen: withSource(seen, source, sortable(last.position), now()) };
    if (await store.replace({ ...grown, key, value }, known?.version)) return;
    [known] = await store.read([key]);
  }
  throw new StoreUnavailable(`aggregates table: too many count into ${key.pk} at once`);
}

async function seenIn(key: AggregateKey, store: AggregateStore): Promise<Seen> {
  const [found] = await store.read([key]);
  return (found?.value as Counted | undefined)?.seen ?? {};
}

function withSource(seen: Seen, source: string, position: string, nowMs: number): Seen {
  const live = Object.entries(seen).filter(([, [, at]]) => at > nowMs - FORGET_SOURCE_MS);
  return { ...Object.fromEntries(live), [source]: [position, nowMs] };
}

function sortable(position: string): string {
  return position.padStart(POSITION_DIGITS, '0');
}
