/**
 * Runs the programs of commands.json, which has the arguments of Node for each:
 * node scripts/commands.mjs bench|generate|test NAME [ARGUMENTS]
 * node scripts/commands.mjs generate NAME: prints the files that it changed.
 * node scripts/commands.mjs test: all checks, and every test that needs only Node. A failed check counts as one failure.
 * node scripts/commands.mjs test ARGUMENTS OF JEST: tests alone, by the settings of the suite that the named files belong to. For cases,
 * which another file imports, that file runs.
 * The last line of tests is "N passed, N failed".
 */
import './check-node.mjs';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { check, hashesOfFiles } from './check.mjs';
import commands from './commands.json' with { type: 'json' };

const ROOT = path.resolve(import.meta.dirname, '..');
const JEST = path.join('node_modules', 'jest', 'bin', 'jest.js');
/** Generators also write pictures and weights. */
const ANY_FILE = /./;
/** Last, because jest takes what follows for more of them. */
const REPORTERS = ['--reporters=default', '--reporters=<rootDir>/scripts/count-reporter.mjs'];

const [group, name, ...args] = process.argv.slice(2);
if (Object.hasOwn(commands, group) && name !== undefined && Object.hasOwn(commands[group], name)) {
  const program = [...commands[group][name], ...args];
  process.exitCode = group === 'generate' ? generate(program) : runNode(program);
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

/** Runs a generator, prints the files that it changed, and returns its exit status. */
function generate(program) {
  const before = hashesOfFiles(ANY_FILE);
  const status = runNode(program);
  const after = Object.entries(hashesOfFiles(ANY_FILE));
  const changed = after.filter(([file, hash]) => before[file] !== hash).map(([file]) => file);
  console.log(changed.length === 0 ? 'No file changed.' : ['Changed:', ...changed].join('\n  '));
  return status;
}

/** Runs tests by the settings of their suite and returns the exit status. */
function testSome(patterns) {
  const args = [...new Set(patterns.flatMap((one, at) => (isPattern(one, patterns[at - 1]) && runnersOf(one)) || one))];
  const suites = Object.groupBy(args.filter(existsSync), suiteOf);
  const [[suite, files] = []] = Object.entries(suites);
  if (Object.keys(suites).length > 1) {
    console.error('These files belong to suites with different settings. Run each alone:');
    for (const [suite, files] of Object.entries(suites)) console.error(`  ${commandOf(suite, files)}`);
    return 2;
  }
  if (suite === undefined || suite === 'unit') {
    if (args.join() !== patterns.join()) console.log(`npm test -- ${args.join(' ')}`);
    return runNode([JEST, ...args, ...REPORTERS]);
  }
  console.log(commandOf(suite, files));
  return runNode([...commands.test[suite], ...args]);
}

/** Whether an argument is a pattern of files, and no option or its value. */
function isPattern(argument, before = '') {
  return !argument.startsWith('-') && !before.startsWith('-');
}

/** The tests that import the cases of a pattern; undefined if it matches no cases, or tests too. */
function runnersOf(pattern) {
  const files = globSync('test/**/*.{cases,test}.ts', { cwd: ROOT, exclude: ['**/node_modules'] });
  const matched = files.filter((file) => file.includes(path.normalize(pattern)));
  if (matched.length === 0 || matched.some((file) => file.endsWith('.test.ts'))) return undefined;
  const tests = files.filter((file) => file.endsWith('.test.ts'));
  const runners = tests.filter((file) => {
    const source = readFileSync(path.join(ROOT, file), 'utf8');
    return matched.some((cases) => source.includes(`import './${path.posix.relative(path.dirname(file), cases)}'`));
  });
  return runners.length > 0 ? runners : undefined;
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
  const child = spawn(process.execPath, [JEST, ...REPORTERS], { cwd: ROOT, stdio: ['inherit', 'pipe', 'inherit'] });
  const [output, [status, signal]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  const totals = /^(\d+) passed, (\d+) failed$/m.exec(output);
  process.stdout.write(output.replace(/^\d+ passed, \d+ failed\n/m, ''));
  let passed = Number(totals?.[1] ?? 0);
  if (totals === null) console.error(`jest ended without totals: ${signal ?? `status ${status}`}`);
  let failed = Number(totals?.[2] ?? 1);
  for (const { name, output, isPassed } of await checking) {
    if (isPassed) passed += 1;
    else failed += 1;
    console.log(`${name}: ${isPassed ? 'passed' : `FAILED\n${output}`}`);
  }
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 && status === 0 ? 0 : 1;
}
