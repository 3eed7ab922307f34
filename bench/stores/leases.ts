import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { DynamoLimitStore } from '../../functions/adapters/dynamo/dynamo-limit-store.ts';
import { type Limits, limitsOf, NO_NEED, SharedAdmission } from '../../functions/control/limits/index.ts';
import { generator } from '../../training/generator.ts';
import { percent, table } from '../detection/figures.ts';
import { PlainBucket } from '../lib/plain-bucket.ts';
import { SimulatedPartition } from '../scale/simulated-item.ts';
import { figure } from './figures.ts';

const PER_SECOND = 400;
const STEP_MS = 10;
const RUN_MS = 12_000;
/** Turns of the event loop in a millisecond of the clock. */
const TURNS = 4;
/** After the last request, for those that wait. */
const DRAIN_MS = 1_000;
/** Of WHILE_WAITING (adapters/aws/clients.ts). */
const ATTEMPTS = 3;
const BURST_MS = 100;
const BURSTS_EVERY_MS = 500;

interface Pattern {
  /** How many requests come now for one that comes on average. */
  readonly share: (ms: number) => number;
  /** Which function is asked; any of them where absent. */
  readonly by?: (ms: number) => number;
}

const PATTERNS: Readonly<Record<string, Pattern>> = {
  steady: { share: () => 1 },
  'in a tenth of a second of every half': {
    share: (ms) => (ms % BURSTS_EVERY_MS < BURST_MS ? BURSTS_EVERY_MS / BURST_MS : 0),
  },
  'to one function after another, a tenth of a second each': { share: () => 1, by: (ms) => Math.floor(ms / BURST_MS) },
};

interface Run {
  readonly bucket: string;
  readonly limits: Limits;
  readonly processes: number;
  readonly pattern: string;
  /** Requests that come, as a part of what the limit admits in the long run. */
  readonly offered: number;
}

/** What is not admitted because another process had put it aside and did not use it. */
export async function leasesSection(): Promise<string> {
  const rows: string[][] = [];
  for (const run of runs()) {
    const { asked, admitted, possible, writes } = await admitAll(run);
    rows.push([
      run.bucket,
      run.pattern,
      percent(run.offered),
      String(run.processes),
      String(asked),
      String(possible),
      String(admitted),
      percent(Math.max(0, 1 - admitted / possible)),
      figure(writes / asked),
    ]);
  }
  const heads = [
    'Bucket',
    'They come',
    'Of the limit',
    'Functions',
    'Requests',
    'Possible',
    'Admitted',
    'Lost',
    'Writes each',
  ];
  return `## What leases under-admit

A function that sees 8 requests of a key within 250 ms, and sees them still, takes, with the next write, for those that will come within the next
250 ms, or a sixteenth of the time in which the bucket fills where that is shorter: three quarters of as many as came, at most as
many as make a quarter of the room with those of the write itself, at most what refills in 2.5 s. Requests that it does not give out by then are lost, and so is the lease's
own length where the bucket was full; tokens, money and places are given back. So a limit is never exceeded, and a
function that is not asked any more, or dies, wastes one lease at most.

Of a key that many processes write, leases become longer and requests wait for others ([scale](scale.md#one-key)).

Measured on ${PER_SECOND} requests a second, ${RUN_MS / 1000} s of a clock that the bench moves, against a simulated partition. Possible: what one
bucket without leases admits of the same requests.

${table(heads, rows)}`;
}

function* runs(): Generator<Run> {
  for (const seconds of [1, 4]) {
    const rateLimit = { requests: PER_SECOND, period: 'second' as const, burst: seconds * PER_SECOND };
    const base = {
      bucket: `${seconds} s`,
      limits: limitsOf({ rateLimit, tokenLimit: null, budget: null, maxConcurrent: null }),
    };
    for (const pattern of Object.keys(PATTERNS)) {
      yield { ...base, pattern, offered: 0.9, processes: 8 };
      for (const processes of pattern === 'steady' ? [1, 4, 16, 64] : [8])
        yield { ...base, pattern, offered: 2, processes };
    }
  }
}

let made = 0;

async function admitAll({ limits, processes, pattern, offered }: Run) {
  made += 1;
  const keyId = `key_lease${made}`;
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.parse('2026-11-21T00:00:00Z') });
  const clock = { now: () => Date.now(), monotonic: () => Date.now() };
  const random = generator(made);
  const partition = new SimulatedPartition(random);
  const clients = { client: partition.client(ATTEMPTS), settling: partition.client(ATTEMPTS) };
  const functions = Array.from(
    { length: processes },
    () => new SharedAdmission(new DynamoLimitStore(clients, 'limits', clock), clock, { onUnsettled: () => {} }),
  );
  const possible = new PlainBucket(limits);
  let [asked, admitted] = [0, 0];
  const ask = async (by: number) => {
    const verdict = await (functions[by] as SharedAdmission).admit(keyId, limits, NO_NEED).catch(() => undefined);
    if (verdict?.admitted) admitted += 1;
  };
  for (let ms = 0; ms < RUN_MS + DRAIN_MS; ms += 1) {
    if (ms % STEP_MS === 0 && ms < RUN_MS) {
      const { share, by = () => Math.floor(random() * processes) } = PATTERNS[pattern] as Pattern;
      const now = Math.floor((PER_SECOND / 1000) * STEP_MS * offered * share(ms) + random());
      asked += now;
      for (let at = 0; at < now; at += 1) {
        possible.ask(clock.now());
        void ask(by(ms) % processes);
      }
    }
    mock.timers.tick(1);
    for (let at = 0; at < TURNS; at += 1) await turn();
  }
  mock.timers.reset();
  return { asked, admitted, possible: possible.admitted, writes: partition.writes.admissions };
}
