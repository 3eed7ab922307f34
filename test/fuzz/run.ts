/**
 * npm test fuzz [-- --cases N --seed S --only NAME --out FILE]: cases near valid ones against the running service. Each
 * must get a response in time, without a 5xx, in its API's format, and within a stated bound of work. The service must stay
 * up, and its log must stay one JSON object per line. The last line is "N passed, N failed".
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { startFuzzedService } from './fuzzed-service.ts';
import { logFault } from './log-fault.ts';
import { type FuzzResult, report } from './report.ts';
import type { FuzzTarget } from './target.ts';
import { addressTarget } from './targets/addresses.ts';
import { adminTarget } from './targets/admin.ts';
import { rawTarget } from './targets/raw-http.ts';
import { requestTarget } from './targets/requests.ts';
import { ruleTarget } from './targets/rules.ts';
import { streamTarget } from './targets/streams.ts';
import { toolCallTarget } from './targets/tool-calls.ts';
import { withWorkBound } from './work-bound.ts';

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '3000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    only: { type: 'string', default: '' },
    out: { type: 'string' },
  },
});
const [cases, seed] = [Number(values.cases), Number(values.seed)];
if (!Number.isInteger(cases) || cases < 1 || !Number.isInteger(seed))
  throw new Error('--cases and --seed are whole numbers');
console.log(`seed ${seed}, ${cases} cases`);

const service = await startFuzzedService();
const results: FuzzResult[] = [];
try {
  const all: FuzzTarget[] = [
    requestTarget(service),
    streamTarget(service),
    toolCallTarget(service),
    rawTarget(service),
    ruleTarget(service),
    addressTarget(),
    // Last: it changes what the others meet.
    await adminTarget(service),
  ];
  const targets = all.filter(({ name }) => name.includes(values.only));
  const shares = targets.reduce((sum, { share }) => sum + share, 0);
  for (const target of targets) results.push(await check(target, Math.ceil((cases * target.share) / shares)));
  const fault = logFault(service.logs());
  results.push({ name: 'the log', cases: 1, seconds: 0, slowestMs: 0, statuses: [], failure: fault });
} finally {
  await service.stop();
}
for (const { name, failure } of results) if (failure !== undefined) console.log(`\n${name}\n${failure}`);
if (values.out !== undefined) writeFileSync(values.out, report(results, seed));
const failed = results.filter(({ failure }) => failure !== undefined).length;
console.log(`${results.reduce((sum, one) => sum + one.cases, 0) - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function check({ name, property }: FuzzTarget, numRuns: number): Promise<FuzzResult> {
  const startedAt = performance.now();
  service.takeStatuses();
  const bound = withWorkBound(property, service.workedMs);
  const details = await fc.check(bound.property, { seed, numRuns });
  const seconds = (performance.now() - startedAt) / 1000;
  const statuses = [...service.takeStatuses()]
    .sort(([a], [b]) => a - b)
    .map(([status, times]) => `${status}: ${times}`);
  console.log(
    `${name}: ${details.numRuns} cases in ${seconds.toFixed(1)} s, the most work ${bound.slowestMs()} ms; ${statuses.join(', ')}`,
  );
  const failure = details.failed
    ? `${details.errorInstance instanceof Error ? details.errorInstance.message : ''}\n${await fc.asyncDefaultReportMessage(details)}`
    : undefined;
  return { name, cases: details.numRuns, seconds, slowestMs: bound.slowestMs(), statuses, failure };
}
