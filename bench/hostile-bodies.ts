/**
 * What other callers wait for while requests and responses are handled that are made to be costly, written to bench/hostile-bodies.md:
 * npm run bench hostile-bodies [-- --runs N] [-- --concurrency N] [-- --only NAME]
 *
 * Two runs take about ten minutes of a machine with two idle cores. With --only it is printed and written nowhere.
 */
import '../scripts/check-node.mjs';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { startLocalProcess } from '../test/contract/local-process.ts';
import type { HostileCase } from './hostile-bodies/hostile-case.ts';
import { REQUESTS } from './hostile-bodies/requests.ts';
import { RESPONSES } from './hostile-bodies/responses.ts';
import { quantile } from './lib/statistics.ts';
import { table } from './lib/table.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '2' },
    concurrency: { type: 'string', default: '4' },
    only: { type: 'string' },
  },
});
const runs = Number(values.runs);
const concurrency = Number(values.concurrency);
const cases = [...REQUESTS, ...RESPONSES].filter(({ name }) => values.only === undefined || name.includes(values.only));
const PROBE_EVERY_MS = 5;
/** Memory is to be back after this time. */
const IDLE_MS = 10_000;
/** What the figures are to be at most; memory as a multiple of the response. */
const GOALS = { p99: 50, longest: 150, memory: 5 };

interface Figures {
  readonly statuses: readonly number[];
  readonly cpuSeconds: number;
  readonly waits: readonly number[];
  /** CPU of the longest turn of the gateway's event loop: what others wait on a machine that is not busy. */
  readonly turnMs: number;
  /** The most memory of the process above that before, megabytes. */
  readonly grownMb: number;
}

/** One request, for the memory that it takes. */
interface Alone extends Figures {
  /** Memory above that before, when the process has been idle. */
  readonly leftMb: number;
  /** What of that is held: the rest is garbage that V8 collects when it needs the room. */
  readonly heldMb: number;
  /** The provider's response; 0 if the request is the costly part. */
  readonly answerMb: number;
}

const folder = mkdtempSync(path.join(tmpdir(), 'svc-hostile-'));
const turnsFile = path.join(folder, 'turns');
const provider = new Worker(new URL('./hostile-bodies/provider.ts', import.meta.url));
const [providerUrl] = (await once(provider, 'message')) as [string];
const service = await startLocalProcess(
  {
    OPENAI_API_KEY: 'k',
    OPENAI_BASE_URL: `${providerUrl}/v1`,
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_BASE_URL: providerUrl,
  },
  {
    // As users start it.
    SVC_WARM_UP: '',
    NODE_COMPILE_CACHE: '',
    SVC_LOG_LEVEL: 'error',
    SVC_BENCH_TURNS: turnsFile,
    NODE_OPTIONS: `--expose-gc --import ${new URL('./hostile-bodies/turns.mjs', import.meta.url)}`,
  },
);
const pid = service.pid as number;
const prober = new Worker(new URL('./hostile-bodies/prober.ts', import.meta.url), {
  workerData: { url: service.baseUrl.replace(/\/v1$/, '/healthz'), everyMs: PROBE_EVERY_MS },
});
try {
  const measured = new Map<HostileCase, Figures[]>(cases.map((one) => [one, []]));
  // Once for the code that is compiled while it first runs, and for the memory of one request.
  const alone = new Map<HostileCase, Alone>();
  for (const one of cases) {
    const figures = await measureAlone(one);
    alone.set(one, figures);
    if (one.isOnce) measured.get(one)?.push(figures);
    print('alone', one, figures);
  }
  for (let run = 1; run <= runs; run += 1) {
    for (const [one, figures] of measured) {
      if (one.isOnce) continue;
      figures.push(await measure(one, concurrency));
      print(`run ${run}`, one, figures.at(-1) as Figures);
    }
  }
  const text = report(measured, alone);
  if (values.only === undefined && runs > 0) writeFileSync(path.join(import.meta.dirname, 'hostile-bodies.md'), text);
  console.log(text);
} finally {
  await prober.terminate();
  await service.stop();
  await provider.terminate();
  rmSync(folder, { recursive: true });
}

async function measureAlone(one: HostileCase): Promise<Alone> {
  const answerMb = one.answer === undefined ? 0 : (await prepared(one.answer)) / 1e6;
  if (one.before !== undefined) await send(one.before.path, JSON.stringify(one.before.body));
  const heldBefore = await heldMb();
  const memoryBefore = memoryOf(pid, 'VmRSS');
  const figures = await measure(one, 1);
  if (answerMb > 0) await sleep(IDLE_MS);
  const leftMb = memoryOf(pid, 'VmRSS') - memoryBefore;
  return { ...figures, answerMb, leftMb, heldMb: (await heldMb()) - heldBefore };
}

/** Sends a request so many times at once, and reads what the others waited meanwhile. */
async function measure({ path: at, body }: HostileCase, times: number): Promise<Figures> {
  const text = body && JSON.stringify(body());
  await waitsSoFar();
  await longestTurn();
  const before = cpuSecondsOf(pid);
  const memoryBefore = beginPeak(pid);
  const statuses = await Promise.all(Array.from({ length: times }, () => send(at, text)));
  const cpuSeconds = (cpuSecondsOf(pid) - before) / times;
  const grownMb = memoryOf(pid, 'VmHWM') - memoryBefore;
  const waits = await waitsSoFar();
  return { statuses, cpuSeconds, grownMb, waits, turnMs: await longestTurn() };
}

