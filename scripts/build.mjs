/**
 * Builds bundles: node scripts/build.mjs [NAME|dashboard|functions|all] ...
 * `functions` are all deployed bundles with the dashboard; `all`, the default, adds the local run.
 *
 * Lambda gets the folders in dist except `local`, byte for byte. Source maps are in dist/maps, because shipping them would
 * slow cold starts.
 */
import './check-node.mjs';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { MINIMUM_NODE } from '../bin/minimum-node.mjs';
import { buildDashboard } from './build-dashboard.mjs';
import { BUNDLE_OPTIONS } from './bundle-options.mjs';

const ROOT = path.resolve(import.meta.dirname, '..');

/** Loaded by the first request with a PDF, in a worker thread. */
const PDF_WORKER = { 'pdf-worker': 'functions/adapters/pdf/pdf-worker.ts' };

/** Each bundle's folder in dist, with its files and their entry points. */
const BUNDLES = {
  gateway: { entries: { index: 'functions/gateway/handler.ts' }, workers: PDF_WORKER },
  'web-function': { entries: { index: 'functions/server/web-function.ts' }, workers: PDF_WORKER },
  'admin-api': { entries: { index: 'functions/admin-api/handler.ts' } },
  'event-relay': { entries: { index: 'functions/event-relay/handler.ts' } },
  'findings-export': { entries: { index: 'functions/findings-export/handler.ts' } },
  'first-admin-key': { entries: { index: 'functions/first-admin-key/handler.ts' } },
  'key-watch': { entries: { index: 'functions/key-watch/handler.ts' } },
  'synthetic-check': { entries: { index: 'functions/synthetic-check/handler.ts' } },
  'usage-counter': { entries: { index: 'functions/usage-counter/handler.ts' } },
  'webhook-delivery': { entries: { index: 'functions/webhook-delivery/handler.ts' } },
  'origin-secret': { entries: { index: 'functions/origin-secret/handler.ts' } },
  // Contains the dashboard, if that is built.
  'dashboard-files': {
    entries: { index: 'functions/dashboard-files/handler.ts' },
    copies: ['dist/dashboard', 'files'],
  },
  local: {
    entries: {
      index: 'bin/local.ts',
      stores: 'lib/local/stores-process.ts',
      counter: 'lib/local/counter-process.ts',
      relay: 'lib/local/relay-process.ts',
      webhooks: 'lib/local/webhook-process.ts',
      svc: 'bin/svc.ts',
    },
    workers: PDF_WORKER,
    // LevelDB of the embedded stores, for each platform. Its loader searches them in the folder of the code.
    copies: ['node_modules/classic-level/prebuilds', 'prebuilds'],
  },
};

/** Builds the entries that exist and returns the line to print. Throws if none exists or esbuild fails. */
async function buildBundle(name, { entries, workers = {}, copies: [from, to = ''] = [] }) {
  const startedAt = performance.now();
  const missing = Object.values(entries).filter((entry) => !existsSync(path.join(ROOT, entry)));
  const present = Object.fromEntries(Object.entries(entries).filter(([, entry]) => !missing.includes(entry)));
  if (Object.keys(present).length === 0) throw new Error(`${missing.join(' and ')} not found`);

  const outdir = path.join(ROOT, 'dist', name);
  const target = name === 'local' ? `node${MINIMUM_NODE}` : 'node24';
  const { outputFiles, metafile } = await build({
    ...BUNDLE_OPTIONS,
    absWorkingDir: ROOT,
    entryPoints: { ...present, ...workers },
    outdir,
    target,
    sourcemap: 'external',
    write: false,
    metafile: true,
  });

  const mapsDir = path.join(ROOT, 'dist', 'maps', name);
  const files = [...outputFiles, ...(await copiesOf(from, path.join(outdir, to)))];
  const place = (file) => path.join(file.path.endsWith('.map') ? mapsDir : outdir, path.relative(outdir, file.path));
  // Unchanged files are not rewritten, because a process may be running them.
  if (await holds([outdir, mapsDir], files, place)) {
    const now = new Date();
    await Promise.all(files.map((file) => utimes(place(file), now, now)));
  } else {
    // Emptied after a successful build only, so that no chunk of an earlier build is deployed.
    for (const dir of [outdir, mapsDir]) {
      await rm(dir, { recursive: true, force: true });
      await mkdir(dir, { recursive: true });
    }
    for (const dir of new Set(files.map((file) => path.dirname(place(file))))) await mkdir(dir, { recursive: true });
    await Promise.all(files.map((file) => writeFile(place(file), file.contents)));
  }

  const { atStart, tables, total } = sizes(metafile.outputs, Object.values(present));
  const skipped = missing.length === 0 ? '' : `; skipped: ${missing.join(', ')} not found`;
  const elapsedMs = Math.round(performance.now() - startedAt);
  return `${name.padEnd(13)} ${kilobytes(atStart)} KB of code read at start, ${kilobytes(total)} KB in all, tables besides ${kilobytes(tables)} KB, ${elapsedMs} ms${skipped}`;
}

