import type { Figures, RequestRecord, ThreatType, Timeseries } from '../api/client.ts';
import { threatName } from './labels.ts';
import { OUTCOME_LABELS, OUTCOME_NAMES, type OutcomeName, outcomeOf } from './outcome.ts';

/** A column of a chart: its time, each series' value by its id, and an `id` if two columns may have the same time. */
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

/** Number of types with a separate colour; rarer types are added up. */
const MAX_TYPES = 6;
const REST = 'other';

/** Of requests: what the totals count them as, or `passed`. */
export const OUTCOMES: readonly Series[] = OUTCOME_NAMES.map((id) => ({
  id,
  name: OUTCOME_LABELS[id],
  color: `var(--outcome-${id})`,
}));

/** Counts each request of an interval once, by outcome; a flagged one that failed counts as flagged. */
export function toOutcomes(data: readonly Interval[]): Point[] {
  return data.map(({ time, requests, blocked, flagged, rateLimited, clientErrors, errors }) => {
    let rest = Math.max(0, requests - blocked - flagged);
    const take = (count: number) => {
      const taken = Math.min(count, rest);
      rest -= taken;
      return taken;
    };
    const failed = {
      rate_limited: take(rateLimited),
      client_error: take(clientErrors),
      // Of totals from before the kinds were counted, all.
      server_error: take(errors - rateLimited - clientErrors),
    };
    return { time, passed: rest, flagged, blocked, ...failed };
  });
}

/** Requests of a range counted in so many columns of equal length, by their outcome. */
export function countByTime(
  records: readonly RequestRecord[],
  { from, to }: { readonly from: string; readonly to: string },
  columns: number,
): Point[] {
  const [fromMs, lengthMs] = [Date.parse(from), (Date.parse(to) - Date.parse(from)) / columns];
  const counts = Array.from({ length: columns }, () => new Map<OutcomeName, number>());
  for (const record of records) {
    const counted = counts[Math.floor((Date.parse(record.time) - fromMs) / lengthMs)];
    const outcome = outcomeOf(record);
    counted?.set(outcome, (counted.get(outcome) ?? 0) + 1);
  }
  return counts.map((counted, at) => ({
    time: new Date(fromMs + at * lengthMs).toISOString(),
    ...Object.fromEntries(counted),
  }));
}

/** Findings by type: the most frequent types of the whole range, and the sum of all others. */
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
  { id: 'p50', name: 'p50', color: 'var(--series-1)' },
  { id: 'p95', name: 'p95', color: 'var(--series-2)' },
  { id: 'p99', name: 'p99', color: 'var(--series-3)' },
];

export function toPercentiles(data: readonly Interval[], field: 'latencyMs' | 'timeToFirstTokenMs'): Point[] {
  return data.map((interval) => ({ time: interval.time, ...interval[field] }));
}

export const TOKENS: readonly Series[] = [
  { id: 'input', name: 'Input', color: 'var(--series-1)' },
  { id: 'output', name: 'Output', color: 'var(--series-3)' },
];

export function toTokens(data: readonly Interval[]): Point[] {
  return data.map(({ time, tokens }) => ({ time, ...tokens }));
}

export const COST: readonly Series[] = [{ id: 'cost', name: 'Cost', color: 'var(--series-2)' }];

export function toCost(data: readonly Interval[]): Point[] {
  return data.map(({ time, costUsd }) => ({ time, cost: costUsd }));
}

/** Groups of a summary, those with most requests first; requests without a group are left out. */
export function topGroups<T extends Figures & { group: string | null }>(groups: readonly T[], count: number): T[] {
  return groups
    .filter(({ group }) => group !== null)
    .sort((a, b) => b.requests - a.requests)
    .slice(0, count);
}

/** As in the gateway (docs/findings.md, Sessions): scores above this accumulate, and halve after this time. */
const COUNTS_FROM = 0.3;
const HALF_LIFE_MS = 30 * 60_000;

export const RISK: readonly Series[] = [
  { id: 'turn', name: 'Score of the turn', color: 'var(--series-1)' },
  { id: 'accumulated', name: 'Accumulated', color: 'var(--series-3)' },
];

/** The score of each turn in order, and the accumulated score at that turn. */
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

/** Steps between lines of a scale: 1, 2 or 5 times a power of ten. */
const STEPS = [1, 2, 5, 10];

/** Values for the lines of a scale, from 0 to at least `max`, in at most `count` steps; optionally whole numbers. */
export function niceTicks(max: number, count: number, isWhole: boolean): number[] {
  if (!(max > 0)) return [0, 1];
  const rough = max / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = (STEPS.find((factor) => factor * power >= rough) ?? 10) * power;
  const shown = isWhole ? Math.max(1, step) : step;
  // Rounds floating-point errors away, such as 0.1 + 0.2.
  return Array.from({ length: Math.ceil(max / shown) + 1 }, (_, at) => Number((at * shown).toPrecision(12)));
}

/** The lines of a chart's scale, whose end is at `atLeast` or above. */
export function ticksOf(
  kind: 'bars' | 'lines',
  points: readonly Point[],
  ids: readonly string[],
  atLeast: number,
  steps = 4,
): number[] {
  const areWhole = kind === 'bars' && points.every((point) => isWhole(point, ids));
  return niceTicks(Math.max(atLeast, highest(kind, points, ids)), Math.min(4, steps), areWhole);
}

function highest(kind: 'bars' | 'lines', points: readonly Point[], ids: readonly string[]): number {
  const heights = points.map((point) =>
    kind === 'bars' ? (stack(point, ids).at(-1)?.to ?? 0) : Math.max(0, ...ids.map((id) => Number(point[id] ?? 0))),
  );
  return Math.max(0, ...heights);
}

function isWhole(point: Point, ids: readonly string[]): boolean {
  return ids.every((id) => point[id] == null || Number.isInteger(point[id]));
}

export interface Segment {
  readonly id: string;
  readonly from: number;
  readonly to: number;
}

/** The stacked values of a column, in the order of `ids`, without those that are unknown or 0. */
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

/** Labels every n-th column, so that each label has at least `minPx`. Returns n. */
export function labelEvery(columns: number, widthPx: number, minPx: number): number {
  return Math.max(1, Math.ceil((columns * minPx) / Math.max(1, widthPx)));
}
