import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoLimitStore } from '../../functions/adapters/dynamo/dynamo-limit-store.ts';
import { KeyLease } from '../../functions/control/limits/key-lease.ts';
import { createInspector } from '../../functions/inspection/detectors/index.ts';
import type { StoreAddresses } from '../../lib/local/create-resources.ts';
import { cpuMs } from '../lib/process-usage.ts';
import { median, quantile } from '../lib/statistics.ts';
import { BenchGateway, reachStoresAt } from '../stores/bench-gateway.ts';
import { type Interval, medianInterval } from './interval.ts';

const AT_ONCE = [16, 64] as const;
/** How much longer an admission takes than in the embedded table; DynamoDB completes a write within a few milliseconds. */
const WRITE_DELAYS_MS = [0, 5] as const;
const ROUND_MS = 2_000;
const RATE = { rateLimit: { requests: 1_000_000, period: 'minute' } };
const LIMITS = {
  'a rate limit': RATE,
  'every limit': {
    ...RATE,
    tokenLimit: { tokens: 1_000_000_000, period: 'minute' },
    budget: { usd: 100_000, period: 'day' },
    maxConcurrent: 1_000,
  },
} as const;
const { requestFor } = KeyLease.prototype;

interface Round {
  readonly requests: number;
  /** Of the gateway's process, and of the stores', a request. */
  readonly cpuMs: number;
  readonly storesCpuMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Admissions that were written, a request. */
  readonly writes: number;
}

type Figures = Pick<Round, 'p50Ms' | 'p99Ms' | 'writes'> & { readonly perCpuSecond: number };

export interface LeaseResult {
  readonly limits: string;
  readonly atOnce: number;
  readonly writeDelayMs: number;
  /** Medians of the rounds. */
  readonly withLeases: Figures;
  readonly without: Figures;
  /** With leases for without, in the rounds of a pair. */
  readonly cpu: Interval;
  readonly storesCpu: Interval;
  readonly p50: Interval;
}

let writes = 0;
let writeDelayMs = 0;

/** The gateway with leases and without, in turn, over stores in another process. */
export async function measureLeases(pairs: number): Promise<LeaseResult[]> {
  const stores = fork(path.join(import.meta.dirname, '../../lib/local/stores-process.ts'), [], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [addresses] = (await once(stores, 'message')) as [StoreAddresses];
  reachStoresAt(addresses.dynamodbUrl, addresses.sqsUrl);
  countWrites();
  const gateway = new BenchGateway(createInspector(), addresses.eventsQueueUrl);
  const results: LeaseResult[] = [];
  for (const [limits, fields] of Object.entries(LIMITS))
    for (const atOnce of AT_ONCE)
      for (const delay of WRITE_DELAYS_MS) {
        writeDelayMs = delay;
        const round = (hasLeases: boolean) =>
          runRound({ gateway, storesPid: stores.pid as number, fields, atOnce, hasLeases });
        const rounds: (readonly [Round, Round])[] = [];
        for (let pair = -1; pair < pairs; pair++) {
          const first = await round(pair % 2 === 0);
          const second = await round(pair % 2 !== 0);
          // The first pair warms up.
          if (pair >= 0) rounds.push(pair % 2 === 0 ? [first, second] : [second, first]);
        }
        results.push({ limits, atOnce, writeDelayMs: delay, ...compare(rounds) });
      }
  stores.disconnect();
  return results;
}

function countWrites(): void {
  const { take } = DynamoLimitStore.prototype;
  DynamoLimitStore.prototype.take = async function (...ask) {
    writes += 1;
    if (writeDelayMs > 0) await sleep(writeDelayMs);
    return take.apply(this, ask);
  };
}

interface Setting {
  readonly gateway: BenchGateway;
  readonly storesPid: number;
  readonly fields: object;
  readonly atOnce: number;
  readonly hasLeases: boolean;
}

/** Sends requests of a new key, so many at once; with what is written behind the last response. */
async function runRound({ gateway, storesPid, fields, atOnce, hasLeases }: Setting): Promise<Round> {
  KeyLease.prototype.requestFor = hasLeases ? requestFor : () => undefined;
  const key = await gateway.newKey(fields);
  const loud = process.stdout.write;
  process.stdout.write = () => true;
  const times: number[] = [];
  const before = { own: process.cpuUsage(), stores: cpuMs(storesPid), writes };
  const until = performance.now() + ROUND_MS;
  const client = async () => {
    while (performance.now() < until) {
      const startedAt = performance.now();
      await gateway.ask(key, 'Hello there');
      times.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  await gateway.idle();
  process.stdout.write = loud;
  const { user, system } = process.cpuUsage(before.own);
  return {
    requests: times.length,
    cpuMs: (user + system) / 1000 / times.length,
    storesCpuMs: (cpuMs(storesPid) - before.stores) / times.length,
    p50Ms: median(times),
    p99Ms: quantile(times, 0.99),
    writes: (writes - before.writes) / times.length,
  };
}

function compare(rounds: readonly (readonly [Round, Round])[]) {
  const figures = (at: 0 | 1): Figures => {
    const of = (field: keyof Round) => median(rounds.map((pair) => pair[at][field]));
    return { perCpuSecond: 1000 / of('cpuMs'), p50Ms: of('p50Ms'), p99Ms: of('p99Ms'), writes: of('writes') };
  };
  const ratio = (field: keyof Round) => medianInterval(rounds.map(([on, off]) => on[field] / off[field]));
  return {
    withLeases: figures(0),
    without: figures(1),
    cpu: ratio('cpuMs'),
    storesCpu: ratio('storesCpuMs'),
    p50: ratio('p50Ms'),
  };
}
