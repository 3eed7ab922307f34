/**
 * npm test: types, lint, the generated documents, then every test that needs nothing but Node; arguments go to jest.
 * npm test SUITE runs one suite of commands.mjs instead. The last line is "N passed, N failed"; a failed check counts as one failure.
 */
import './check-node.mjs';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { isCommand, runCommand } from './commands.mjs';

const ROOT = path.resolve(import.meta.dirname, '..');
const CHECKS = [
  ['types', 'tsc', []],
  ['types of the dashboard', 'tsc', ['-p', 'dashboard']],
  ['lint', 'biome', ['ci', '.']],
];

function run(command, args, options = {}) {
  return spawnSync(command, args, { cwd: ROOT, stdio: 'inherit', shell: process.platform === 'win32', ...options });
}

const [suite, ...suiteArgs] = process.argv.slice(2);
if (isCommand('test', suite)) process.exit(runCommand('test', suite, suiteArgs));

const failedChecks = CHECKS.filter(([name, command, args]) => {
  const startedAt = performance.now();
  const { status } = run(path.join('node_modules', '.bin', command), args);
  console.log(`${name}: ${status === 0 ? 'passed' : 'FAILED'} in ${Math.round(performance.now() - startedAt)} ms`);
  return status !== 0;
});

const jest = run(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    path.join('node_modules', 'jest', 'bin', 'jest.js'),
    '--reporters=default',
    '--reporters=<rootDir>/scripts/count-reporter.mjs',
    ...process.argv.slice(2),
  ],
  { stdio: ['inherit', 'pipe', 'inherit'], maxBuffer: 1 << 28 },
);
const output = jest.stdout.toString();
const totals = /^(\d+) passed, (\d+) failed$/m.exec(output);
process.stdout.write(output.replace(/^\d+ passed, \d+ failed\n/m, ''));
const passed = Number(totals?.[1] ?? 0) + CHECKS.length - failedChecks.length;
// A run that gave no totals did not get to its end.
const failed = Number(totals?.[2] ?? 1) + failedChecks.length;
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && jest.status === 0 ? 0 : 1;
