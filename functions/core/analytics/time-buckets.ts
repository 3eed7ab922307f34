import type { Interval } from '../model/analytics.ts';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
const LENGTH: Readonly<Record<Interval, number>> = { hour: HOUR_MS, day: DAY_MS };

/** The hour or day (UTC) that a time lies in, as texts that sort by time: `2026-11-21T09`, `2026-11-21`. */
export function bucketOf(ms: number, interval: Interval): string {
  return new Date(ms).toISOString().slice(0, interval === 'hour' ? 13 : 10);
}

/** When a bucket begins, milliseconds since 1970. */
export function startOf(bucket: string): number {
  return Date.parse(bucket.length === 13 ? `${bucket}:00Z` : bucket);
}

/** The start of the hour or day (UTC) at or before a time, milliseconds. */
export function floorTo(ms: number, interval: Interval): number {
  return ms - (ms % LENGTH[interval]);
}

/** The start of the hour or day (UTC) at or after a time, milliseconds. */
export function ceilTo(ms: number, interval: Interval): number {
  return floorTo(ms + LENGTH[interval] - 1, interval);
}

/** Buckets of one length, one after another: `from` inclusive, `to` exclusive. */
export interface Span {
  readonly interval: Interval;
  readonly from: string;
  readonly to: string;
}

/** The fewest buckets that make up a range of full hours: whole days where they lie within it, hours at its ends. */
export function spansOf(fromMs: number, toMs: number): Span[] {
  const firstDay = ceilTo(fromMs, 'day');
  const lastDay = floorTo(toMs, 'day');
  if (firstDay >= lastDay) return hours(fromMs, toMs);
  const days = { interval: 'day', from: bucketOf(firstDay, 'day'), to: bucketOf(lastDay, 'day') } as const;
  return [...hours(fromMs, firstDay), days, ...hours(lastDay, toMs)];
}

/** The starts of the buckets of a range, milliseconds; both ends must be starts. */
export function startsOf(fromMs: number, toMs: number, interval: Interval): number[] {
  return Array.from({ length: (toMs - fromMs) / LENGTH[interval] }, (_, at) => fromMs + at * LENGTH[interval]);
}

function hours(fromMs: number, toMs: number): Span[] {
  if (fromMs >= toMs) return [];
  return [{ interval: 'hour', from: bucketOf(fromMs, 'hour'), to: bucketOf(toMs, 'hour') }];
}
