import { BACKGROUND_ONCE, createDynamoClient } from '../../functions/adapters/aws/clients.ts';
import { DynamoLimitStore } from '../../functions/adapters/dynamo/dynamo-limit-store.ts';
import { type Limits, limitsOf, NO_NEED, SharedAdmission } from '../../functions/control/limits/index.ts';
import { startEmbeddedStores } from '../../lib/local/embedded-stores.ts';
import { generator } from '../../training/generator.ts';
import { percent, table } from '../detection/figures.ts';
import { startMeasuredStore } from '../lib/measured-store.ts';
import { PlainBucket } from '../lib/plain-bucket.ts';
import { reachStoresAt } from './bench-gateway.ts';
import { figure } from './figures.ts';

const PER_SECOND = 400;
const STEP_MS = 10;
const RUN_MS = 12_000;
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
  const stores = await startEmbeddedStores();
  const measured = await startMeasuredStore(stores.dynamodbUrl);
  reachStoresAt(measured.url, stores.sqsUrl);
  const rows: string[][] = [];
  for (const run of runs()) {
    measured.take();
    const { asked, admitted, possible } = await admitAll(run);
    // The embedded table does not report what prevented a write, and is read for it; AWS's does.
    const calls = measured.take().filter(({ name }) => name === 'admission').length;
    rows.push([
      run.bucket,
      run.pattern,
      percent(run.offered),
      String(run.processes),
      String(asked),
      String(possible),
      String(admitted),
      percent(1 - admitted / possible),
      figure(calls / asked),
    ]);
  }
  measured.stop();
  await stores.stop();
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

Measured on ${PER_SECOND} requests a second, ${RUN_MS / 1000} s of a clock that the bench moves, against the embedded table. Possible: what one
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
  const clock = { time: Date.parse('2026-11-21T00:00:00Z'), now: () => clock.time, monotonic: () => clock.time };
  const clients = { client: createDynamoClient(), settling: createDynamoClient({ retries: BACKGROUND_ONCE }) };
  const functions = Array.from(
    { length: processes },
    () => new SharedAdmission(new DynamoLimitStore(clients, 'limits', clock), clock, { onUnsettled: () => {} }),
  );
  const random = generator(made);
  const possible = new PlainBucket(limits);
  let [asked, admitted] = [0, 0];
  for (let ms = 0; ms < RUN_MS; ms += STEP_MS) {
    const { share, by = () => Math.floor(random() * processes) } = PATTERNS[pattern] as Pattern;
    const expected = (PER_SECOND / 1000) * STEP_MS * offered * share(ms);
    const now = Math.floor(expected + random());
    asked += now;
    for (let at = 0; at < now; at += 1) possible.ask(clock.time);
    const verdicts = await Promise.all(
      Array.from({ length: now }, () =>
        (functions[by(ms) % processes] as SharedAdmission).admit(keyId, limits, NO_NEED),
      ),
    );
    admitted += verdicts.filter((verdict) => verdict.admitted).length;
    clock.time += STEP_MS;
  }
  return { asked, admitted, possible: possible.admitted };
}
