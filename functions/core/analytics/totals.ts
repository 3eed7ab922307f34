import type { Figures, RequestRecord } from '../model/analytics.ts';
import type { ThreatType } from '../model/threat.ts';
import { LatencySketch } from './latency-sketch.ts';

/** Money is added up in whole billionths of a dollar, so that a sum does not depend on the order of its parts. */
const NANOS = 1e9;

type Counter = 'requests' | 'blocked' | 'flagged' | 'errors' | 'inputTokens' | 'outputTokens' | 'priced' | 'unpriced';
const COUNTERS: readonly Counter[] = [
  'requests',
  'blocked',
  'flagged',
  'errors',
  'inputTokens',
  'outputTokens',
  'priced',
  'unpriced',
];

/** Totals as they are stored; a counter that is 0 is absent. */
export interface StoredTotals extends Partial<Record<Counter, number>> {
  readonly costNanos?: number;
  readonly threats?: Partial<Record<ThreatType, number>>;
  readonly latency?: readonly number[];
  readonly firstToken?: readonly number[];
}

/** What requests add up to. Adding is exact, and neither order nor grouping makes a difference. */
export class Totals {
  private readonly counters: Record<Counter, number> = {
    requests: 0,
    blocked: 0,
    flagged: 0,
    errors: 0,
    inputTokens: 0,
    outputTokens: 0,
    priced: 0,
    unpriced: 0,
  };
  private costNanos = 0;
  private readonly threats = new Map<ThreatType, number>();
  private readonly latency = new LatencySketch();
  private readonly firstToken = new LatencySketch();

  static from(stored: StoredTotals): Totals {
    const totals = new Totals();
    for (const name of COUNTERS) totals.counters[name] = stored[name] ?? 0;
    totals.costNanos = stored.costNanos ?? 0;
    totals.addThreats(stored.threats ?? {});
    totals.latency.merge(LatencySketch.from(stored.latency ?? []));
    totals.firstToken.merge(LatencySketch.from(stored.firstToken ?? []));
    return totals;
  }

  add(record: RequestRecord): void {
    const { state, action, tokens, costUsd } = record;
    this.counters.requests += 1;
    if (state === 'blocked') this.counters.blocked += 1;
    else if (action !== 'allow') this.counters.flagged += 1;
    if (state === 'failed' || state === 'expired') this.counters.errors += 1;
    this.counters.inputTokens += tokens.input ?? 0;
    this.counters.outputTokens += tokens.output ?? 0;
    if (costUsd !== null) {
      this.counters.priced += 1;
      this.costNanos += Math.round(costUsd * NANOS);
    } else if (tokens.input !== null || tokens.output !== null) this.counters.unpriced += 1;
    this.addThreats(record.threats);
    // A refusal is quick, and what was cut off says nothing of a model.
    if (state === 'completed') this.latency.add(record.latencyMs);
    if (record.timeToFirstTokenMs !== null) this.firstToken.add(record.timeToFirstTokenMs);
  }

  merge(other: Totals): void {
    for (const name of COUNTERS) this.counters[name] += other.counters[name];
    this.costNanos += other.costNanos;
    this.addThreats(Object.fromEntries(other.threats));
    this.latency.merge(other.latency);
    this.firstToken.merge(other.firstToken);
  }

  toJSON(): StoredTotals {
    const counted = COUNTERS.filter((name) => this.counters[name] > 0).map((name) => [name, this.counters[name]]);
    const [latency, firstToken] = [this.latency.toJSON(), this.firstToken.toJSON()];
    return {
      ...Object.fromEntries(counted),
      ...(this.costNanos > 0 && { costNanos: this.costNanos }),
      ...(this.threats.size > 0 && { threats: Object.fromEntries(this.threats) }),
      ...(latency.length > 0 && { latency }),
      ...(firstToken.length > 0 && { firstToken }),
    };
  }

  toFigures(): Figures {
    const { requests, blocked, flagged, errors, inputTokens, outputTokens, priced, unpriced } = this.counters;
    return {
      requests,
      blocked,
      flagged,
      errors,
      tokens: { input: inputTokens, output: outputTokens },
      costUsd: priced === 0 && unpriced > 0 ? null : this.costNanos / NANOS,
      unpriced,
      latencyMs: percentilesOf(this.latency),
      timeToFirstTokenMs: percentilesOf(this.firstToken),
      threats: Object.fromEntries(this.threats),
    };
  }

  private addThreats(threats: Readonly<Partial<Record<ThreatType, number>>>): void {
    for (const [type, count] of Object.entries(threats) as [ThreatType, number][]) {
      this.threats.set(type, (this.threats.get(type) ?? 0) + count);
    }
  }
}

function percentilesOf(sketch: LatencySketch): Figures['latencyMs'] {
  const at = (q: number) => {
    const value = sketch.quantile(q);
    return value === null ? null : Math.round(value * 1000) / 1000;
  };
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}
