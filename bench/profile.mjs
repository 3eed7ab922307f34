/**
 * Where the gateway's own process spends its time, by function of our sources and by package:
 * node bench/profile.mjs [--stream] [--concurrency N] [--prompt BYTES] [--seconds N], or [--conversation KB] for the turns of an agent,
 * one request at a time
 *
 * Runs a separate bundle, not minified and with a source map, in bench/dist; leaves the .cpuprofile there for DevTools. The report
 * covers the load alone, after a warm-up: neither the start nor code that is not compiled yet.
 */
import '../scripts/check-node.mjs';
import { execFileSync } from 'node:child_process';
import { cp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { readProfile } from './lib/cpu-profile.mjs';
import { measureLoad } from './lib/measure.mjs';
import { startStack } from './lib/stack.mjs';

const ROOT = path.resolve(import.meta.dirname, '..');
const DIST = path.join(import.meta.dirname, 'dist');
const ROWS = 60;
const WARM_SECONDS = 4;
const SAMPLE_MICROS = 250;

const { values } = parseArgs({
  options: {
    stream: { type: 'boolean', default: false },
    concurrency: { type: 'string', default: '16' },
    prompt: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '8' },
    conversation: { type: 'string' },
  },
});

await rm(DIST, { recursive: true, force: true });
// The stores come from there, and the counter is looked for beside the gateway.
execFileSync(process.execPath, ['scripts/build.mjs', 'local'], { cwd: ROOT, stdio: 'inherit' });
await cp(path.join(ROOT, 'dist/local'), DIST, { recursive: true });
await build({
  absWorkingDir: ROOT,
  entryPoints: ['bin/local.ts'],
  outfile: path.join(DIST, 'index.mjs'),
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node24',
  mainFields: ['module', 'main'],
  external: ['dynalite', 'fauxqs'],
  sourcemap: 'linked',
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
});

const stack = await startStack({
  gatewayScript: path.join(DIST, 'index.mjs'),
  gatewayArgv: [
    '--cpu-prof',
    `--cpu-prof-dir=${DIST}`,
    '--cpu-prof-name=gateway.cpuprofile',
    `--cpu-prof-interval=${SAMPLE_MICROS}`,
  ],
});
// The profiler counts elapsed time: on few cores, whom the gateway wakes by a write must not take its core right then.
for (const { pid } of [stack.generator, stack.stores, stack.targets.direct.process]) os.setPriority(pid, 19);
let load;
try {
  const measure = await chooseLoad();
  await measure(WARM_SECONDS);
  const fromMicros = nowMicros();
  const { perSecond, cpu, elapsedMs } = await measure(Number(values.seconds));
  console.log(`${perSecond.toFixed(0)} requests a second, ${cpu.toFixed(2)} ms CPU a request (profiler included)`);
  load = { fromMicros, toMicros: fromMicros + elapsedMs * 1000 };
  // It writes its profile as it ends.
  stack.counter.release();
  await stack.gateway.stop();
} finally {
  await stack.stop();
}

const { totalMs, packages, functions } = readProfile(
  path.join(DIST, 'gateway.cpuprofile'),
  path.join(DIST, 'index.mjs.map'),
  load,
);
const share = (ms) => `${((ms / totalMs) * 100).toFixed(1)} %`.padStart(7);
const show = (title, rows, key) => {
  console.log(`\n${title}`);
  for (const row of rows.toSorted((a, b) => b[key] - a[key]).slice(0, ROWS)) {
    console.log(`${share(row.selfMs)} self ${share(row.totalMs)} total  ${row.name}`);
  }
};
show('Packages and folders, by self time', packages, 'selfMs');
show('Functions, by self time', functions, 'selfMs');
show('Functions, by total time', functions, 'totalMs');

async function chooseLoad() {
  const { stream, concurrency, prompt, conversation } = values;
  if (conversation === undefined) {
    const cell = { stream, concurrency: Number(concurrency), promptBytes: Number(prompt) };
    return (seconds) => measureLoad(stack, 'gateway', cell, { seconds });
  }
  const cell = { stream, concurrency: 1, agentKb: Number(conversation) };
  await measureLoad(stack, 'gateway', { ...cell, isNew: true }, { requests: 1 });
  return async (seconds) => {
    const measured = await measureLoad(stack, 'gateway', cell, { seconds });
    console.log(`${measured.parses.toFixed(0)} times JSON.parse of the first body, in the gateway's process`);
    return measured;
  };
}

/** The clock that V8's profiles go by (CLOCK_MONOTONIC). */
function nowMicros() {
  return Number(process.hrtime.bigint() / 1000n);
}
