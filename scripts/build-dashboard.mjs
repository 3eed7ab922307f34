import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { isUpToDate, removeStamp, writeStamp } from './build-stamp.mjs';

const ROOT = path.resolve(import.meta.dirname, '..');

/** Builds the dashboard into dist/dashboard; false if it is up to date. Throws if Vite fails. */
export async function buildDashboard() {
  const sources = (await filesIn('dashboard')).filter((file) => !file.endsWith('.test.ts'));
  if (await isUpToDate(ROOT, 'dashboard', sources)) return false;
  await removeStamp(ROOT, 'dashboard');
  const startedAt = Date.now();

  // With the value that tests set, Vite builds React's development version.
  process.env.NODE_ENV = 'production';
  const { build } = await import('vite');
  // Some lie outside of the folder.
  let modules = [];
  const listModules = {
    name: 'list-modules',
    generateBundle() {
      modules = [...this.getModuleIds()].map((id) => id.replace(/\?.*$/, '')).filter((id) => path.isAbsolute(id));
    },
  };
  await build({
    configFile: path.join(ROOT, 'dashboard/vite.config.ts'),
    logLevel: 'warn',
    plugins: [listModules],
  });
  await writeStamp(ROOT, 'dashboard', {
    startedAt,
    sources: [...sources, ...modules],
    outputs: await filesIn('dist/dashboard'),
  });
  return true;
}

async function filesIn(folder) {
  const entries = await readdir(path.join(ROOT, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'));
}
