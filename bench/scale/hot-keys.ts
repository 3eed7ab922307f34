import { limitsOf } from '../../functions/control/limits/index.ts';
import type { RateLimit } from '../../functions/kernel/model/index.ts';
import { table } from '../lib/table.ts';
import { type HotKey, type HotKeyOutcome, simulateHotKey } from './hot-key.ts';
import { PUBLISHED } from './limits.ts';

const RATE = 5_000;
const RUN = { rampSeconds: 4, seconds: 5, need: { tokens: 500, nanoUsd: 1e6 }, used: { tokens: 200, nanoUsd: 4e5 } };
const limits = (rateLimit: RateLimit) =>
  limitsOf({
    rateLimit,
    tokenLimit: { tokens: 10_000_000_000, period: 'minute' },
    budget: { usd: 1_000_000, period: 'day' },
    maxConcurrent: 60_000,
  });
const ROOMY = { limits: limits({ requests: 20_000_000, period: 'hour' }), rate: RATE, requestMs: 2_000 };
/** Half as many again as the limit admits. */
const TOO_MANY = { rate: RATE * 1.5, requestMs: 500 };
const SECOND = limits({ requests: RATE, period: 'second' });
const MINUTE = limits({ requests: RATE * 60, period: 'minute' });
const HOUR = limits({ requests: RATE * 3_600, period: 'hour' });

const SCENARIOS: readonly (readonly [string, Omit<HotKey, 'rampSeconds' | 'seconds' | 'need' | 'used'>])[] = [
  ...[10, 50, 100, 200, 400].map((processes) => ['below its limits', { ...ROOMY, processes }] as const),
  ...[10, 50, 200].map((processes) => ['at a limit of a second', { ...TOO_MANY, limits: SECOND, processes }] as const),
  ...[10, 50, 200].map(
    (processes) => ['at a limit of a minute', { ...TOO_MANY, limits: MINUTE, processes, usedShare: 0.99 }] as const,
  ),
  ...[200].map(
    (processes) => ['at a limit of an hour', { ...TOO_MANY, limits: HOUR, processes, usedShare: 0.9998 }] as const,
  ),
];

/** One key over many processes. */
export async function hotKeysChapter(): Promise<string> {
  const rows: string[][] = [];
  for (const [name, scenario] of SCENARIOS) {
    const outcome = await simulateHotKey({ ...RUN, ...scenario });
    rows.push([name, String(scenario.processes), ...cellsOf(outcome)]);
  }
  return `## One key

${RATE.toLocaleString('en-US')} requests a second of one key with limits of rate, tokens, money and concurrency (half as many again "at a limit"), spread at random over processes that serve many requests
at once; ${RUN.rampSeconds} s in which the rate grows, then ${RUN.seconds} s. The gateway's own code for admission and its expressions, on a simulated clock; the item's partition takes ${PUBLISHED.dynamodb.partitionWrites.toLocaleString('en-US')} write units a second and refuses more; a
write takes 5 ms, and conflicts and repetitions are as they come. 503: the store refused three times. Waits are those for admission. One bucket: asked without any delay; requests that waited may find more in
theirs, hence more than 100 %.

${table(
  [
    'The key is',
    'Processes',
    'Write units a second',
    'Conflicts a second',
    'Refused by the partition, a second',
    '503',
    'Admitted, of what one bucket admits',
    'Wait p50',
    'p99',
  ],
  rows,
)}

Environments that serve one request at a time (\`function-url\`) have nothing to share: each request is a write before and one after it, so a key is bound to ${PUBLISHED.dynamodb.partitionWrites / 2} requests a second there.`;
}

function cellsOf(outcome: HotKeyOutcome): string[] {
  const { unitsASecond, conflictsASecond, throttledASecond, asked, unavailable, admitted, possible, p50Ms, p99Ms } =
    outcome;
  const share = (part: number) => (part === 0 ? '0' : `${((part / asked) * 100).toFixed(2)} %`);
  return [
    unitsASecond.toFixed(0),
    conflictsASecond.toFixed(0),
    throttledASecond.toFixed(0),
    share(unavailable),
    `${((admitted / possible) * 100).toFixed(1)} %`,
    `${p50Ms} ms`,
    `${p99Ms} ms`,
  ];
}
