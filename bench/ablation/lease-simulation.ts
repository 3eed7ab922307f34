import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { limitsOf, SharedAdmission } from '../../functions/control/limits/index.ts';
import { KeyLease } from '../../functions/control/limits/key-lease.ts';
import { MemoryLimitStore } from '../../functions/control/limits/memory-limit-store.fixture.ts';
import { generator } from '../../training/generator.ts';
import { median, quantile } from '../lib/statistics.ts';

const START_MS = Date.parse('2026-11-21T00:00:00Z');
const RUN_MS = 10_000;
/** About as long as DynamoDB takes for a write. */
export const WRITE_MS = 5;
const AT_ONCE = [16, 64] as const;
/** How long a request runs after its admission, and a client pauses before the next, on average. */
const RESPONSE_MS = [20, 500, 2_000] as const;
/** Turns of the event loop in a millisecond of the clock: what is due in it can happen. */
const TURNS = 4;
const NEED = { tokens: 500, nanoUsd: 1_000 };
const USED = { tokens: 200, nanoUsd: 400 };
const RATE = { requests: 1_000_000, period: 'minute' } as const;
const LIMITS = {
  'a rate limit': limitsOf({ rateLimit: RATE, tokenLimit: null, budget: null, maxConcurrent: null }),
  'every limit': limitsOf({
    rateLimit: RATE,
    tokenLimit: { tokens: 1_000_000_000, period: 'minute' },
    budget: { usd: 100_000, period: 'day' },
    maxConcurrent: 1_000,
  }),
} as const;

interface Outcome {
  readonly requests: number;
  /** Admissions that were written, and settlements, a request. */
  readonly takes: number;
  readonly settles: number;
  /** What a request waits for its admission, on the simulated clock. */
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface SimulatedLease {
  readonly limits: string;
  readonly atOnce: number;
  readonly responseMs: number;
  readonly withLeases: Outcome;
  readonly without: Outcome;
}

/** One process with leases and without, on a clock that this moves: the figures do not depend on the machine. */
export async function simulateLeases(): Promise<SimulatedLease[]> {
  const { requestFor } = KeyLease.prototype;
  const results: SimulatedLease[] = [];
  for (const name of ['a rate limit', 'every limit'] as const)
    for (const atOnce of AT_ONCE)
      for (const responseMs of RESPONSE_MS) {
        const withLeases = await simulate({ limits: LIMITS[name], atOnce, responseMs });
        KeyLease.prototype.requestFor = () => undefined;
        const without = await simulate({ limits: LIMITS[name], atOnce, responseMs });
        KeyLease.prototype.requestFor = requestFor;
        results.push({ limits: name, atOnce, responseMs, withLeases, without });
      }
  return results;
}

interface Scenario {
  readonly limits: ReturnType<typeof limitsOf>;
  readonly atOnce: number;
  readonly responseMs: number;
}

async function simulate({ limits, atOnce, responseMs }: Scenario): Promise<Outcome> {
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: START_MS });
  const clock = { now: () => Date.now(), monotonic: () => Date.now() };
  const calls = { takes: 0, settles: 0 };
  const store = new MemoryLimitStore(clock.now);
  const slowly = async <T>(kind: keyof typeof calls, write: () => Promise<T>) => {
    calls[kind] += 1;
    await pause(WRITE_MS);
    return write();
  };
  const { take, settle } = store;
  store.take = (...ask) => slowly('takes', () => take.apply(store, ask));
  store.settle = (...ask) => slowly('settles', () => settle.apply(store, ask));
  const admission = new SharedAdmission(store, clock, { onUnsettled: () => {} });
  const waits: number[] = [];
  const random = generator(atOnce);
  const client = async () => {
    while (clock.now() < START_MS + RUN_MS) {
      await pause(responseMs * 2 * random());
      const cameAt = clock.now();
      const verdict = await admission.admit('key', limits, NEED);
      waits.push(clock.now() - cameAt);
      if (!verdict.admitted) throw new Error('the limit is too low');
      await pause(responseMs * 2 * random());
      void verdict.reservation?.settle(USED);
    }
  };
  let isRunning = true;
  const clients = Promise.all(Array.from({ length: atOnce }, client)).then(() => {
    isRunning = false;
  });
  while (isRunning) {
    mock.timers.tick(1);
    for (let at = 0; at < TURNS; at++) await turn();
  }
  await clients;
  mock.timers.reset();
  return {
    requests: waits.length,
    takes: calls.takes / waits.length,
    settles: calls.settles / waits.length,
    p50Ms: median(waits),
    p99Ms: quantile(waits, 0.99),
  };
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
