/**
 * `npm test faults [-- --seconds N --seed N --store local|dynamodb-local --out FILE --ledger FILE --judge FILE]`: mixed traffic against the running service while
 * its providers, stores, queues, receivers, processes and clocks fail. Then all invariants are checked against what callers,
 * provider and receivers recorded. `--ledger FILE` stores these records; `--judge FILE` checks them again. The last line is
 * "N passed, N failed".
 */
import '../../scripts/check-node.mjs';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { INVARIANTS } from './invariants/index.ts';
import { judge } from './invariants/judge.ts';
import { type Notes, readNotes, writeNotes } from './notes.ts';
import { report } from './report.ts';
import { soak } from './soak.ts';
import { STORES } from './stores.ts';

const SHOWN = 8;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    store: { type: 'string', default: 'local' },
    out: { type: 'string' },
    ledger: { type: 'string' },
    judge: { type: 'string' },
  },
});
const { run, ledger } = values.judge === undefined ? await soaked() : readNotes(values.judge);
const results = judge(INVARIANTS, ledger);
for (const { invariant, checked, excused, violations } of results) {
  console.log(
    `${violations.length === 0 ? 'holds' : 'VIOLATED'}: ${invariant.name} (${checked} cases, ${excused} excused)`,
  );
  for (const violation of violations.slice(0, SHOWN)) console.log(`  ${violation}`);
  if (violations.length > SHOWN) console.log(`  and ${violations.length - SHOWN} more`);
}
const text = report(ledger, results, run, values.judge !== undefined);
console.log(`\n${text}`);
if (values.out !== undefined) writeFileSync(values.out, text);
if (values.ledger !== undefined) writeNotes(values.ledger, { run, ledger });
const failed = results.filter(({ violations }) => violations.length > 0).length;
console.log(`${results.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function soaked(): Promise<Notes> {
  const [seconds, seed] = [Number(values.seconds), Number(values.seed)];
  const store = STORES.find((name) => name === values.store);
  if (!(seconds >= 1) || !Number.isInteger(seed)) throw new Error('--seconds and --seed are numbers');
  if (store === undefined) throw new Error(`--store is one of ${STORES.join(', ')}`);
  if (store === 'dynamodb-local' && spawnSync('java', ['-version'], { stdio: 'ignore' }).status !== 0) {
    console.log('java not found: skipped');
    process.exit(0);
  }
  console.log(`seed ${seed}, ${seconds} s of faults, store ${store}`);
  const ledger = await soak({ seconds, seed, store, say: console.log });
  return { run: { seconds, seed, store, load: loadavg()[1] ?? 0 }, ledger };
}
