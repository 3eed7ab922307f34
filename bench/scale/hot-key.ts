import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { DynamoLimitStore } from '../../functions/adapters/dynamo/dynamo-limit-store.ts';
import { type Limits, SharedAdmission } from '../../functions/control/limits/index.ts';
import { generator } from '../../training/generator.ts';
import { PlainBucket } from '../lib/plain-bucket.ts';
import { quantile } from '../lib/statistics.ts';
import { SimulatedPartition, type Writes } from './simulated-item.ts';

const START_MS = Date.parse('2026-11-21T00:00:00Z');
/** Turns of the event loop in a millisecond of the clock: what is due in it can happen. */
const TURNS = 4;
const DRAIN_MS = 2_000;
const KEY = 'key_hot';
/** Of WHILE_WAITING and BACKGROUND_ONCE (adapters/aws/clients.ts). */
const ATTEMPTS = { admission: 3, settlement: 9 };

export interface HotKey {
  readonly limits: Limits;
  readonly processes: number;
  /** How much of the full bucket of requests is used at the start. */
  readonly usedShare?: number;
  /** Requests a second, to any of the processes. */
  readonly rate: number;
  readonly requestMs: number;
  /** In which the rate grows from nothing. */
  readonly rampSeconds: number;
  /** After that. */
  readonly seconds: number;
  /** Which a request reserves, and uses. */
  readonly need: { readonly tokens: number; readonly nanoUsd: number };
  readonly used: { readonly tokens: number; readonly nanoUsd: number };
}

export interface HotKeyOutcome {
  readonly asked: number;
  readonly admitted: number;
  /** What one bucket, asked without delay, admits of the same requests. */
  readonly possible: number;
  readonly refused: number;
  /** That got 503. */
  readonly unavailable: number;
  /** The most requests that were admitted and had not ended, at any time. */
  readonly mostOpen: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly writes: Writes;
  /** These after the ramp. */
  readonly unitsASecond: number;
  readonly conflictsASecond: number;
  readonly throttledASecond: number;
  readonly unsettled: number;
}

/** One key's requests over many processes: the gateway's own admission and store, on a clock that this moves. */
export async function simulateHotKey(scenario: HotKey): Promise<HotKeyOutcome> {
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: START_MS });
  const clock = { now: () => Date.now(), monotonic: () => Date.now() };
  const random = generator(scenario.processes);
  const partition = new SimulatedPartition(random);
  const { capacity, intervalMicros } = scenario.limits.requests;
  const usedMicros = Math.floor(capacity * intervalMicros * (scenario.usedShare ?? 0));
  if (usedMicros > 0) partition.put(KEY, { fullAt: START_MS * 1_000 + usedMicros });
  const possible = new PlainBucket(scenario.limits, START_MS + usedMicros / 1_000);
  let unsettled = 0;
  const processes = Array.from({ length: scenario.processes }, () => {
    const clients = { client: partition.client(ATTEMPTS.admission), settling: partition.client(ATTEMPTS.settlement) };
    const onUnsettled = () => {
      unsettled += 1;
    };
    return new SharedAdmission(new DynamoLimitStore(clients, 'limits', clock), clock, { onUnsettled });
  });
  const counts = { asked: 0, admitted: 0, refused: 0, unavailable: 0, open: 0, mostOpen: 0 };
  const waits: number[] = [];
  const ask = async () => {
    counts.asked += 1;
    const cameAt = clock.now();
    possible.ask(cameAt);
    const by = processes[Math.floor(random() * processes.length)] as SharedAdmission;
    let verdict: Awaited<ReturnType<SharedAdmission['admit']>>;
    try {
      verdict = await by.admit(KEY, scenario.limits, scenario.need);
    } catch {
      counts.unavailable += 1;
      return;
    } finally {
      waits.push(clock.now() - cameAt);
    }
    if (!verdict.admitted) {
      counts.refused += 1;
      return;
    }
    counts.admitted += 1;
    counts.open += 1;
    counts.mostOpen = Math.max(counts.mostOpen, counts.open);
    const { reservation } = verdict;
    setTimeout(
      () => {
        counts.open -= 1;
        void reservation?.settle(scenario.used);
      },
      scenario.requestMs * 2 * random(),
    );
  };
  let due = 0;
  const rampMs = scenario.rampSeconds * 1_000;
  const steadily = { ...partition.writes };
  for (let ms = 0; ms < rampMs + scenario.seconds * 1_000; ms += 1) {
    if (ms === rampMs) Object.assign(steadily, partition.writes);
    for (due += (scenario.rate * Math.min(1, ms / (rampMs || 1))) / 1_000; due >= 1; due -= 1) void ask();
    mock.timers.tick(1);
    for (let at = 0; at < TURNS; at += 1) await turn();
  }
  const writes = { ...partition.writes };
  // What still waits is decided.
  for (let ms = 0; ms < DRAIN_MS; ms += 1) {
    mock.timers.tick(1);
    for (let at = 0; at < TURNS; at += 1) await turn();
  }
  const perSecond = (all: number, before: number) => (all - before) / scenario.seconds;
  const outcome = {
    ...counts,
    possible: possible.admitted,
    writes,
    unitsASecond: perSecond(writes.units, steadily.units),
    conflictsASecond: perSecond(writes.conflicts, steadily.conflicts),
    throttledASecond: perSecond(writes.throttled, steadily.throttled),
    unsettled,
    p50Ms: quantile(waits, 0.5),
    p99Ms: quantile(waits, 0.99),
  };
  mock.timers.reset();
  return outcome;
}
