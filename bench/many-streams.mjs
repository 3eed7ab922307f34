/**
 * Many streams at once through the server in one process, written to bench/many-streams.md: npm run bench many-streams
 *
 * Memory, delay of the event loop and CPU while all streams run; then the writes to DynamoDB of as many short requests. About two minutes.
 */
import '../scripts/check-node.mjs';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { startCountingProxy } from '../test/support/counting-proxy.ts';
import { recordGoals } from './lib/goals.ts';
import { cpuMs, residentMb } from './lib/process-usage.ts';
import { nextMessage } from './lib/processes.mjs';
import { startStack } from './lib/stack.mjs';
import { median } from './lib/statistics.ts';
import { table } from './lib/table.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const TOKENS_PER_SECOND = 50;
const RAMP_MS = 2_000;
const SETTLE_MS = 3_000;
const MEASURED_SECONDS = 15;
/** As the server's own check. */
const RESOLUTION_MS = 10;
const SLACK_MS = 120_000;
const WRITES = /^(?:PutItem|UpdateItem|DeleteItem|BatchWriteItem|TransactWriteItems) /;
/** Of 200 streams. */
const GOALS = { residentMb: 200, delayMs: 30, cpuPercent: 60, tokenMicros: 40 };

/** The goals are for the last. */
const COUNTS = [50, 100, 200];
const MOST = COUNTS.at(-1);

execFileSync(process.execPath, ['scripts/build.mjs', 'local'], { cwd: ROOT, stdio: 'inherit' });
const runs = [];
for (const streams of COUNTS) runs.push(await measureStreams(streams));
const writes = await measureWrites();
writeFileSync(path.join(import.meta.dirname, 'many-streams.md'), report());
recordGoals('many-streams', goals());
console.log('bench/many-streams.md written');

function start(options = {}) {
  return startStack({
    gatewayScript: path.join(ROOT, 'dist/local/index.mjs'),
    upstreamScript: path.join(import.meta.dirname, 'lib/paced-provider.mjs'),
    ...options,
  });
}

/** Opens all streams with this many tokens each, and resolves when all run. */
async function openStreams(stack, streams, tokens) {
  const { url, headers, modelPrefix } = stack.targets.gateway;
  const reader = stack.processes.fork(path.join(import.meta.dirname, 'lib/stream-reader.mjs'));
  const messages = [{ role: 'user', content: 'Tell me about the history of the printing press.' }];
  const body = JSON.stringify({ model: `${modelPrefix}gpt-4o-mini`, stream: true, max_tokens: tokens, messages });
  reader.send({ url, headers, body, streams, rampMs: RAMP_MS });
  await nextMessage(reader, SLACK_MS);
  return reader;
}

async function measureStreams(streams) {
  const stack = await start({ gatewayEnv: { SVC_METRICS_PORT: '0', SVC_LOG_LEVEL: 'error' } });
  try {
    const { pid, memory, output } = stack.gateway;
    const [, metricsUrl] = /^metrics (\S+)$/m.exec(output());
    const idleMb = residentMb(pid);
    const seconds = MEASURED_SECONDS + (RAMP_MS + SETTLE_MS) / 1000 + 5;
    const reader = await openStreams(stack, streams, TOKENS_PER_SECOND * seconds);
    await sleep(SETTLE_MS);
    const runningStreams = await scrape(metricsUrl, 'svc_running_streams');
    const own = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    own.enable();
    const tokensBefore = await countTokens(reader);
    const before = cpuMs(pid);
    const points = [];
    for (let second = 0; second < MEASURED_SECONDS; second += 1) {
      await sleep(1_000);
      points.push({ residentMb: residentMb(pid), heapMb: (await memory()).heapUsed / 2 ** 20 });
    }
    const usedMs = cpuMs(pid) - before;
    const cpuShare = usedMs / (MEASURED_SECONDS * 1_000);
    const tokens = (await countTokens(reader)) - tokensBefore;
    const delays = await scrapeAll(metricsUrl, 'svc_event_loop_delay_seconds');
    const others = own.percentile(99) / 1e6 - RESOLUTION_MS;
    const usedMb = (await memory(true)).heapUsed / 2 ** 20;
    const results = await nextMessage(reader, SLACK_MS);
    const complete = results.filter(({ status, isDone }) => status === 200 && isDone).length;
    const tokenMicros = (1_000 * usedMs) / tokens;
    const perSecond = tokens / MEASURED_SECONDS;
    return {
      streams,
      idleMb,
      runningStreams,
      points,
      cpuShare,
      tokenMicros,
      perSecond,
      delays,
      others,
      usedMb,
      complete,
    };
  } finally {
    await stack.stop();
  }
}

/** The tokens that have arrived so far. */
function countTokens(reader) {
  reader.send('count');
  return nextMessage(reader, SLACK_MS);
}