/** The files of a folder of the repository, as output files in `to`; none if it does not exist. */
async function copiesOf(from, to) {
  const folder = path.join(ROOT, from ?? '');
  if (from === undefined || !existsSync(folder)) return [];
  const copied = (await filesIn(folder)).map(async (file) => ({
    path: path.join(to, path.relative(folder, file)),
    contents: await readFile(file),
  }));
  return Promise.all(copied);
}

/** The paths of all files below a folder; none if it does not exist. */
async function filesIn(dir) {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}

/** Whether the folders hold these files and no others. */
async function holds(dirs, files, place) {
  const present = await Promise.all(dirs.map(filesIn));
  if (present.flat().length !== files.length) return false;
  const same = files.map(async (file) => (await readFile(place(file)).catch(() => undefined))?.equals(file.contents));
  return (await Promise.all(same)).every(Boolean);
}

/** Bytes of the entries with their static imports, of all code, and of the tables; without source maps. */
function sizes(outputs, entries) {
  const code = Object.entries(outputs).filter(([file]) => file.endsWith('.mjs'));
  const beside = Object.keys(outputs).filter((file) => /\.(?:bin|json)$/.test(file));
  const reached = new Set(code.filter(([, output]) => entries.includes(output.entryPoint)).map(([file]) => file));
  for (const file of reached) {
    for (const imported of outputs[file].imports) {
      if (imported.kind === 'import-statement' && !imported.external) reached.add(imported.path);
    }
  }
  const sum = (files) => files.reduce((bytes, file) => bytes + outputs[file].bytes, 0);
  return { atStart: sum([...reached]), total: sum(code.map(([file]) => file)), tables: sum(beside) };
}

function kilobytes(bytes) {
  return Math.round(bytes / 1024);
}

/** The dashboard is first, because a bundle contains it. */
const TARGETS = ['dashboard', ...Object.keys(BUNDLES)];
const GROUPS = { all: TARGETS, functions: TARGETS.filter((name) => name !== 'local') };
const asked = process.argv.length > 2 ? process.argv.slice(2).flatMap((name) => GROUPS[name] ?? name) : TARGETS;
const unknown = asked.filter((name) => !TARGETS.includes(name));
if (unknown.length > 0) {
  const known = [...TARGETS, ...Object.keys(GROUPS)].join(', ');
  console.error(`No bundle is called ${unknown.join(', ')}: choose from ${known}.`);
  process.exit(1);
}
for (const name of new Set(asked)) {
  try {
    console.log(name === 'dashboard' ? await buildDashboard() : await buildBundle(name, BUNDLES[name]));
  } catch (error) {
    // esbuild has already printed its errors.
    console.error(`${name.padEnd(13)} not built: ${error.errors ? `${error.errors.length} errors` : error.message}`);
    process.exitCode = 1;
  }
}
