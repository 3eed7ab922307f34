/**
 * npm run generate recorded-calls: drives the deployed bundles with the tests of test/runtime and writes down what each function asks of
 * AWS, by its role, merged and sorted: test/deployment/permissions.test.ts holds it against the policies. Some minutes.
 * `-- --partial` writes also where a test failed, as on a machine that is too busy; other arguments go to jest.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CallTally, RECORDED_CALLS_FILE } from '../infra/recorded-calls.ts';

const partial = process.argv.includes('--partial');
const args = process.argv.slice(2).filter((arg) => arg !== '--partial');
const folder = mkdtempSync(path.join(tmpdir(), 'svc-calls-'));
try {
  const { status } = spawnSync(process.execPath, [path.join(import.meta.dirname, '../runtime/run.mjs'), ...args], {
    stdio: 'inherit',
    env: { ...process.env, SVC_RECORD_CALLS: folder },
  });
  if (status !== 0 && !partial) {
    throw new Error('Not written: what failed may not have called all that it calls. (--partial)');
  }
  const tallies = new Map();
  for (const file of readdirSync(folder)) {
    const { role, calls } = JSON.parse(readFileSync(path.join(folder, file), 'utf8'));
    if (!tallies.has(role)) tallies.set(role, new CallTally());
    for (const call of calls) tallies.get(role).add(call);
  }
  const roles = [...tallies]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([role, tally]) => [role, tally.calls()]);
  writeFileSync(RECORDED_CALLS_FILE, `${JSON.stringify(Object.fromEntries(roles), null, 1)}\n`);
  console.log(roles.map(([role, calls]) => `${role}: ${calls.length}`).join(', '));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
