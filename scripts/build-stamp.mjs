import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** What each target depends on besides its sources: options, the build itself, and which packages are installed. */
const ALSO_DECIDES = [
  'tsconfig.json',
  'package.json',
  'node_modules/.package-lock.json',
  'scripts/build.mjs',
  'scripts/build-dashboard.mjs',
  'scripts/build-stamp.mjs',
  'scripts/bundle-options.mjs',
  'scripts/bundle-past-indexes.mjs',
];
const LONGEST_WAIT_MS = 600_000;
/** A file's time may be this much older than the clock. */
const CLOCK_STEP_MS = 20;

/** Waits until no other build runs in this repository. The operating system releases the lock when this process ends. */
export async function lockBuilds(root) {
  await mkdir(path.join(root, 'dist'), { recursive: true });
  const lock = new DatabaseSync(path.join(root, 'dist/lock'), { timeout: LONGEST_WAIT_MS });
  lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  process.once('exit', () => lock.close());
}

/** Whether all files that a target was built from and into are as its last build left them. `sources` are those known beforehand. */
export async function isUpToDate(root, name, sources = []) {
  const stamp = await readFile(stampOf(root, name), 'utf8')
    .then((text) => JSON.parse(text))
    .catch(() => undefined);
  return stamp !== undefined && hashOf(root, [...stamp.files, ...sources]) === stamp.hash;
}

/** Call this before a build, so that one that fails is repeated. */
export async function removeStamp(root, name) {
  await rm(stampOf(root, name), { force: true });
}

/**
 * Records a build that began at `startedAt`, unless a source has changed since. Of the files, only those on disk count: bundlers also list
 * what they made up.
 */
export async function writeStamp(root, name, { startedAt, sources, outputs }) {
  const present = (files) => {
    const relative = files.map((file) => path.relative(root, path.resolve(root, file)).replaceAll(path.sep, '/'));
    return [...new Set(relative)].filter((file) => existsSync(path.join(root, file)));
  };
  const read = present(sources);
  if (read.some((file) => statSync(path.join(root, file)).mtimeMs >= startedAt - CLOCK_STEP_MS)) return;
  const files = [...read, ...present(outputs)].sort();
  await mkdir(path.dirname(stampOf(root, name)), { recursive: true });
  await writeFile(stampOf(root, name), JSON.stringify({ hash: hashOf(root, files), files }));
}

function stampOf(root, name) {
  return path.join(root, 'dist/stamps', `${name}.json`);
}

/** A hash of paths and contents; a file that is missing counts as one. */
function hashOf(root, files) {
  const hash = createHash('sha256');
  for (const file of [...new Set([...files, ...ALSO_DECIDES])].sort()) {
    const content = contentOf(path.join(root, file));
    hash.update(`${file}\0${content?.length}\0`).update(content ?? '');
  }
  return hash.digest('hex');
}

/** Read in turn, because thousands of small files take half of the time so. */
function contentOf(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}
