/**
 * Builds bundles: node scripts/build.mjs [NAME|dashboard|functions|all] ...
 * `functions` are all deployed bundles with the dashboard; `all`, the default, adds the local run and the
 * gateway of the container image.
 * What is up to date is left.
 *
 * Lambda gets the folders in dist except `local`, byte for byte. Source maps are in dist/maps, because shipping them would
 * slow cold starts. Beside them `contents.json` lists the files that a bundle has code of.
 */
import './check-node.mjs';
import { existsSync, globSync } from 'node:fs';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { MINIMUM_NODE } from '../bin/minimum-node.mjs';
import { buildDashboard } from './build-dashboard.mjs';
import { isUpToDate, lockBuilds, removeStamp, writeStamp } from './build-stamp.mjs';
import { BUNDLE_OPTIONS } from './bundle-options.mjs';

const ROOT = path.resolve(import.meta.dirname, '..');
// For esbuild, which is written in Go: its garbage collector then takes a quarter less of a build's CPU.
process.env.GOGC ??= '400';

/** Loaded by the first request with a PDF or an office document, in a worker thread. */
const DOCUMENT_WORKER = { 'document-worker': 'functions/adapters/documents/document-worker.ts' };

/** Each bundle's folder in dist, with its files and their entry points. */
const BUNDLES = {
  gateway: { entries: { index: 'functions/gateway/handler.ts' }, workers: DOCUMENT_WORKER },
  'web-function': { entries: { index: 'functions/server/web-function.ts' }, workers: DOCUMENT_WORKER },
  'container-gateway': { entries: { index: 'functions/server/container-gateway.ts' }, workers: DOCUMENT_WORKER },
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
  'dashboard-files': { entries: { index: 'functions/dashboard-files/handler.ts' }, carries: ['dashboard', 'files'] },
  // The construct of the package. Apps bring CDK.
  cdk: { entries: { index: 'lib/cdk/svc-gateway.ts' }, external: ['aws-cdk-lib', 'constructs'] },
  local: {
    entries: {
      index: 'bin/local.ts',
      'demo-process': 'lib/local/demo-process.ts',
      'stores-process': 'lib/local/stores-process.ts',
      'streams-process': 'lib/local/streams-process.ts',
      'webhook-process': 'lib/local/webhook-process.ts',
      svc: 'bin/svc.ts',
    },
    workers: DOCUMENT_WORKER,
    // LevelDB of the embedded stores, for each platform. Its loader searches them in the folder of the code.
    native: 'node_modules/classic-level/prebuilds',
  },
};

/** Builds a bundle; false if it is up to date. Throws if esbuild fails. */
async function buildBundle(name, { entries, workers = {}, native, external = [] }) {
  if (await isUpToDate(ROOT, name)) return false;
  await removeStamp(ROOT, name);
  const startedAt = Date.now();
  const { build } = await import('esbuild');
  const outdir = path.join(ROOT, 'dist', name);
  const { outputFiles, metafile } = await build({
    ...BUNDLE_OPTIONS,
    absWorkingDir: ROOT,
    entryPoints: { ...entries, ...workers },
    external,
    outdir,
    target: name === 'local' || name === 'cdk' ? `node${MINIMUM_NODE}` : 'node24',
    // Before the message of an error Node prints the line that throws it: to the users of the construct, 170 KB of them otherwise.
    ...(name === 'cdk' && { lineLimit: 120 }),
    sourcemap: 'external',
    write: false,
    metafile: true,
  });

  const mapsDir = path.join(ROOT, 'dist', 'maps', name);
  const place = (file) => path.join(file.endsWith('.map') ? mapsDir : outdir, path.basename(file));
  // Emptied after a successful build only, so that no chunk of an earlier build is deployed.
  for (const dir of [outdir, mapsDir]) {
    await rm(dir, { recursive: true, force: true });
    await mkdir(dir, { recursive: true });
  }
  await Promise.all(outputFiles.map((file) => writeFile(place(file.path), file.contents)));
  const contents = path.join(mapsDir, 'contents.json');
  await writeFile(contents, JSON.stringify(filesIn(metafile)));
  if (native !== undefined)
    await cp(path.join(ROOT, native), path.join(outdir, path.basename(native)), { recursive: true });
  // A bundle contains no index, but each decides from which file a name is imported.
  const indexes = globSync('functions/**/index.ts', { cwd: ROOT });
  const sources = [...Object.keys(metafile.inputs).map((input) => input.replace(/\?.*$/, '')), ...indexes];
  await writeStamp(ROOT, name, {
    startedAt,
    sources,
    outputs: [...outputFiles.map((file) => place(file.path)), contents],
  });
  return true;
}

function filesIn({ outputs }) {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  return [...new Set(inputs.flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])))].sort();
}

/** Copies a folder of dist into a bundle, if that is built. */
async function carry(name, [from, to]) {
  const copy = path.join(ROOT, 'dist', name, to);
  await rm(copy, { recursive: true, force: true });
  if (existsSync(path.join(ROOT, 'dist', from))) await cp(path.join(ROOT, 'dist', from), copy, { recursive: true });
}

/** The dashboard is first, because a bundle contains it. */
const TARGETS = ['dashboard', ...Object.keys(BUNDLES)];
const GROUPS = {
  all: TARGETS,
  functions: TARGETS.filter((name) => !['local', 'cdk', 'container-gateway'].includes(name)),
};
const asked = process.argv.length > 2 ? process.argv.slice(2).flatMap((name) => GROUPS[name] ?? name) : TARGETS;
const unknown = asked.filter((name) => !TARGETS.includes(name));
if (unknown.length > 0) {
  const known = [...TARGETS, ...Object.keys(GROUPS)].join(', ');
  console.error(`No bundle is called ${unknown.join(', ')}: choose from ${known}.`);
  process.exit(1);
}
await lockBuilds(ROOT);
const startedAt = performance.now();
const built = [];
const current = [];
for (const name of new Set(asked)) {
  try {
    const isBuilt = name === 'dashboard' ? await buildDashboard() : await buildBundle(name, BUNDLES[name]);
    (isBuilt ? built : current).push(name);
    if (BUNDLES[name]?.carries !== undefined) await carry(name, BUNDLES[name].carries);
  } catch (error) {
    // esbuild has already printed its errors.
    console.error(`${name} not built: ${error.errors ? `${error.errors.length} errors` : error.message}`);
    process.exitCode = 1;
  }
}
const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
const parts = [];
if (built.length > 0) parts.push(`built in ${seconds} s: ${built.join(', ')}`);
if (current.length > 0) parts.push(`up to date: ${current.join(', ')}`);
if (parts.length > 0) console.log(parts.join('; '));
