import type { Figures, Outcome, RequestRecord, ThreatType, UnknownCharge } from '../../kernel/model/index.ts';
import type { Aggregate } from './aggregate-store.ts';
import { type Cell, DAY_MS, isMinute, type Labels, startOf } from './cells.ts';

/** Money is added up in whole billionths of a dollar, so that a sum does not depend on the order of its parts. */
const NANOS = 1e9;

const COUNTERS = [
  'requests',
  'blocked',
  'flagged',
  'errors',
  'rateLimited',
  'clientErrors',
  'serverErrors',
  'inputTokens',
  'outputTokens',
  'priced',
  'unpriced',
  'partlyPriced',
  'cacheHits',
  'cacheMisses',
  'toolChanges',
] as const;
type Counter = (typeof COUNTERS)[number];

/** Totals in stored form; a counter that is 0 is absent. */
export interface StoredTotals extends Partial<Record<Counter, number>> {
  readonly costNanos?: number;
  readonly savedNanos?: number;
  readonly threats?: Partial<Record<ThreatType, number>>;
  /** Requests by charge that is not in `costNanos`, or not exactly. */
  readonly charges?: Partial<Record<UnknownCharge, number>>;
  readonly latency?: readonly number[];
  readonly firstToken?: readonly number[];
}

/** The totals of requests. Adding is exact, in any order and grouping. */
export class Totals {
  private readonly counters = Object.fromEntries(COUNTERS.map((name) => [name, 0])) as Record<Counter, number>;
  private costNanos = 0;
  private savedNanos = 0;
  private readonly threats = new Map<ThreatType, number>();
  private readonly charges = new Map<UnknownCharge, number>();
  private readonly latency = new LatencySketch();
  private readonly firstToken = new LatencySketch();

  static from(stored: StoredTotals): Totals {
    const totals = new Totals();
    for (const name of COUNTERS) totals.counters[name] = stored[name] ?? 0;
    totals.costNanos = stored.costNanos ?? 0;
    totals.savedNanos = stored.savedNanos ?? 0;
    addCounts(totals.threats, stored.threats ?? {});
    addCounts(totals.charges, stored.charges ?? {});
    totals.latency.merge(LatencySketch.from(stored.latency ?? []));
    totals.firstToken.merge(LatencySketch.from(stored.firstToken ?? []));
    return totals;
  }

  add(record: RequestRecord): void {
    const { state, tokens, costUsd, unknownCharges = [], cache, savedUsd = 0 } = record;
    this.counters.requests += 1;
    for (const outcome of outcomesOf(record)) this.counters[COUNTER_OF[outcome]] += 1;
    if (hasFailed(record)) this.counters.errors += 1;
    this.counters.inputTokens += tokens.input ?? 0;
    this.counters.outputTokens += tokens.output ?? 0;
    if (costUsd !== null) {
      this.counters.priced += 1;
      if (unknownCharges.length > 0) this.counters.partlyPriced += 1;
      this.costNanos += Math.round(costUsd * NANOS);
    } else if (tokens.input !== null || tokens.output !== null) this.counters.unpriced += 1;
    if (cache !== undefined) this.counters[cache === 'hit' ? 'cacheHits' : 'cacheMisses'] += 1;
    if (record.toolChange !== undefined) this.counters.toolChanges += 1;
    this.savedNanos += Math.round(savedUsd * NANOS);
    addCounts(this.threats, record.threats);
    addCounts(this.charges, Object.fromEntries(unknownCharges.map((charge) => [charge, 1])));
    // Only completed requests: a refusal is quick, and an interruption says nothing about the model.
    if (state === 'completed') this.latency.add(record.latencyMs);
    if (record.timeToFirstTokenMs !== null) this.firstToken.add(record.timeToFirstTokenMs);
  }

