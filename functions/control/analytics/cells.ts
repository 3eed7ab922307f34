import { hash } from 'node:crypto';
import { type Interval, type RequestRecord, STORED_INTERVALS, type ThreatType } from '../../kernel/model/index.ts';
import type { AggregateKey } from './aggregate-store.ts';

type StoredInterval = (typeof STORED_INTERVALS)[number];

/** What totals cover; each scope is a separate partition of the store. */
export type Scope =
  | { readonly of: 'all' }
  | { readonly of: 'key'; readonly keyId: string }
  | { readonly of: 'endUser'; readonly endUserId: string }
  | { readonly of: 'team'; readonly teamId: string }
  /** A cell for each value of a tag, with its totals. */
  | { readonly of: 'tag'; readonly name: string }
  /** A cell for each key, or each end user, with its totals. */
  | { readonly of: 'keys' | 'endUsers'; readonly shard: number };

/** What the requests of a cell have in common; labels that its scope does not distinguish are absent. */
export interface Labels {
  readonly keyId?: string;
  readonly endUserId?: string;
  readonly environment?: string;
  readonly provider?: string | null;
  readonly model?: string | null;
  readonly teamId?: string;
  readonly tagValue?: string;
}

/** `sums` counts all requests; `threats` has a cell for each threat type, with the requests where it was found. */
export type Kind = 'sums' | 'threats';

/** A cell that a request counts in; its sort key is `<bucket>#<threat type, or nothing>#<hash of the labels>`. */
export interface Cell extends AggregateKey {
  readonly labels: Labels;
  /** Whether many records count in it, from all shards of the stream. */
  readonly isBusy: boolean;
}

/** The part of a busy cell that a source counts in; readers add up all rows of a cell, whatever follows its sort key. */
export function partOf({ pk, sk }: AggregateKey, source: string, parts: number): AggregateKey {
  const part = numberOf(source) % parts;
  return part === 0 ? { pk, sk } : { pk, sk: `${sk}#${part}` };
}

/** Every batch writes the lists of keys and end users, and a partition takes 1,000 writes a second. */
const LIST_SHARDS = 8;

/** The scopes of the list of keys, or of end users. */
export function listScopes(of: 'keys' | 'endUsers'): Scope[] {
  return Array.from({ length: LIST_SHARDS }, (_, shard) => ({ of, shard }));
}

/** Every cell that a request counts in. Minutes have totals of all keys only: they are for recent ranges, and each cell is a write. */
export function cellsOf(record: RequestRecord): Cell[] {
  const { keyId, endUserId, environment, provider, model, teamId, tags, requestTags } = record;
  const routed = { environment, provider, model };
  // Absent without a team, so that such a cell has the same name as before there were teams.
  const team = teamId === undefined ? {} : { teamId };
  const scopes: [Scope, Labels, boolean][] = [
    [{ of: 'all' }, routed, true],
    [{ of: 'key', keyId }, { ...routed, ...team }, true],
    [{ of: 'keys', shard: shardOf(keyId) }, { keyId, ...team }, false],
  ];
  if (endUserId !== null) {
    scopes.push([{ of: 'endUser', endUserId }, { keyId, ...routed, ...team }, true]);
    scopes.push([{ of: 'endUsers', shard: shardOf(endUserId) }, { endUserId }, false]);
  }
  if (teamId !== undefined) scopes.push([{ of: 'team', teamId }, routed, true]);
  for (const [name, tagValue] of Object.entries({ ...requestTags, ...tags })) {
    scopes.push([{ of: 'tag', name }, { tagValue, keyId, ...routed, ...team }, true]);
  }
  const types = Object.keys(record.threats) as ThreatType[];
  const counted = (interval: StoredInterval, [scope, labels, byThreat]: (typeof scopes)[number]) => [
    cell(record, interval, scope, labels),
    ...(byThreat ? types.map((type) => cell(record, interval, scope, labels, type)) : []),
  ];
  const ofAll = scopes.slice(0, 1);
  return STORED_INTERVALS.flatMap((interval) =>
    (interval === 'minute' ? ofAll : scopes).flatMap((scope) => counted(interval, scope)),
  );
}

/** The partition of a scope's cells. */
export function partitionOf(interval: StoredInterval, kind: Kind, scope: Scope): string {
  return `${interval}#${kind}#${nameOf(scope)}`;
}

/** The partitions of an end user's own cells. */
export function endUserPartitions(endUserId: string): { interval: StoredInterval; pk: string }[] {
  const scope = { of: 'endUser', endUserId } as const;
  return (['hour', 'day'] as const).flatMap((interval) =>
    (['sums', 'threats'] as const).map((kind) => ({ interval, pk: partitionOf(interval, kind, scope) })),
  );
}

