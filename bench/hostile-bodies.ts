/**
 * What other callers wait for while requests are handled that are made to be costly, written to bench/hostile-bodies.md:
 * npm run bench hostile-bodies [-- --runs N] [-- --concurrency N] [-- --only NAME]
 *
 * Three runs take about five minutes of a machine with two idle cores. With --only it is printed and written nowhere.
 */
import '../scripts/check-node.mjs';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { startLocalProcess } from '../test/contract/local-process.ts';
import type { Service } from '../test/contract/service.ts';
import { CASES, type HostileCase } from './hostile-bodies/bodies.ts';
import { quantile } from './lib/statistics.ts';
import { table } from './lib/table.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '3' },
    concurrency: { type: 'string', default: '4' },
    only: { type: 'string' },
  },
});
const runs = Number(values.runs);
const concurrency = Number(values.concurrency);
const cases = CASES.filter(({ name }) => values.only === undefined || name.includes(values.only));
const PROBE_EVERY_MS = 5;
/** What the figures are to be at most. */
const GOALS = { p99: 50, longest: 150 };

interface Figures {
  readonly statuses: readonly number[];
  readonly cpuSeconds: number;
  readonly waits: readonly number[];
  /** The most memory of the process above that before, megabytes. */
  readonly grownMb: number;
}

const provider = new Worker(new URL('./hostile-bodies/provider.ts', import.meta.url));
const [providerUrl] = (await once(provider, 'message')) as [string];
const service = await startLocalProcess(
  {
    OPENAI_API_KEY: 'k',
    OPENAI_BASE_URL: `${providerUrl}/v1`,
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_BASE_URL: providerUrl,
  },
  { SVC_LOG_LEVEL: 'error' },
);
const pid = service.pid as number;
const prober = new Worker(new URL('./hostile-bodies/prober.ts', import.meta.url), {
  workerData: { url: service.baseUrl.replace(/\/v1$/, '/healthz'), everyMs: PROBE_EVERY_MS },
});
try {
  const bodies = new Map(cases.map((one) => [one, JSON.stringify(one.body())]));
  const measured = new Map<HostileCase, Figures[]>(cases.map((one) => [one, []]));
  // Once for the code that is compiled while it first runs, and for the memory of one request.
  const alone = new Map<HostileCase, Figures>();
  for (const one of cases) alone.set(one, await measure(one, bodies.get(one) as string, 1));
  for (let run = 1; run <= runs; run += 1) {
    for (const [one, figures] of measured) {
      const figure = await measure(one, bodies.get(one) as string, concurrency);
      figures.push(figure);
      const { statuses, cpuSeconds, waits, grownMb } = figure;
      console.log(
        `run ${run}: ${one.name}: ${statuses}, ${cpuSeconds.toFixed(2)} s, p99 ${quantile(waits, 0.99).toFixed(0)}, ${Math.max(...waits).toFixed(0)} ms, ${grownMb.toFixed(0)} MB`,
      );
    }
  }
  const text = report(measured, alone);
  if (values.only === undefined) writeFileSync(path.join(import.meta.dirname, 'hostile-bodies.md'), text);
  console.log(text);
} finally {
  await prober.terminate();
  await service.stop();
  await provider.terminate();
}

/** Posts a body so many times at once, and reads what the others waited meanwhile. */
async function measure({ path: at }: HostileCase, body: string, times: number): Promise<Figures> {
  await waitsSoFar();
  const before = cpuSecondsOf(pid);
  const memoryBefore = beginPeak(pid);
  const statuses = await Promise.all(Array.from({ length: times }, () => post(service, at, body)));
  const cpuSeconds = (cpuSecondsOf(pid) - before) / times;
  const grownMb = memoryOf(pid, 'VmHWM') - memoryBefore;
  return { statuses, cpuSeconds, grownMb, waits: await waitsSoFar() };
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

async function post({ baseUrl, adminKey }: Service, at: string, body: string): Promise<number> {
  const headers = { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' };
  const response = await fetch(`${baseUrl}${at}`, { method: 'POST', headers, body });
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
  alone: ReadonlyMap<HostileCase, Figures>,
): string {
  const rows = [...measured].map(([one, figures]) => {
    const statuses = new Set(figures.flatMap((one) => one.statuses));
    return [
      one.name,
      [...statuses].join(', '),
      shown(figures, ({ cpuSeconds }) => cpuSeconds, 2),
      shown(figures, ({ waits }) => quantile(waits, 0.5), 1),
      shown(figures, ({ waits }) => quantile(waits, 0.99), 0),
      shown(figures, ({ waits }) => Math.max(...waits), 0),
      (alone.get(one) as Figures).grownMb.toFixed(0),
    ];
  });
  const all = Array.from({ length: runs }, (_, run) => [...measured.values()].flatMap((one) => one[run]?.waits ?? []));
  const total = all.map((waits, run) => [
    `run ${run + 1}`,
    waits.length,
    quantile(waits, 0.5).toFixed(1),
    quantile(waits, 0.99).toFixed(0),
    Math.max(...waits).toFixed(0),
  ]);
  return `<!-- Generated by bench/hostile-bodies.ts. Do not edit: run \`npm run bench hostile-bodies\` again. -->

# Hostile bodies

Each body ${concurrency} times at once to the local run, while another client asks \`/healthz\` every ${PROBE_EVERY_MS} ms, ${runs} runs with Node ${process.version}.
Waits in milliseconds, CPU of the gateway's process in seconds a request, memory of one request in megabytes. The goal: p99 ${GOALS.p99} ms and ${GOALS.longest} ms at worst.

${table(['', 'Requests', 'p50', 'p99', 'longest'], total)}

By body, run by run:

${table(['Body', 'Status', 'CPU', '`/healthz` p50', 'p99', 'longest', 'Memory'], rows)}
`;
}

function shown(figures: readonly Figures[], of: (one: Figures) => number, digits: number): string {
  return figures.map((one) => of(one).toFixed(digits)).join(' / ');
}