  merge(other: Totals): void {
    for (const name of COUNTERS) this.counters[name] += other.counters[name];
    this.costNanos += other.costNanos;
    this.savedNanos += other.savedNanos;
    addCounts(this.threats, Object.fromEntries(other.threats));
    addCounts(this.charges, Object.fromEntries(other.charges));
    this.latency.merge(other.latency);
    this.firstToken.merge(other.firstToken);
  }

  /** The rest after some of these requests. While requests are being counted, parts may be ahead of their sum: no rest is negative. */
  without(others: readonly Totals[]): Totals {
    const rest = Totals.from(this.toJSON());
    for (const other of others) {
      for (const name of COUNTERS) rest.counters[name] = Math.max(0, rest.counters[name] - other.counters[name]);
      rest.costNanos = Math.max(0, rest.costNanos - other.costNanos);
      rest.savedNanos = Math.max(0, rest.savedNanos - other.savedNanos);
      takeCounts(rest.threats, other.threats);
      takeCounts(rest.charges, other.charges);
      rest.latency.remove(other.latency);
      rest.firstToken.remove(other.firstToken);
    }
    return rest;
  }

  get isEmpty(): boolean {
    return this.counters.requests === 0;
  }

  toJSON(): StoredTotals {
    const counted = COUNTERS.filter((name) => this.counters[name] > 0).map((name) => [name, this.counters[name]]);
    const [latency, firstToken] = [this.latency.toJSON(), this.firstToken.toJSON()];
    return {
      ...Object.fromEntries(counted),
      ...(this.costNanos > 0 && { costNanos: this.costNanos }),
      ...(this.savedNanos > 0 && { savedNanos: this.savedNanos }),
      ...(this.threats.size > 0 && { threats: Object.fromEntries(this.threats) }),
      ...(this.charges.size > 0 && { charges: Object.fromEntries(this.charges) }),
      ...(latency.length > 0 && { latency }),
      ...(firstToken.length > 0 && { firstToken }),
    };
  }

  toFigures(): Figures {
    const {
      inputTokens,
      outputTokens,
      priced,
      unpriced,
      cacheHits: hits,
      cacheMisses: misses,
      toolChanges,
      ...counted
    } = this.counters;
    return {
      ...counted,
      tokens: { input: inputTokens, output: outputTokens },
      costUsd: priced === 0 && unpriced > 0 ? null : this.costNanos / NANOS,
      unpriced,
      ...(this.charges.size > 0 && { unknownCharges: Object.fromEntries(this.charges) }),
      ...(hits + misses > 0 && { cache: { hits, misses, savedUsd: this.savedNanos / NANOS } }),
      ...(toolChanges > 0 && { toolChanges }),
      latencyMs: percentilesOf(this.latency),
      timeToFirstTokenMs: percentilesOf(this.firstToken),
      threats: Object.fromEntries(this.threats),
    };
  }
}

function addCounts<Name extends string>(sums: Map<Name, number>, more: Readonly<Partial<Record<Name, number>>>): void {
  for (const [name, count] of Object.entries(more) as [Name, number][]) sums.set(name, (sums.get(name) ?? 0) + count);
}

function takeCounts<Name>(sums: Map<Name, number>, less: ReadonlyMap<Name, number>): void {
  for (const [name, count] of less) {
    const left = (sums.get(name) ?? 0) - count;
    if (left > 0) sums.set(name, left);
    else sums.delete(name);
  }
}

const COUNTER_OF: Readonly<Record<Outcome, Counter>> = {
  blocked: 'blocked',
  flagged: 'flagged',
  rate_limited: 'rateLimited',
  client_error: 'clientErrors',
  server_error: 'serverErrors',
};

/** What a request counts as; lists are filtered by the same, so that they agree with the totals. */
export function outcomesOf(record: RequestRecord): readonly Outcome[] {
  if (record.state === 'blocked') return ['blocked'];
  return [
    ...(record.action === 'allow' ? [] : (['flagged'] as const)),
    ...(hasFailed(record) ? [errorKindOf(record.status)] : []),
  ];
}

function hasFailed({ state }: RequestRecord): boolean {
  return state === 'failed' || state === 'expired';
}

