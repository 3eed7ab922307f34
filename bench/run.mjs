/**
 * The gateway against a bare proxy, Portkey and LiteLLM over the same mock provider, written to bench/results.md:
 * npm run bench load [-- --quick] [--seconds N] [--rounds N] [--only json|sse|agents|content|memory] [--concurrency N] [--prompt 1KB]
 *     [--data FOLDER]
 *
 * The full run takes about eight minutes, --quick two. Every round measures every target in turn, so that what slows the
 * machine for a while slows them all: read the ratios. What is only a part of it, by the last four options, is printed and
 * written nowhere. --data takes the prompts from a folder of labelled texts. It needs Linux, and installs Portkey and, where there is
 * Python, LiteLLM into bench/peers.
 */
import '../scripts/check-node.mjs';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { installOwn } from '../test/support/own-suite.mjs';
import { installPython } from '../test/support/python-suite.mjs';
import { recordGoals } from './lib/goals.ts';
import { loadGoals } from './lib/load-goals.mjs';
import { measureContent, measureLoad, measureMemory } from './lib/measure.mjs';
import { residentMb } from './lib/process-usage.ts';
import { report, sections } from './lib/report.mjs';
import { startStack } from './lib/stack.mjs';

const ROOT = path.resolve(import.meta.dirname, '..');
const RESULTS = path.join(import.meta.dirname, 'results.md');
const PEERS = path.join(import.meta.dirname, 'peers');
const PLANS = {
  quick: { rounds: 2, seconds: 0.4, warmSeconds: 1, contentStreams: 3 },
  full: { rounds: 5, seconds: 0.6, warmSeconds: 2, contentStreams: 6 },
};
const CONCURRENCIES = [1, 16];
const PROMPT_SIZES = [1_000, 20_000, 100_000];
/** Sizes of agents' conversations, and requests of each measurement. */
const AGENT_KB = [60, 200];
const AGENT_REQUESTS = { isNew: 4, isNext: 12 };
const PARTS = ['json', 'sse', 'agents', 'content', 'memory'];
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
const plan = { ...PLANS[values.quick ? 'quick' : 'full'], concurrencies: CONCURRENCIES, promptSizes: PROMPT_SIZES };
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

const load = os.loadavg()[0];
installOwn(PEERS);
const programs = installPython(PEERS);
const python = programs && path.join(programs, 'python');
if (python === undefined) console.log('LiteLLM is left out: it needs Python.');
execFileSync(process.execPath, ['scripts/build.mjs', 'local'], { cwd: ROOT, stdio: 'inherit' });

const startedAt = performance.now();
const stack = await startStack({ gatewayScript: path.join(ROOT, 'dist/local/index.mjs'), peers: { python } });
/** Direct is the mock itself; the others are in front of it. */
const targets = Object.keys(stack.targets);
try {
  // First, of a process that has done nothing yet; it warms the gateway besides.
  const memory = parts.has('memory')
    ? { gateway: await measureMemory(stack, 'gateway'), portkey: await measureMemory(stack, 'portkey') }
    : {};
  if (parts.size > 1 || !parts.has('memory')) await warmUp();
  const loads = await measureLoads(loadCells());
  const content = parts.has('content') ? await measureContents() : [];
  const resident = Object.fromEntries(targets.map((name) => [name, residentMb(stack.targets[name].process.pid)]));
  resident.stores = residentMb(stack.stores.pid);
  const elapsedSeconds = Math.round((performance.now() - startedAt) / 1000);
  const { failures } = stack;
  const liteLlmVersion = python && pinnedVersion('litellm');
  const run = { plan, quick: values.quick ?? false, elapsedSeconds, load, liteLlmVersion };
  const measured = { ...run, loads, content, memory, resident, failures };
  if (isWhole) {
    await writeFile(RESULTS, report(measured));
    recordGoals('load', loadGoals(measured));
    console.log(`${path.relative(process.cwd(), RESULTS)} written, ${elapsedSeconds} s`);
  } else console.log(sections(measured));
} finally {
  await stack.stop();
}

/** The selected loads. */
function loadCells() {
  const { concurrencies, promptSizes } = plan;
  const prompts = ['json', 'sse']
    .filter((kind) => parts.has(kind))
    .flatMap((kind) =>
      concurrencies.flatMap((concurrency) =>
        promptSizes.map((promptBytes) => ({ stream: kind === 'sse', concurrency, promptBytes })),
      ),
    );
  // A target's further turns are those of the conversation that it had before.
  const agents = AGENT_KB.flatMap((agentKb) =>
    [true, false].map((isNew) => ({ stream: false, concurrency: 1, agentKb, isNew })),
  );
  return [...prompts, ...(parts.has('agents') ? agents : [])];
}

/** How long a load is sent. */
function untilOf({ agentKb, isNew }) {
  if (agentKb === undefined) return { seconds: plan.seconds };
  return { requests: isNew ? AGENT_REQUESTS.isNew : AGENT_REQUESTS.isNext };
}

/** The version of a package in the requirements of bench/peers. */
function pinnedVersion(name) {
  return new RegExp(`^${name}==(\\S+)`, 'm').exec(readFileSync(path.join(PEERS, 'requirements.txt'), 'utf8'))?.[1];
}

/** `200B` or `20KB`, as the tables write them, or a number. */
function bytesOf(size) {
  const [, number, kilo] = /^(\d+)\s*(k?)b?$/i.exec(size) ?? [];
  if (number === undefined) throw new Error(`no size of a prompt: ${size}`);
  return Number(number) * (kilo === '' ? 1 : 1_000);
}

/** Compiled code, open connections and grown heaps before anything counts. */
async function warmUp() {
  for (const name of targets) {
    for (const stream of [false, true]) {
      const cell = { stream, concurrency: 16, promptBytes: 1_000 };
      await measureLoad(stack, name, cell, { seconds: plan.warmSeconds });
    }
  }
}

/** For each cell, each target's measurements, one a round. */
async function measureLoads(cells) {
  const loads = cells.map((cell) => ({ cell, rounds: [] }));
  for (let round = 1; round <= plan.rounds; round += 1) {
    for (const { cell, rounds } of loads) {
      const measured = {};
      for (const name of inTurn(round)) measured[name] = await measureLoad(stack, name, cell, untilOf(cell));
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
  const first = round % targets.length;
  return [...targets.slice(first), ...targets.slice(0, first)];
}
