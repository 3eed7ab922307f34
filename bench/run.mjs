/**
 * The gateway against a bare proxy and Portkey over the same mock provider, written to bench/results.md:
 * node bench/run.mjs [--quick] [--seconds N] [--rounds N] [--only json|sse|content|memory] [--concurrency N] [--prompt 1KB]
 *     [--data FOLDER]
 *
 * The full run takes about nine minutes, --quick one. Every round measures every target in turn, so that what slows the
 * machine for a while slows them all: read the ratios. What is only a part of it, by the last four options, is printed and
 * written nowhere. --data takes the prompts from a folder of labelled texts. It needs Linux, `npm ci` and `npm ci --prefix bench/peers`.
 */
import '../scripts/check-node.mjs';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { measureContent, measureLoad, measureMemory } from './lib/measure.mjs';
import { residentMb } from './lib/process-usage.ts';
import { report, sections } from './lib/report.mjs';
import { withSections } from './lib/sections.ts';
import { startStack } from './lib/stack.mjs';

const ROOT = path.resolve(import.meta.dirname, '..');
const RESULTS = path.join(import.meta.dirname, 'results.md');
const PLANS = {
  quick: { rounds: 3, seconds: 0.6, warmSeconds: 1, concurrencies: [1, 16], promptSizes: [1_000], contentStreams: 6 },
  full: {
    rounds: 5,
    seconds: 0.6,
    warmSeconds: 2,
    concurrencies: [1, 16, 64],
    promptSizes: [200, 1_000, 20_000, 200_000],
    contentStreams: 12,
  },
};
const PARTS = ['json', 'sse', 'content', 'memory'];
/** Direct is the mock itself; the others are in front of it. */
const TARGETS = ['direct', 'proxy', 'portkey', 'gateway'];
const CONTENT_PROMPT_BYTES = 1_000;

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    seconds: { type: 'string' },
    rounds: { type: 'string' },
    only: { type: 'string' },
    concurrency: { type: 'string' },
    prompt: { type: 'string' },
    data: { type: 'string' },
  },
});
// For the load generator.
if (values.data !== undefined) process.env.SVC_BENCH_DATA = path.resolve(values.data);
const plan = { ...PLANS[values.quick ? 'quick' : 'full'] };
if (values.seconds !== undefined) plan.seconds = Number(values.seconds);
if (values.rounds !== undefined) plan.rounds = Number(values.rounds);
if (values.concurrency !== undefined) plan.concurrencies = [Number(values.concurrency)];
if (values.prompt !== undefined) plan.promptSizes = [bytesOf(values.prompt)];
if (values.only !== undefined && !PARTS.includes(values.only)) {
  console.error(`--only is one of ${PARTS.join(', ')}`);
  process.exit(2);
}
const parts = new Set(values.only === undefined ? PARTS : [values.only]);
const isWhole = [values.only, values.concurrency, values.prompt, values.data].every((value) => value === undefined);

if (!existsSync(path.join(import.meta.dirname, 'peers/node_modules'))) {
  console.error('Portkey is not installed: npm ci --prefix bench/peers');
  process.exit(1);
}
execFileSync(process.execPath, ['scripts/build.mjs', 'local'], { cwd: ROOT, stdio: 'inherit' });

const startedAt = performance.now();
const stack = await startStack({ gatewayScript: path.join(ROOT, 'dist/local/index.mjs') });
try {
  // First, of a process that has done nothing yet; it warms the gateway besides.
  const memory = parts.has('memory')
    ? { gateway: await measureMemory(stack, 'gateway'), portkey: await measureMemory(stack, 'portkey') }
    : {};
  if (parts.size > 1 || !parts.has('memory')) await warmUp();
  const loads = await measureLoads(loadCells());
  const content = parts.has('content') ? await measureContents() : [];
  const resident = Object.fromEntries(TARGETS.map((name) => [name, residentMb(stack.targets[name].process.pid)]));
  resident.stores = residentMb(stack.stores.pid);
  const elapsedSeconds = Math.round((performance.now() - startedAt) / 1000);
  const { failures } = stack;
  const measured = { plan, quick: values.quick ?? false, loads, content, memory, resident, failures, elapsedSeconds };
  if (isWhole) {
    await writeFile(RESULTS, withSections(report(measured)));
    console.log(`${path.relative(process.cwd(), RESULTS)} written, ${elapsedSeconds} s`);
  } else console.log(sections(measured));
} finally {
  await stack.stop();
}

/** The selected loads. */
function loadCells() {
  const { concurrencies, promptSizes } = plan;
  return ['json', 'sse']
    .filter((kind) => parts.has(kind))
    .flatMap((kind) =>
      concurrencies.flatMap((concurrency) =>
        promptSizes.map((promptBytes) => ({ stream: kind === 'sse', concurrency, promptBytes })),
      ),
    );
}

/** `200B` or `20KB`, as the tables write them, or a number. */
function bytesOf(size) {
  const [, number, kilo] = /^(\d+)\s*(k?)b?$/i.exec(size) ?? [];
  if (number === undefined) throw new Error(`no size of a prompt: ${size}`);
  return Number(number) * (kilo === '' ? 1 : 1_000);
}

/** Compiled code, open connections and grown heaps before anything counts. */
async function warmUp() {
  for (const name of TARGETS) {
    for (const stream of [false, true]) {
      const cell = { stream, concurrency: 16, promptBytes: 1_000 };
      await measureLoad(stack, name, cell, plan.warmSeconds);
    }
  }
}

/** For each cell, each target's measurements, one a round. */
async function measureLoads(cells) {
  const loads = cells.map((cell) => ({ cell, rounds: [] }));
  for (let round = 1; round <= plan.rounds; round += 1) {
    for (const { cell, rounds } of loads) {
      const measured = {};
      for (const name of inTurn(round)) measured[name] = await measureLoad(stack, name, cell, plan.seconds);
      rounds.push(measured);
    }
    console.log(`round ${round} of ${plan.rounds}`);
  }
  return loads;
}

/** For each round, each target's streams. */
async function measureContents() {
  const rounds = [];
  for (let round = 1; round <= plan.rounds; round += 1) {
    const measured = {};
    for (const name of inTurn(round)) {
      const job = { promptBytes: CONTENT_PROMPT_BYTES, count: plan.contentStreams };
      measured[name] = await measureContent(stack, name, job);
    }
    await stack.counter.catchUp();
    rounds.push(measured);
  }
  return rounds;
}

/** Another target goes first in each round. */
function inTurn(round) {
  const first = round % TARGETS.length;
  return [...TARGETS.slice(first), ...TARGETS.slice(0, first)];
}