function errorKindOf(status: number | null): Outcome {
  if (status === 429) return 'rate_limited';
  return status !== null && status >= 400 && status < 500 ? 'client_error' : 'server_error';
}

function percentilesOf(sketch: LatencySketch): Figures['latencyMs'] {
  const at = (q: number) => {
    const value = sketch.quantile(q);
    return value === null ? null : Math.round(value * 1000) / 1000;
  };
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

/** Minutes are for ranges of hours that end now. */
const MINUTES_KEPT_DAYS = 2;

/** A cell in stored form. */
export interface CellValue {
  readonly labels: Labels;
  readonly totals: StoredTotals;
}

/** The cell with more requests counted in. */
export function withRequests(
  { pk, sk, labels }: Cell,
  known: CellValue | undefined,
  records: readonly RequestRecord[],
  keptDays: number,
): Aggregate & { readonly value: CellValue } {
  const totals = Totals.from(known?.totals ?? {});
  for (const record of records) totals.add(record);
  const bucket = sk.slice(0, sk.indexOf('#'));
  return {
    key: { pk, sk },
    value: { labels, totals: totals.toJSON() },
    expiresAt: Math.ceil((startOf(bucket) + (isMinute(bucket) ? MINUTES_KEPT_DAYS : keptDays) * DAY_MS) / 1000),
  };
}

/** The largest relative error of a percentile: 1,000 ms is reported as 990 to 1,010. */
export const RELATIVE_ERROR = 0.01;

const GAMMA = (1 + RELATIVE_ERROR) / (1 - RELATIVE_ERROR);
const LOG_GAMMA = Math.log(GAMMA);
/** Shorter and longer times count as these, milliseconds: a microsecond, and a day. */
const SHORTEST_MS = 0.001;
const LONGEST_MS = 86_400_000;

/**
 * A distribution of durations, as counts between consecutive powers of a base. Sketches can be added, and percentiles
 * of the sum are as exact as those of the parts (DDSketch: https://arxiv.org/abs/1908.10693).
 */
export class LatencySketch {
  /** Counts by the smallest power of GAMMA that is not below the duration. */
  private readonly buckets = new Map<number, number>();

  /** The sketch that `toJSON` wrote. */
  static from(json: readonly number[]): LatencySketch {
    const sketch = new LatencySketch();
    for (let at = 0, index = 0; at < json.length; at += 2) {
      index += json[at] as number;
      sketch.buckets.set(index, json[at + 1] as number);
    }
    return sketch;
  }

  add(milliseconds: number): void {
    const bounded = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, milliseconds));
    this.count(Math.ceil(Math.log(bounded) / LOG_GAMMA), 1);
  }

  merge(other: LatencySketch): void {
    for (const [index, count] of other.buckets) this.count(index, count);
  }

  /** Takes out what is in another. */
  remove(other: LatencySketch): void {
    takeCounts(this.buckets, other.buckets);
  }

  /** The shortest duration that the share `q` (0..1) of all does not exceed, milliseconds; null without durations. */
  quantile(q: number): number | null {
    const indexes = [...this.buckets.keys()].sort((a, b) => a - b);
    const total = indexes.reduce((sum, index) => sum + this.at(index), 0);
    let rank = Math.max(1, Math.ceil(q * total));
    for (const index of indexes) {
      rank -= this.at(index);
      // The middle of the bucket, by ratio.
      if (rank <= 0) return (2 * GAMMA ** index) / (GAMMA + 1);
    }
    return null;
  }

  /** For each used bucket, in order, its distance from the one before and its count. */
  toJSON(): number[] {
    let before = 0;
    return [...this.buckets.keys()]
      .sort((a, b) => a - b)
      .flatMap((index) => {
        const step = index - before;
        before = index;
        return [step, this.at(index)];
      });
  }

  private count(index: number, by: number): void {
    this.buckets.set(index, this.at(index) + by);
  }

  private at(index: number): number {
    return this.buckets.get(index) ?? 0;
  }
}
