/**
 * Runs the programs of commands.json, which has the arguments of Node for each:
 * node scripts/commands.mjs bench|generate|test NAME [ARGUMENTS]
 * node scripts/commands.mjs test [ARGUMENTS OF JEST]: types, lint, then every test that needs only Node. The last line is
 * "N passed, N failed"; a failed check counts as one failure.
 */
import './check-node.mjs';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import commands from './commands.json' with { type: 'json' };

const ROOT = path.resolve(import.meta.dirname, '..');
const binary = (name) => path.join('node_modules', '.bin', name);
const CHECKS = [
  ['types', binary('tsc'), []],
  ['types of the dashboard', binary('tsc'), ['-p', 'dashboard']],
  ['lint', binary('biome'), ['ci', '.']],
  ['wording', process.execPath, ['scripts/wording.mjs']],
];

const [group, name, ...args] = process.argv.slice(2);
if (Object.hasOwn(commands, group) && name !== undefined && Object.hasOwn(commands[group], name)) {
  process.exitCode = runCommand(group, name, args);
} else if (group === 'test') {
  process.exitCode = await testAll(process.argv.slice(3));
} else {
  console.error(`usage: npm run ${group} NAME -- [OPTIONS]; names: ${Object.keys(commands[group]).join(', ')}`);
  process.exitCode = 2;
}

/** Runs one command in the repository's root and returns its exit status. */
function runCommand(group, name, args) {
  return spawnSync(process.execPath, [...commands[group][name], ...args], { cwd: ROOT, stdio: 'inherit' }).status ?? 1;
}

/** Runs the checks and, at the same time, all tests; returns the exit status. */
async function testAll(args) {
  const checks = CHECKS.map(async ([name, command, args]) => {
    const { status, output } = await run(command, args);
    return { name, output, isPassed: status === 0 };
  });
  const jest = await run(process.execPath, [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    path.join('node_modules', 'jest', 'bin', 'jest.js'),
    ...args,
    '--reporters=default',
    '--reporters=<rootDir>/scripts/count-reporter.mjs',
  ]);
  const totals = /^(\d+) passed, (\d+) failed$/m.exec(jest.output);
  process.stdout.write(jest.output.replace(/^\d+ passed, \d+ failed\n/m, ''));
  let passed = Number(totals?.[1] ?? 0);
  // A run without totals did not finish.
  let failed = Number(totals?.[2] ?? 1);
  for (const { name, output, isPassed } of await Promise.all(checks)) {
    if (isPassed) passed += 1;
    else failed += 1;
    console.log(`${name}: ${isPassed ? 'passed' : `FAILED\n${output}`}`);
  }
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 && jest.status === 0 ? 0 : 1;
}

/** Runs a command to its end. Its errors appear at once, its output is returned. */
async function run(command, args) {
  const child = spawn(command, args, {
    cwd: ROOT,
    stdio: ['inherit', 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  });
  const [output, [status]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return { status, output };
}
