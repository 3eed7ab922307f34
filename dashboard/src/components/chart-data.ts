import type { Figures, RequestRecord, ThreatType, Timeseries } from '../api/client.ts';
import { threatName } from './labels.ts';

/** A column of a chart: its time, the value of each series under its id, and an `id` where two may have one time. */
export interface Point {
  readonly time: string;
  readonly [series: string]: number | string | null;
}

export interface Series {
  readonly id: string;
  readonly name: string;
  /** A CSS colour. */
  readonly color: string;
}

export function keyOfPoint(point: Point): string {
  return String(point.id ?? point.time);
}

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

/** Each request of an interval once, by its outcome; a flagged one that failed counts as flagged. */
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

/** As the gateway counts it (docs/findings.md, Sessions): what is suspicious beyond this, and after how long it counts half. */
const COUNTS_FROM = 0.3;
const HALF_LIFE_MS = 30 * 60_000;

export const RISK: readonly Series[] = [
  { id: 'turn', name: 'Score of the turn', color: 'var(--chart-1)' },
  { id: 'accumulated', name: 'Added up', color: 'var(--chart-2)' },
];

/** The score of each turn, in the order in which they came, and what the suspicious ones add up to by then. */
export function toRisk(records: readonly RequestRecord[]): Point[] {
  let accumulated = 0;
  let beforeMs: number | undefined;
  return records
    .toSorted((a, b) => a.time.localeCompare(b.time))
    .map(({ id, time, turnScore }) => {
      const atMs = Date.parse(time);
      accumulated *= 2 ** (-(atMs - (beforeMs ?? atMs)) / HALF_LIFE_MS);
      accumulated += Math.max(0, turnScore - COUNTS_FROM);
      beforeMs = atMs;
      return { id, time, turn: turnScore, accumulated };
    });
}

/** Steps between lines of a scale that read well: 1, 2 or 5 of a power of ten. */
const STEPS = [1, 2, 5, 10];

/** Values for the lines of a scale, from 0 to at least `max`, `count` parts at most; whole numbers where asked. */
export function niceTicks(max: number, count: number, isWhole: boolean): number[] {
  if (!(max > 0)) return [0, 1];
  const rough = max / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = (STEPS.find((factor) => factor * power >= rough) ?? 10) * power;
  const shown = isWhole ? Math.max(1, step) : step;
  // What floating point adds is taken off: 0.1 + 0.2 is no label.
  return Array.from({ length: Math.ceil(max / shown) + 1 }, (_, at) => Number((at * shown).toPrecision(12)));
}

export interface Segment {
  readonly id: string;
  readonly from: number;
  readonly to: number;
}

/** The values of a column one on the other, in the order of `ids`; what is unknown or 0 is left out. */
export function stack(point: Readonly<Record<string, unknown>>, ids: readonly string[]): Segment[] {
  let top = 0;
  return ids.flatMap((id) => {
    const value = point[id];
    if (typeof value !== 'number' || value <= 0) return [];
    const from = top;
    top += value;
    return [{ id, from, to: top }];
  });
}

/** Every how many columns one may have a label, so that each has `minPx` of room. */
export function labelEvery(columns: number, widthPx: number, minPx: number): number {
  return Math.max(1, Math.ceil((columns * minPx) / Math.max(1, widthPx)));
}
