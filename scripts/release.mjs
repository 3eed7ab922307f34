/**
 * Makes a release of the repository in the current folder: npm run release -- VERSION [--dry-run]
 *
 * Checks that `main` is clean and CHANGELOG.md has the version, runs the tests, sets the version, packs, commits and tags.
 * Nothing is pushed. A failed step changes no file. --dry-run checks, and prints the steps.
 */
import './check-node.mjs';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const USAGE = 'usage: npm run release -- VERSION [--dry-run], with a version such as 1.2.3';
const SHELL = process.platform === 'win32';

class Refused extends Error {}

try {
  release(...readArguments());
} catch (error) {
  // A command that failed has printed its reason.
  console.error(error instanceof Refused ? error.message : `The release was stopped: ${error.message}`);
  process.exitCode = 1;
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { 'dry-run': { type: 'boolean' } } });
    if (positionals.length === 1 && /^\d+\.\d+\.\d+$/.test(positionals[0])) return [positionals[0], values['dry-run']];
  } catch {
    // An unknown option.
  }
  throw new Refused(USAGE);
}

function release(version, isDryRun = false) {
  const tag = `v${version}`;
  checkRepository(version, tag);
  const steps = [
    ['npm', 'test'],
    ['npm', 'version', version, '--no-git-tag-version', '--allow-same-version', '--ignore-scripts'],
    ['npm', 'run', 'generate', 'openapi'],
    ['npm', 'run', 'generate', 'reference'],
    ['npm', 'run', 'pack'],
    // Version 0.3.0 may be in the files already.
    ['git', 'commit', '--all', '--allow-empty', '--message', `chore(release): ${version}`],
    ['git', 'tag', '--annotate', tag, '--message', `Version ${version}`],
  ];
  if (isDryRun) {
    console.log(`Would run:\n${steps.map((step) => `  ${step.join(' ')}`).join('\n')}`);
    return;
  }
  const head = git('rev-parse', 'HEAD');
  try {
    for (const [command, ...args] of steps) execFileSync(command, args, { stdio: 'inherit', shell: SHELL });
  } catch (error) {
    // There was nothing else to lose.
    git('reset', '--quiet', '--hard', head);
    throw error;
  }
  console.log(`Version ${version} is committed, packed in dist and tagged. Publish it: git push origin main ${tag}`);
}

/** Throws Refused if a release of the version cannot begin. */
function checkRepository(version, tag) {
  const branch = git('branch', '--show-current');
  if (branch !== 'main') throw new Refused(`A release is made on main, and this is ${branch || 'no branch'}.`);
  if (git('status', '--porcelain') !== '') throw new Refused('There are changes that are not committed.');
  if (git('tag', '--list', tag) !== '') throw new Refused(`The tag ${tag} exists.`);
  const { version: current } = JSON.parse(readFileSync('package.json', 'utf8'));
  if (isOlder(version, current)) throw new Refused(`The version is older than ${current}, the one of package.json.`);
  const heading = `## ${version} - `;
  const section = readFileSync('CHANGELOG.md', 'utf8')
    .split(/^(?=## )/m)
    .find((part) => part.startsWith(heading));
  if (section === undefined || !/^## \S+ - \d{4}-\d\d-\d\d\n\s*\S/.test(section))
    throw new Refused(`CHANGELOG.md has no changes under "${heading}YYYY-MM-DD".`);
}

function isOlder(version, other) {
  const [numbers, others] = [version, other].map((text) => text.split('.').map(Number));
  const at = numbers.findIndex((number, place) => number !== others[place]);
  return at >= 0 && numbers[at] < others[at];
}

function git(...args) {
  return execFileSync('git', args, { encoding: 'utf8' }).trim();
}
