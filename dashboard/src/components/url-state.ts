import { useCallback } from 'react';
import { useSearchParams } from 'wouter';

/** How far back a page looks: the ranges that it offers by name, and one that the reader gives. */
export const RANGES = {
  '24h': { label: 'Last 24 hours', hours: 24 },
  '7d': { label: 'Last 7 days', hours: 7 * 24 },
  '30d': { label: 'Last 30 days', hours: 30 * 24 },
  '90d': { label: 'Last 90 days', hours: 90 * 24 },
} as const;
export type RangeName = keyof typeof RANGES;

export interface TimeRange {
  /** ISO 8601. */
  readonly from: string;
  /** Not included. */
  readonly to: string;
}

/** A range by its name, up to now, or from one time to another. */
export type Range = RangeName | TimeRange;

const DEFAULT_RANGE: RangeName = '24h';
export const CUSTOM = 'custom';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** The longest range whose points are hours: what the API allows is 31 days, what a chart shows is less. */
const HOURLY_UP_TO_MS = 3 * 24 * HOUR_MS;

/** The range that an address names by `range`, `from` and `to`; the last day where it names none that can be. */
export function readRange(read: (name: string) => string): Range {
  const name = read('range');
  if (Object.hasOwn(RANGES, name)) return name as RangeName;
  const [from, to] = [Date.parse(read('from')), Date.parse(read('to'))];
  return name === CUSTOM && from < to
    ? { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
    : DEFAULT_RANGE;
}

/** The same in an address. */
export function writeRange(range: Range): { readonly range: string; readonly from: string; readonly to: string } {
  return typeof range === 'string' ? { range, from: '', to: '' } : { range: CUSTOM, ...range };
}

/** From when to when: a named one up to the end of the present minute, so that a page that draws itself anew asks for the same. */
export function timesOf(range: Range, nowMs: number): TimeRange {
  if (typeof range !== 'string') return range;
  const toMs = Math.ceil((nowMs + 1) / MINUTE_MS) * MINUTE_MS;
  return { from: new Date(toMs - RANGES[range].hours * HOUR_MS).toISOString(), to: new Date(toMs).toISOString() };
}

export function intervalOf(range: Range): 'hour' | 'day' {
  const lengthMs =
    typeof range === 'string' ? RANGES[range].hours * HOUR_MS : Date.parse(range.to) - Date.parse(range.from);
  return lengthMs <= HOURLY_UP_TO_MS ? 'hour' : 'day';
}

/** A page's filters, kept in its address: a reload, a link and the back button show the same. Never for what is secret. */
export function useUrlState(): readonly [
  (name: string) => string,
  (changes: Readonly<Record<string, string>>) => void,
] {
  const [search, setSearch] = useSearchParams();
  const read = useCallback((name: string) => search.get(name) ?? '', [search]);
  const write = useCallback(
    (changes: Readonly<Record<string, string>>) =>
      setSearch((before) => withChanges(before, changes), { replace: true }),
    [setSearch],
  );
  return [read, write];
}

/** The search parameters with these in the place of their own; an empty text takes one out. */
export function withChanges(before: URLSearchParams, changes: Readonly<Record<string, string>>): URLSearchParams {
  const after = new URLSearchParams(before);
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') after.delete(name);
    else after.set(name, value);
  }
  return after;
}

/**
 * The last part of a path, decoded once. The router decodes paths itself, though not wholly, and a second time would fail on
 * names with a % in them, which callers may give their sessions.
 */
export function lastSegment(pathname: string): string {
  const segment = pathname.slice(pathname.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
