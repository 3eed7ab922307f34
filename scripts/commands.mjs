/**
 * Runs the programs of commands.json, which has the arguments of Node for each:
 * node scripts/commands.mjs bench|generate|test NAME [ARGUMENTS]
 * node scripts/commands.mjs test [ARGUMENTS OF JEST]: types, lint, then every test that needs only Node. The last line is
 * "N passed, N failed"; a failed check counts as one failure.
 */
import './check-node.mjs';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import commands from './commands.json' with { type: 'json' };

const ROOT = path.resolve(import.meta.dirname, '..');
const CHECKS = [
  ['types', 'tsc', []],
  ['types of the dashboard', 'tsc', ['-p', 'dashboard']],
  ['lint', 'biome', ['ci', '.']],
];

const [group, name, ...args] = process.argv.slice(2);
if (Object.hasOwn(commands, group) && name !== undefined && Object.hasOwn(commands[group], name)) {
  process.exitCode = runCommand(group, name, args);
} else if (group === 'test') {
  process.exitCode = testAll(process.argv.slice(3));
} else {
  console.error(`usage: npm run ${group} NAME -- [OPTIONS]; names: ${Object.keys(commands[group]).join(', ')}`);
  process.exitCode = 2;
}

/** Runs one command in the repository's root and returns its exit status. */
function runCommand(group, name, args) {
  return spawnSync(process.execPath, [...commands[group][name], ...args], { cwd: ROOT, stdio: 'inherit' }).status ?? 1;
}

/** Runs the checks and all tests, and returns the exit status. */
function testAll(args) {
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
      ...args,
    ],
    { stdio: ['inherit', 'pipe', 'inherit'], maxBuffer: 1 << 28 },
  );
  const output = jest.stdout.toString();
  const totals = /^(\d+) passed, (\d+) failed$/m.exec(output);
  process.stdout.write(output.replace(/^\d+ passed, \d+ failed\n/m, ''));
  const passed = Number(totals?.[1] ?? 0) + CHECKS.length - failedChecks.length;
  // A run without totals did not finish.
  const failed = Number(totals?.[2] ?? 1) + failedChecks.length;
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 && jest.status === 0 ? 0 : 1;
}

function run(command, args, options = {}) {
  return spawnSync(command, args, { cwd: ROOT, stdio: 'inherit', shell: process.platform === 'win32', ...options });
}
