import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

const ROOT = path.resolve(import.meta.dirname, '..');
const OUT = path.join(ROOT, 'dist/dashboard');
/** Outside the folder, because everything in it is served. */
const STAMP = path.join(ROOT, 'dist/dashboard.sha256');
const ALSO_DECIDES = ['package-lock.json', 'tsconfig.json', 'scripts/build-dashboard.mjs'];

/**
 * Builds the dashboard into dist/dashboard unless sources, packages and settings are unchanged. Returns the line to print.
 * Throws if Vite fails; the next call then builds again.
 */
export async function buildDashboard() {
  const startedAt = performance.now();
  const stamp = await hashOfSources();
  const made = existsSync(path.join(OUT, 'index.html')) && existsSync(STAMP) && (await readFile(STAMP, 'utf8'));
  if (made === stamp) return 'dashboard     unchanged';

  // With the value that tests set, Vite builds React's development version.
  process.env.NODE_ENV = 'production';
  const { build } = await import('vite');
  await mkdir(path.dirname(STAMP), { recursive: true });
  await writeFile(STAMP, '');
  await build({ configFile: path.join(ROOT, 'dashboard/vite.config.ts'), logLevel: 'warn' });
  await writeFile(STAMP, stamp);
  const { files, gzipBytes } = await sizeOf(OUT);
  const elapsedMs = Math.round(performance.now() - startedAt);
  return `dashboard     ${Math.round(gzipBytes / 1024)} KB of scripts and styles in ${files} files (gzip), ${elapsedMs} ms`;
}

async function hashOfSources() {
  const listed = await readdir(path.join(ROOT, 'dashboard'), { recursive: true, withFileTypes: true });
  const sources = listed
    .filter((entry) => entry.isFile() && !/\.test\.ts$/.test(entry.name))
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .sort();
  const hash = createHash('sha256');
  for (const file of [...sources, ...ALSO_DECIDES]) {
    const content = await readFile(path.join(ROOT, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

async function sizeOf(folder) {
  const names = (await readdir(folder, { recursive: true })).filter((name) => /\.(?:js|css)$/.test(name));
  const contents = await Promise.all(names.map((name) => readFile(path.join(folder, name))));
  return { files: names.length, gzipBytes: contents.reduce((sum, content) => sum + gzipSync(content).length, 0) };
}
