/**
 * Checks that tests notice faults: applies each mutant of mutants.json to a copy of the repository and runs the tests of its area,
 * which must fail: npm test mutation [-- --area NAME] [--file MUTANTS]
 *
 * A mutant replaces one line of code. One whose line is no longer there is reported as a failure, so that the list stays current. The
 * last line is "N passed, N failed": mutants that a test noticed, and mutants that none did.
 */
import '../../scripts/check-node.mjs';
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

const ROOT = path.resolve(import.meta.dirname, '../..');
const COPIES = 2;
/** A mutant that makes a test wait forever counts as noticed. */
const DEADLINE_MS = 300_000;

const { values } = parseArgs({
  options: {
    area: { type: 'string' },
    file: { type: 'string', default: path.join(import.meta.dirname, 'mutants.json') },
  },
});
/** `tests`: per area, groups of paths that run one after another until one fails. */
const { tests, mutants: all } = JSON.parse(readFileSync(values.file, 'utf8'));
const mutants = all.filter(({ area }) => values.area === undefined || area === values.area);
const folder = mkdtempSync(path.join(tmpdir(), 'svc-mutation-'));
const survivors = [];
let noticed = 0;
try {
  const copies = Array.from({ length: COPIES }, (_, at) => copyTo(path.join(folder, String(at))));
  // Tests that fail without a mutant, or that do not exist, would notice every one.
  for (const area of new Set(mutants.map((mutant) => mutant.area))) {
    for (const paths of tests[area]) {
      if (!(await passes(copies[0], paths))) throw new Error(`without a mutant these fail: ${paths.join(' ')}`);
    }
  }
  const queue = mutants.values();
  await Promise.all(copies.map((root) => work(root, queue)));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const { file, from, to } of survivors) console.log(`not noticed: ${file}\n  - ${from}\n  + ${to}`);
console.log(`${noticed} passed, ${survivors.length} failed`);
process.exitCode = survivors.length === 0 ? 0 : 1;

/** Tracked and new files, with the installed packages as hard links. */
function copyTo(root) {
  mkdirSync(root);
  const { stdout } = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT });
  for (const file of stdout.toString().split('\0').filter(Boolean))
    cpSync(path.join(ROOT, file), path.join(root, file));
  spawnSync('cp', ['-al', path.join(ROOT, 'node_modules'), path.join(root, 'node_modules')]);
  return root;
}

async function work(root, queue) {
  for (const mutant of queue) {
    const isNoticed = await isMutantNoticed(root, mutant);
    if (isNoticed) noticed += 1;
    else survivors.push(mutant);
    console.log(`${isNoticed ? 'noticed' : 'NOT NOTICED'}: ${mutant.file}: ${mutant.to}`);
  }
}

async function isMutantNoticed(root, { area, file, from, to }) {
  const target = path.join(root, file);
  const source = readFileSync(target, 'utf8');
  const lines = source.split('\n');
  const at = lines.findIndex((line) => line.trim() === from);
  if (at < 0) return false;
  lines[at] = lines[at].replace(from, () => to);
  writeFileSync(target, lines.join('\n'));
  try {
    for (const paths of tests[area]) if (!(await passes(root, paths))) return true;
    return false;
  } finally {
    writeFileSync(target, source);
  }
}

function passes(root, paths) {
  const config = paths.some((name) => name.includes('.slow')) ? ['--config', 'test/slow.config.mjs'] : [];
  const child = spawn(
    process.execPath,
    ['node_modules/jest/bin/jest.js', ...config, '--bail', '--silent', '--maxWorkers=1', ...paths],
    {
      cwd: root,
      stdio: 'ignore',
      timeout: DEADLINE_MS,
    },
  );
  return new Promise((resolve) => child.on('exit', (code) => resolve(code === 0)));
}
