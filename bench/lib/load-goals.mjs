import { furtherDelay, named, ratio } from './load-ratios.mjs';
import { median } from './statistics.ts';

/** Of the gateway's CPU to Portkey's, by prompt and requests at once; both for JSON and streams. */
const CPU_RATIOS = [
  { promptBytes: 1_000, concurrency: 16, limit: 1 },
  { promptBytes: 1_000, concurrency: 1, limit: 1.3 },
  { promptBytes: 20_000, limit: 2 },
  { promptBytes: 100_000, limit: 2.5 },
];
/** CPU of an agent's request in times of `JSON.parse` of its body. */
const PARSES = { isNew: 120, isNext: 12 };
const RESIDENT_MB = 180;
/** Heap in use after all requests, of that after half of them. */
const GROWTH = 1.05;
const FURTHER_MS = { p50: 1, p99: 5 };

/** What a whole run measured, against the goals. */
export function loadGoals({ loads, content, memory }) {
  return [...loadRatios(loads), ...agentGoals(loads), ...streamGoals(content), ...memoryGoals(memory.gateway)];
}

function loadRatios(loads) {
  const prompts = loads.filter(({ cell }) => cell.promptBytes !== undefined);
  const cpu = CPU_RATIOS.map(({ limit, ...wanted }) => {
    const cells = prompts.filter(({ cell }) => Object.entries(wanted).every(([name, value]) => cell[name] === value));
    const name = `CPU of Portkey's: ${nameOf(wanted)}`;
    return { name, limit, unit: 'times', ...worst(cells, ({ rounds }) => ratio(rounds, 'gateway', 'portkey')) };
  });
  const small = prompts.filter(({ cell }) => cell.promptBytes === 1_000);
  const busy = prompts.filter(({ cell }) => cell.concurrency === 16);
  const tail = ({ rounds }) => median(rounds.map(({ gateway }) => gateway.firstByteP99 / gateway.firstByte));
  return [
    ...cpu,
    {
      ...{ name: "Requests a second of Portkey's: 1 KB", limit: 1, isLeast: true, unit: 'times' },
      ...worst(small, ({ rounds }) => ratio(rounds, 'gateway', 'portkey', 'perSecond'), true),
    },
    { name: 'First byte: p99 of p50, 16 at once', limit: 3, unit: 'times', ...worst(busy, tail) },
  ];
}

function nameOf({ promptBytes, concurrency }) {
  const size = `${promptBytes / 1_000} KB`;
  if (concurrency === undefined) return size;
  return concurrency === 1 ? `${size}, one at a time` : `${size}, ${concurrency} at once`;
}

function agentGoals(loads) {
  return loads
    .filter(({ cell }) => cell.agentKb !== undefined)
    .map(({ cell, rounds }) => ({
      name: `CPU of an agent's ${cell.isNew ? 'new conversation' : 'further turn'}, ${cell.agentKb} KB`,
      measured: median(rounds.map(({ gateway }) => gateway.parses)),
      limit: cell.isNew ? PARSES.isNew : PARSES.isNext,
      unit: 'times `JSON.parse` of its body',
    }));
}

function streamGoals(content) {
  return Object.entries(FURTHER_MS).map(([name, limit]) => ({
    name: `Delay added to further characters of a stream, ${name}`,
    measured: furtherDelay(content, 'gateway', Number(name.slice(1)) / 100),
    limit,
    unit: 'ms',
  }));
}

function memoryGoals(points) {
  const [half, end] = [points[points.length / 2 - 1], points.at(-1)];
  return [
    { name: 'Resident after 10,000 requests of 20 KB', measured: end.residentMb, limit: RESIDENT_MB, unit: 'MB' },
    {
      name: 'Heap in use after all of them, of that half way',
      measured: end.liveMb / half.liveMb,
      limit: GROWTH,
      unit: 'times',
    },
  ];
}

/** The highest figure of some loads, or the least, and its load. */
function worst(loads, of, isLeast = false) {
  const figures = loads.map((load) => ({ measured: of(load), at: named(load.cell) }));
  figures.sort((a, b) => (isLeast ? a.measured - b.measured : b.measured - a.measured));
  return figures[0];
}