/** The key of an end user in the list of a bucket. */
export function endUserListKey(endUserId: string, interval: StoredInterval, bucket: string): AggregateKey {
  const pk = partitionOf(interval, 'sums', { of: 'endUsers', shard: shardOf(endUserId) });
  return { pk, sk: sortKeyOf(bucket, '', { endUserId }) };
}

function cell(
  { time }: RequestRecord,
  interval: StoredInterval,
  scope: Scope,
  labels: Labels,
  type?: ThreatType,
): Cell {
  const pk = partitionOf(interval, type === undefined ? 'sums' : 'threats', scope);
  const sk = sortKeyOf(bucketOf(Date.parse(time), interval), type ?? '', labels);
  return { pk, sk, labels, isBusy: scope.of !== 'endUser' && scope.of !== 'endUsers' };
}

function sortKeyOf(bucket: string, type: string, labels: Labels): string {
  return `${bucket}#${type}#${hash('sha256', JSON.stringify(labels), 'base64url').slice(0, 22)}`;
}

function nameOf(scope: Scope): string {
  switch (scope.of) {
    case 'all':
      return 'all';
    case 'key':
      return `key#${scope.keyId}`;
    case 'team':
      return `team#${scope.teamId}`;
    case 'tag':
      return `tag#${scope.name}`;
    // Last, because the id can contain any character: no other scope's name begins so.
    case 'endUser':
      return `end-user#${scope.endUserId}`;
    default:
      return `${scope.of}#${scope.shard}`;
  }
}

function shardOf(name: string): number {
  return numberOf(name) % LIST_SHARDS;
}

function numberOf(name: string): number {
  return Number.parseInt(hash('sha256', name, 'hex').slice(0, 8), 16);
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
const LENGTH: Readonly<Record<Interval | StoredInterval, number>> = {
  minute: MINUTE_MS,
  '1m': MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  hour: HOUR_MS,
  day: DAY_MS,
};
/** Characters of a bucket's name. */
const NAME_LENGTH: Readonly<Record<StoredInterval, number>> = { minute: 16, hour: 13, day: 10 };

/** The minute, hour or day (UTC) of a time, as text that sorts by time: `2026-11-21T09:30`, `2026-11-21T09`, `2026-11-21`. */
export function bucketOf(ms: number, interval: StoredInterval): string {
  return new Date(ms).toISOString().slice(0, NAME_LENGTH[interval]);
}

/** When a bucket begins, milliseconds since 1970. */
export function startOf(bucket: string): number {
  if (isMinute(bucket)) return Date.parse(`${bucket}Z`);
  return Date.parse(bucket.length === NAME_LENGTH.hour ? `${bucket}:00Z` : bucket);
}

export function isMinute(bucket: string): boolean {
  return bucket.length === NAME_LENGTH.minute;
}

/** The start of the minute, hour or day (UTC) at or before a time, milliseconds. */
export function floorTo(ms: number, interval: Interval | StoredInterval): number {
  return ms - (ms % LENGTH[interval]);
}

/** The start of the minute, hour or day (UTC) at or after a time, milliseconds. */
export function ceilTo(ms: number, interval: Interval | StoredInterval): number {
  return floorTo(ms + LENGTH[interval] - 1, interval);
}

/** Consecutive buckets of one length: `from` inclusive, `to` exclusive. */
export interface Span {
  readonly interval: StoredInterval;
  readonly from: string;
  readonly to: string;
}

/** The fewest buckets that cover a range of full hours: whole days within it, hours at its ends. */
export function spansOf(fromMs: number, toMs: number): Span[] {
  const firstDay = ceilTo(fromMs, 'day');
  const lastDay = floorTo(toMs, 'day');
  if (firstDay >= lastDay) return bucketsOf(fromMs, toMs, 'hour');
  return [
    ...bucketsOf(fromMs, firstDay, 'hour'),
    ...bucketsOf(firstDay, lastDay, 'day'),
    ...bucketsOf(lastDay, toMs, 'hour'),
  ];
}

/** The starts of the buckets of a range, milliseconds; both ends must be starts. */
export function startsOf(fromMs: number, toMs: number, interval: Interval | StoredInterval): number[] {
  return Array.from({ length: (toMs - fromMs) / LENGTH[interval] }, (_, at) => fromMs + at * LENGTH[interval]);
}

/** The buckets of one length in a range of full ones; empty if there is none. */
export function bucketsOf(fromMs: number, toMs: number, interval: StoredInterval): Span[] {
  return fromMs < toMs ? [{ interval, from: bucketOf(fromMs, interval), to: bucketOf(toMs, interval) }] : [];
}