function print(when: string, { name }: HostileCase, { statuses, cpuSeconds, waits, turnMs, grownMb }: Figures): void {
  const figures = [
    `${cpuSeconds.toFixed(2)} s`,
    `turn ${turnMs.toFixed(0)} ms`,
    `p99 ${quantile(waits, 0.99).toFixed(0)}`,
  ];
  const memory = `${grownMb.toFixed(0)} MB`;
  console.log(`${when}: ${name}: ${[statuses, ...figures, `${Math.max(...waits).toFixed(0)} ms`, memory].join(', ')}`);
}

/** The provider has made a response. @returns its bytes */
async function prepared(answer: string): Promise<number> {
  provider.postMessage(answer);
  const [bytes] = (await once(provider, 'message')) as [number];
  return bytes;
}

/** CPU of the longest turn since the last call, milliseconds. */
function longestTurn(): Promise<number> {
  return reported('SIGUSR2');
}

/** What the process holds after a collection of its garbage, megabytes. */
async function heldMb(): Promise<number> {
  return (await reported('SIGCONT')) / 1e6;
}

/** What the process writes for a signal. */
async function reported(signal: NodeJS.Signals): Promise<number> {
  rmSync(turnsFile, { force: true });
  process.kill(pid, signal);
  while (!existsSync(turnsFile) || readFileSync(turnsFile, 'utf8') === '') await sleep(5);
  return Number(readFileSync(turnsFile, 'utf8'));
}

/** Forgets the peak of a process's memory. @returns its memory now, megabytes */
function beginPeak(pid: number): number {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return memoryOf(pid, 'VmRSS');
}

function memoryOf(pid: number, field: string): number {
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}

/** CPU that a process has used, seconds; in hundredths. */
function cpuSecondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function send(at: string, body?: string): Promise<number> {
  const { baseUrl, adminKey } = service;
  const headers = { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' };
  const method = body === undefined ? 'GET' : 'POST';
  const response = await fetch(`${baseUrl}${at}`, { method, headers, ...(body !== undefined && { body }) });
  await response.arrayBuffer();
  return response.status;
}

async function waitsSoFar(): Promise<number[]> {
  prober.postMessage('');
  const [waits] = (await once(prober, 'message')) as [number[]];
  return waits;
}

function report(
  measured: ReadonlyMap<HostileCase, readonly Figures[]>,
  alone: ReadonlyMap<HostileCase, Alone>,
): string {
  const rowsOf = (list: readonly HostileCase[]) =>
    list
      .filter((one) => measured.has(one))
      .map((one) => rowOf(one, measured.get(one) as Figures[], alone.get(one) as Alone));
  const all = Array.from({ length: runs }, (_, run) => [...measured.values()].flatMap((one) => one[run]?.waits ?? []));
  const total = all.map((waits, run) => [
    `run ${run + 1}`,
    waits.length,
    quantile(waits, 0.5).toFixed(1),
    quantile(waits, 0.99).toFixed(0),
    Math.max(...waits).toFixed(0),
  ]);
  const columns = ['Status', 'CPU', 'Turn', '`/healthz` p50', 'p99', 'longest'];
  return `<!-- Generated by bench/hostile-bodies.ts. Do not edit: run \`npm run bench hostile-bodies\` again. -->

# Hostile bodies

Each body ${concurrency} times at once to the local run, while another client asks \`/healthz\` every ${PROBE_EVERY_MS} ms, ${runs} runs with Node ${process.version}.
Waits in milliseconds, CPU of the gateway's process in seconds a request. A turn is the CPU of the longest turn of its event loop, in milliseconds.
The goal: p99 ${GOALS.p99} ms and ${GOALS.longest} ms at worst.

${table(['', 'Requests', 'p50', 'p99', 'longest'], total)}

## Requests

By body, run by run. Memory of one request in megabytes:

${table(['Request', ...columns, 'Memory'], rowsOf(REQUESTS))}

## Responses

By the provider's response, run by run. Memory of one request: the peak, as a multiple of the response, and what is left after
${IDLE_MS / 1000} s, in megabytes above that before. Held is what is left of the heap and of buffers after a collection of garbage, which V8
puts off until it needs the room. The goal: ${GOALS.memory} times the response, and it comes back.

${table(['Response', 'MB', ...columns, 'Memory', 'Multiple', 'Left', 'Held'], rowsOf(RESPONSES))}
`;
}

function rowOf(
  one: HostileCase,
  figures: readonly Figures[],
  { grownMb, leftMb, heldMb, answerMb }: Alone,
): (string | number)[] {
  const statuses = new Set(figures.flatMap((each) => each.statuses));
  const row = [
    [...statuses].join(', '),
    shown(figures, ({ cpuSeconds }) => cpuSeconds, 2),
    shown(figures, ({ turnMs }) => turnMs, 0),
    shown(figures, ({ waits }) => quantile(waits, 0.5), 1),
    shown(figures, ({ waits }) => quantile(waits, 0.99), 0),
    shown(figures, ({ waits }) => Math.max(...waits), 0),
    grownMb.toFixed(0),
  ];
  if (answerMb === 0) return [one.name, ...row];
  return [
    one.name,
    answerMb.toFixed(answerMb < 10 ? 1 : 0),
    ...row,
    (grownMb / answerMb).toFixed(1),
    leftMb.toFixed(0),
    heldMb.toFixed(0),
  ];
}

function shown(figures: readonly Figures[], of: (one: Figures) => number, digits: number): string {
  return figures.map((one) => of(one).toFixed(digits)).join(' / ');
}
