import type { Figures, ThreatType, Timeseries } from '../../api/types.ts';
import type { Point, Series } from '../../parts/chart/point.ts';
import { threatName } from '../../parts/words.ts';

type Interval = Timeseries['data'][number];

/** Types that have a colour of their own; what is rarer is added up as one. */
const MAX_TYPES = 6;
const REST = 'other';

export const OUTCOMES: readonly Series[] = [
  { id: 'passed', name: 'Passed', color: 'var(--chart-1)' },
  { id: 'flagged', name: 'Flagged or redacted', color: 'var(--chart-3)' },
  { id: 'blocked', name: 'Blocked', color: 'var(--chart-2)' },
  { id: 'errors', name: 'Errors', color: 'var(--chart-7)' },
];

/** Each request of an interval once, by what became of it; a flagged one that failed is told as flagged. */
export function toOutcomes(data: readonly Interval[]): Point[] {
  return data.map(({ time, requests, blocked, flagged, errors }) => {
    const rest = Math.max(0, requests - blocked - flagged);
    const failed = Math.min(errors, rest);
    return { time, passed: rest - failed, flagged, blocked, errors: failed };
  });
}

/** Findings by type: the most frequent types of the whole range, and what is left. */
export function toThreatMix(data: readonly Interval[]): { readonly points: Point[]; readonly series: Series[] } {
  const totals = new Map<ThreatType, number>();
  for (const { threats } of data) {
    for (const [type, count] of Object.entries(threats) as [ThreatType, number][]) {
      totals.set(type, (totals.get(type) ?? 0) + count);
    }
  }
  const types = [...totals].sort(([, a], [, b]) => b - a).map(([type]) => type);
  const shown = types.length > MAX_TYPES ? types.slice(0, MAX_TYPES - 1) : types;
  const hidden = types.slice(shown.length);
  const series = shown.map((type, at) => ({
    id: type as string,
    name: threatName(type),
    color: `var(--chart-${at + 1})`,
  }));
  if (hidden.length > 0) series.push({ id: REST, name: `${hidden.length} other types`, color: 'var(--chart-7)' });
  const points = data.map(({ time, threats }) => ({
    time,
    ...Object.fromEntries(shown.map((type) => [type, threats[type] ?? 0])),
    ...(hidden.length === 0 ? {} : { [REST]: hidden.reduce((sum, type) => sum + (threats[type] ?? 0), 0) }),
  }));
  return { points, series };
}

export const PERCENTILES: readonly Series[] = [
  { id: 'p50', name: 'p50', color: 'var(--chart-4)' },
  { id: 'p95', name: 'p95', color: 'var(--chart-1)' },
  { id: 'p99', name: 'p99', color: 'var(--chart-2)' },
];

export function toPercentiles(data: readonly Interval[], field: 'latencyMs' | 'timeToFirstTokenMs'): Point[] {
  return data.map((interval) => ({ time: interval.time, ...interval[field] }));
}

export const TOKENS: readonly Series[] = [
  { id: 'input', name: 'Input', color: 'var(--chart-6)' },
  { id: 'output', name: 'Output', color: 'var(--chart-5)' },
];

export function toTokens(data: readonly Interval[]): Point[] {
  return data.map(({ time, tokens }) => ({ time, ...tokens }));
}

export const COST: readonly Series[] = [{ id: 'cost', name: 'Cost', color: 'var(--chart-4)' }];

export function toCost(data: readonly Interval[]): Point[] {
  return data.map(({ time, costUsd }) => ({ time, cost: costUsd }));
}

/** Groups of a summary, those with most requests first; requests that belong to no group stay out. */
export function topGroups<T extends Figures & { group: string | null }>(groups: readonly T[], count: number): T[] {
  return groups
    .filter(({ group }) => group !== null)
    .sort((a, b) => b.requests - a.requests)
    .slice(0, count);
}
