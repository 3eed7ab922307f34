import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'wouter';
import type { OperationId } from '../../../functions/contract/index.ts';
import type { Interval, Query } from '../api/client.ts';
import { toFilterQuery } from './query-chips.ts';

/** Time ranges that a page offers by name; the user may also set two times. */
export const RANGES = {
  '15m': { label: 'Last 15 minutes', hours: 1 / 4 },
  '1h': { label: 'Last hour', hours: 1 },
  '6h': { label: 'Last 6 hours', hours: 6 },
  '24h': { label: 'Last 24 hours', hours: 24 },
  '7d': { label: 'Last 7 days', hours: 7 * 24 },
  '30d': { label: 'Last 30 days', hours: 30 * 24 },
  '90d': { label: 'Last 90 days', hours: 90 * 24 },
} as const;
export type RangeName = keyof typeof RANGES;

export interface TimeRange {
  /** ISO 8601. */
  readonly from: string;
  /** ISO 8601, exclusive. */
  readonly to: string;
}

/** A named range that ends now, or two times. */
export type Range = RangeName | TimeRange;

const DEFAULT_RANGE: RangeName = '24h';
export const CUSTOM = 'custom';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Longest range with one point per hour. The API allows 31 days; a chart has room for less. */
const HOURLY_UP_TO_MS = 3 * 24 * HOUR_MS;

/** The range in the URL's `range`, `from` and `to`; by default the last 24 hours if there is none or it is invalid. */
export function readRange(read: (name: string) => string, fallback: RangeName = DEFAULT_RANGE): Range {
  const name = read('range');
  if (Object.hasOwn(RANGES, name)) return name as RangeName;
  const [from, to] = [Date.parse(read('from')), Date.parse(read('to'))];
  return name === CUSTOM && from < to
    ? { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
    : fallback;
}

/** The URL parameters of a range. */
export function writeRange(range: Range): { readonly range: string; readonly from: string; readonly to: string } {
  return typeof range === 'string' ? { range, from: '', to: '' } : { range: CUSTOM, ...range };
}

/** Start and end of a range. A named one ends with the current minute, so that a new render sends the same request. */
export function timesOf(range: Range, nowMs: number): TimeRange {
  if (typeof range !== 'string') return range;
  const toMs = Math.ceil((nowMs + 1) / MINUTE_MS) * MINUTE_MS;
  return { from: new Date(toMs - RANGES[range].hours * HOUR_MS).toISOString(), to: new Date(toMs).toISOString() };
}

/** Minutes are kept for two days. */
const MINUTES_KEPT_MS = 46 * HOUR_MS;

/** What a point of a chart covers: so much that about 15 to 90 fit the range. */
export function intervalOf(range: Range, nowMs = Date.now()): Interval {
  const { from, to } = timesOf(range, nowMs);
  const lengthMs = Date.parse(to) - Date.parse(from);
  // The API rounds both ends to full minutes, and allows six hours of them.
  const minutes = Math.ceil(Date.parse(to) / MINUTE_MS) - Math.floor(Date.parse(from) / MINUTE_MS);
  if (minutes <= 6 * 60 && Date.parse(from) - lengthMs >= nowMs - MINUTES_KEPT_MS) {
    return minutes <= 2 * 60 ? '1m' : '5m';
  }
  return lengthMs <= HOURLY_UP_TO_MS ? 'hour' : 'day';
}

/** The range of the same length that ends where this one begins. */
export function previousOf({ from, to }: TimeRange): TimeRange {
  const start = 2 * Date.parse(from) - Date.parse(to);
  return { from: new Date(start).toISOString(), to: from };
}

/** Parameters of a page's URL; an empty text removes one. */
export type UrlChanges = Readonly<Record<string, string>>;

/**
 * A page's filters, stored in its URL, so that a reload, a link and the back button work. Not for secrets. `write` replaces the entry in the
 * browser's history, and `go` adds one, for steps to which the back button returns.
 */
export function useUrlState(): readonly [
  read: (name: string) => string,
  write: (changes: UrlChanges) => void,
  go: (changes: UrlChanges) => void,
] {
  const [search, setSearch] = useSearchParams();
  const read = useCallback((name: string) => search.get(name) ?? '', [search]);
  const write = useCallback(
    (changes: UrlChanges) => setSearch((before) => withChanges(before, changes), { replace: true }),
    [setSearch],
  );
  const go = useCallback((changes: UrlChanges) => setSearch((before) => withChanges(before, changes)), [setSearch]);
  return [read, write, go];
}

/** The filters of a page's URL for the API. */
export function useFilters(id: OperationId): Query {
  const [search] = useSearchParams();
  const filters = JSON.stringify(toFilterQuery(id, search));
  return useMemo(() => JSON.parse(filters), [filters]);
}

interface ListQueryOptions {
  /** Replaces the way to the API's values. */
  readonly toApi?: typeof toFilterQuery;
  readonly defaultRange?: RangeName | undefined;
}

/** Like useFilters, with the time range. */
export function useListQuery(id: OperationId, { toApi = toFilterQuery, defaultRange }: ListQueryOptions = {}): Query {
  const [search] = useSearchParams();
  const range = JSON.stringify(readRange((name) => search.get(name) ?? '', defaultRange));
  const filters = JSON.stringify(toApi(id, search));
  // Fixed while the filters stay the same: all pages of a list need the same range.
  return useMemo(
    () => ({ ...timesOf(JSON.parse(range) as Range, Date.now()), ...JSON.parse(filters) }),
    [range, filters],
  );
}

/** The search parameters with these changes; an empty text removes a parameter. */
export function withChanges(before: URLSearchParams, changes: UrlChanges): URLSearchParams {
  const after = new URLSearchParams(before);
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') after.delete(name);
    else after.set(name, value);
  }
  return after;
}

/**
 * The last part of a path, decoded once. The router decodes only part of a path, and decoding twice fails for names with
 * a %, which callers may use as session ids.
 */
export function lastSegment(pathname: string): string {
  const segment = pathname.slice(pathname.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
