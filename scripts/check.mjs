/**
 * Checks types, lint and wording: node scripts/check.mjs [--all | --fix]
 * Types are checked everywhere, on top of the last run's state. Lint and wording read the files that changed since they last passed.
 * `--all` starts without any earlier state, and with all rules, as `npm test` does. CONTRIBUTING.md has what only `--all` finds.
 * `--fix` only writes the format, and what else lint can mend, of the files that changed.
 */
import './check-node.mjs';
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

const ROOT = path.resolve(import.meta.dirname, '..');
const STATE = path.join(ROOT, 'node_modules/.cache/svc-check');
/** The hash of each file as it last passed. */
const PASSED = path.join(STATE, 'passed.json');
/** A change of these makes each file count as changed. */
const SETTINGS = ['biome.json', 'scripts/wording.mjs', 'node_modules/.package-lock.json'];
/** Settings of lint without UNREAD. */
const QUICK_LINT = path.join(STATE, 'lint');
/** For this rule biome reads the types of all files, which takes most of its time. */
const UNREAD = { group: 'nursery', rule: 'noFloatingPromises' };
/** What biome or the wording lint reads. */
const CHECKED = /\.(?:[cm]?[jt]sx?|jsonc?|css|md)$/;
/** TypeScript is written in Go. Its garbage collector takes a third of the CPU by default, and keeps the memory a tenth smaller. */
export const CHEAP_TYPES = { ...process.env, GOGC: '400' };
/** Beside tests, which use all cores: each further checker reads types that the others have read. */
export const ONE_CHECKER = ['--checkers', '1'];
const binary = (name) => path.join('node_modules', '.bin', name);

/** Runs all checks at once. Each result has its name, whether it passed, and its output. */
export async function check({ all = false } = {}) {
  if (all) rmSync(STATE, { recursive: true, force: true });
  mkdirSync(STATE, { recursive: true });
  const files = hashesOfFiles();
  const paths = pathsOfChanged(files);
  const colors = `--colors=${process.stdout.isTTY ? 'force' : 'off'}`;
  const types = [...(all ? ONE_CHECKER : []), '--incremental', '--tsBuildInfoFile'];
  const checks = [
    run('types', binary('tsc'), [...types, path.join(STATE, 'sources.tsbuildinfo')]),
    run('types of the dashboard', binary('tsc'), [
      '-p',
      'dashboard',
      ...types,
      path.join(STATE, 'dashboard.tsbuildinfo'),
    ]),
  ];
  if (paths.length > 0) {
    const settings = all ? [] : ['--config-path', writeQuickSettings()];
    checks.push(run('lint', binary('biome'), ['ci', colors, ...settings, '--no-errors-on-unmatched', ...paths]));
    checks.push(run('wording', process.execPath, ['scripts/wording.mjs', ...paths]));
  }
  const results = await Promise.all(checks);
  if (results.every(({ isPassed }) => isPassed)) writeFileSync(PASSED, JSON.stringify(files));
  return results;
}

/** Mends format and lint of the files that changed. The result has the output of biome. */
export function fix() {
  mkdirSync(STATE, { recursive: true });
  const paths = pathsOfChanged(hashesOfFiles());
  if (paths.length === 0) return { name: 'fix', isPassed: true, output: '' };
  const settings = ['--config-path', writeQuickSettings(), '--no-errors-on-unmatched'];
  return run('fix', binary('biome'), ['check', '--write', ...settings, ...paths]);
}

/** The files that changed since they last passed; one argument for all files, because the length of a command is limited. */
function pathsOfChanged(files) {
  const before = existsSync(PASSED) ? JSON.parse(readFileSync(PASSED, 'utf8')) : {};
  const changed = Object.keys(files).filter((file) => files[file] !== before[file]);
  return changed.length === Object.keys(files).length ? ['.'] : changed;
}

/** Writes the settings of lint without the rule that takes most of the time, and returns their folder. */
function writeQuickSettings() {
  const settings = JSON.parse(readFileSync(path.join(ROOT, 'biome.json'), 'utf8'));
  delete settings.linter?.rules?.[UNREAD.group]?.[UNREAD.rule];
  mkdirSync(QUICK_LINT, { recursive: true });
  writeFileSync(path.join(QUICK_LINT, 'biome.json'), JSON.stringify(settings));
  return QUICK_LINT;
}

/** Runs a command to its end. */
async function run(name, command, args) {
  const child = spawn(command, args, { cwd: ROOT, shell: process.platform === 'win32', env: CHEAP_TYPES });
  const [output, errors, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { name, isPassed: status === 0, output: output + errors };
}

/** Hashes of the files that git tracks or would track, each with the settings of the checks. */
export function hashesOfFiles(pattern = CHECKED) {
  const listed = execFileSync('git', ['ls-files', '-zco', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' });
  const files = listed.split('\0').filter((file) => pattern.test(file) && existsSync(path.join(ROOT, file)));
  const settings = hashOf(SETTINGS.map(hashOfFile).join());
  return Object.fromEntries(files.map((file) => [file, hashOf(settings + hashOfFile(file))]));
}

function hashOfFile(file) {
  return hashOf(readFileSync(path.join(ROOT, file)));
}

function hashOf(content) {
  return createHash('sha256').update(content).digest('base64');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const results = process.argv.includes('--fix') ? [await fix()] : await check({ all: process.argv.includes('--all') });
  for (const { name, isPassed, output } of results) {
    const remedy = name === 'lint' ? 'npm run fix mends the format.\n' : '';
    console.log(`${name}: ${isPassed ? 'passed' : `FAILED\n${output}${remedy}`}`);
    if (!isPassed) process.exitCode = 1;
  }
}