/** Calls of the gateway and its relay that write, by operation and table. Counting is paused meanwhile. */
async function measureWrites() {
  let proxy;
  const throughStore = async (url) => {
    proxy = await startCountingProxy(url);
    return proxy.url;
  };
  const stack = await start({ throughStore });
  try {
    proxy.take();
    const reader = await openStreams(stack, MOST, TOKENS_PER_SECOND);
    await nextMessage(reader, SLACK_MS);
    await sleep(1_000);
    return Object.entries(proxy.take()).filter(([name]) => WRITES.test(name));
  } finally {
    await stack.stop();
    await proxy?.stop();
  }
}

async function scrape(url, name) {
  const text = await (await fetch(url)).text();
  return Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]);
}

/** Milliseconds by quantile. */
async function scrapeAll(url, name) {
  const text = await (await fetch(url)).text();
  const found = text.matchAll(new RegExp(`^${name}\\{quantile="(.+?)"\\} (.+)$`, 'gm'));
  return Object.fromEntries([...found].map(([, share, seconds]) => [share, Number(seconds) * 1_000]));
}

function goals() {
  const last = runs.at(-1);
  const at = `${MOST} streams`;
  return [
    { name: 'Resident', measured: mostOf(last, 'residentMb'), limit: GOALS.residentMb, unit: 'MB', at },
    { name: 'CPU, of a core', measured: 100 * last.cpuShare, limit: GOALS.cpuPercent, unit: '%', at },
    { name: 'CPU of a streamed token', measured: last.tokenMicros, limit: GOALS.tokenMicros, unit: 'us', at },
    { name: 'Event loop delay, p99', measured: last.delays['0.99'], limit: GOALS.delayMs, unit: 'ms', at },
  ];
}

function mostOf({ points }, name) {
  return Math.max(...points.map((point) => point[name]));
}

function report() {
  const total = writes.reduce((sum, [, count]) => sum + count, 0);
  const [cpu] = os.cpus();
  const row = (name, read) => [name, ...runs.map(read)];
  const mid = ({ points }, name) => median(points.map((point) => point[name]));
  return `<!-- Generated by bench/many-streams.mjs. Do not edit: run \`npm run bench many-streams\` again. -->

# Many streams in one process

Streams of ${TOKENS_PER_SECOND} tokens a second each, from a mock provider through the local server as \`npm start\` runs it, all with one key and ordinary prose. Provider, server,
stores and reader share the machine (${cpu.model}, ${os.cpus().length} cores; Node ${process.version}, ${new Date().toISOString().slice(0, 10)}; load average ${os.loadavg()[0].toFixed(1)} at the end). Each column is one new
process, measured for ${MEASURED_SECONDS} seconds while all streams ran; ${runs.map(({ complete, streams }) => `${complete} of ${streams}`).join(', ')} were complete. [Goals](results.md#goals).

${table(
  ['Streams', ...COUNTS],
  [
    row('Resident before the streams, MB', ({ idleMb }) => idleMb.toFixed(0)),
    row('Resident, median, MB', (run) => mid(run, 'residentMb').toFixed(0)),
    row('Resident, most, MB', (run) => mostOf(run, 'residentMb').toFixed(0)),
    row('Heap with garbage, most, MB', (run) => mostOf(run, 'heapMb').toFixed(0)),
    row('Heap in use, collected, MB', ({ usedMb }) => usedMb.toFixed(0)),
    row('Event loop delay, p50, ms', ({ delays }) => delays['0.5'].toFixed(1)),
    row('Event loop delay, p99, ms', ({ delays }) => delays['0.99'].toFixed(1)),
    row('Longest, ms', ({ delays }) => delays['1'].toFixed(1)),
    row('p99 of an idle process at the same time, ms', ({ others }) => others.toFixed(1)),
    row('CPU, share of a core', ({ cpuShare }) => `${(100 * cpuShare).toFixed(0)} %`),
    row('Tokens that arrived, a second', ({ perSecond }) => perSecond.toFixed(0)),
    row('CPU a token, us', ({ tokenMicros }) => tokenMicros.toFixed(0)),
  ],
)}

The idle process shows what other programs of the machine delayed. Fewer tokens arrive where the machine lacks time for provider and reader.

## Writes to DynamoDB

${MOST} streams of one second, begun within ${RAMP_MS / 1_000} seconds: ${(total / MOST).toFixed(2)} writing calls a request. Where requests of a key are frequent, one conditional write
admits several and leases more ([decision 2](../docs/decisions/0002-exact-admission.md)); records are written together. Counting is not included.

${table(
  ['Call', 'Calls', 'A request'],
  writes.map(([name, count]) => [`\`${name}\``, count, (count / MOST).toFixed(2)]),
)}
`;
}
