/**
 * Runs the programs of commands.json, which has the arguments of Node for each:
 * node scripts/commands.mjs bench|generate|test NAME [ARGUMENTS]
 * node scripts/commands.mjs test: all checks, and every test that needs only Node. A failed check counts as one failure.
 * node scripts/commands.mjs test ARGUMENTS OF JEST: tests alone, by the settings of the suite that the named files belong to.
 * The last line of tests is "N passed, N failed".
 */
import './check-node.mjs';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { check } from './check.mjs';
import commands from './commands.json' with { type: 'json' };

const ROOT = path.resolve(import.meta.dirname, '..');
const JEST = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  path.join('node_modules', 'jest', 'bin', 'jest.js'),
];
/** Last, because jest takes what follows for more of them. */
const REPORTERS = ['--reporters=default', '--reporters=<rootDir>/scripts/count-reporter.mjs'];

const [group, name, ...args] = process.argv.slice(2);
if (Object.hasOwn(commands, group) && name !== undefined && Object.hasOwn(commands[group], name)) {
  process.exitCode = runNode([...commands[group][name], ...args]);
} else if (group === 'test') {
  process.exitCode = name === undefined ? await testAll() : testSome(process.argv.slice(3));
} else {
  console.error(`usage: npm run ${group} NAME -- [OPTIONS]; names: ${Object.keys(commands[group]).join(', ')}`);
  process.exitCode = 2;
}

/** Runs Node in the repository's root and returns its exit status. */
function runNode(args) {
  return spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' }).status ?? 1;
}

/** Runs tests by the settings of their suite and returns the exit status. */
function testSome(args) {
  const suites = Object.groupBy(args.filter(existsSync), suiteOf);
  const [[suite, files] = []] = Object.entries(suites);
  if (Object.keys(suites).length > 1) {
    console.error('These files belong to suites with different settings. Run each alone:');
    for (const [suite, files] of Object.entries(suites)) console.error(`  ${commandOf(suite, files)}`);
    return 2;
  }
  if (suite === undefined || suite === 'unit') return runNode([...JEST, ...args, ...REPORTERS]);
  console.log(commandOf(suite, files));
  return runNode([...commands.test[suite], ...args]);
}

/** The suite that has settings for a file or folder; "unit" for those of `npm test`. */
function suiteOf(file) {
  const [top, folder] = path.relative(ROOT, path.resolve(file)).split(path.sep);
  if (top === 'test' && existsSync(path.join(ROOT, 'test', folder ?? '', 'jest.config.mjs'))) return folder;
  return file.endsWith('.slow.test.ts') ? 'slow' : 'unit';
}

function commandOf(suite, files) {
  return `npm test ${suite === 'unit' ? '' : `${suite} `}-- ${files.join(' ')}`;
}

/** Runs all checks and, at the same time, all tests; returns the exit status. */
async function testAll() {
  const checking = check({ all: true });
  const child = spawn(process.execPath, [...JEST, ...REPORTERS], { cwd: ROOT, stdio: ['inherit', 'pipe', 'inherit'] });
  const [output, [status]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  const totals = /^(\d+) passed, (\d+) failed$/m.exec(output);
  process.stdout.write(output.replace(/^\d+ passed, \d+ failed\n/m, ''));
  let passed = Number(totals?.[1] ?? 0);
  // A run without totals did not finish.
  let failed = Number(totals?.[2] ?? 1);
  for (const { name, output, isPassed } of await checking) {
    if (isPassed) passed += 1;
    else failed += 1;
    console.log(`${name}: ${isPassed ? 'passed' : `FAILED\n${output}`}`);
  }
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 && status === 0 ? 0 : 1;
}
