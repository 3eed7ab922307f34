import { availableParallelism, loadavg } from 'node:os';
import { createInspector } from '../../functions/inspection/index.ts';
import type { Inspector } from '../../functions/inspection/inspector/index.ts';
import type { Goal } from '../lib/goals.ts';
import { rowsOf, textsByKind } from '../lib/texts.ts';
import { quantile, table } from './figures.ts';
import { HOSTILE_TEXTS } from './hostile-texts.ts';
import type { Section } from './section.ts';
import { startTable } from './start.ts';

const KILOBYTE = 1024;
const ROW_SIZES = { '200 B': 200, '1 KB': KILOBYTE, '20 KB': 20 * KILOBYTE } as const;
/** Microseconds a KB of new text, p50 and p90, by kind of text and size of the row. */
const LIMITS = [
  { kinds: ['prose'], sizes: ['20 KB'], p50: 100, p90: 150 },
  { kinds: ['prose'], sizes: ['1 KB'], p50: 140, p90: 220 },
  { kinds: ['code', 'json'], sizes: ['1 KB', '20 KB'], p50: 120, p90: 200 },
] as const;
const HOSTILE_MS = 4;
/** Of a larger folder no more is measured. */
const MAX_BYTES = 4 * KILOBYTE ** 2;
const ROUNDS = 3;
const HOSTILE_LENGTH = 100 * KILOBYTE;
const HOSTILE_RUNS = 3;

/** What inspection costs: ordinary text by size, hostile text, and the start. */
export const SPEED: Section = {
  name: 'speed',
  isSelfContained: true,
  write: async ({ inspector, texts, goals }) => {
    const ordinary = ordinaryTimes(texts);
    const hostile = hostileTimes(inspector);
    goals.push(...ordinaryGoals(ordinary), ...hostileGoals(hostile));
    return `## Time

Full inspection as a user's text, one core, us per KB of UTF-8 (p50 / p90, in brackets the number of rows). The texts are cut
into rows. An inspector reads all other kinds of text first, then each row once, so that no row repeats. A row's time is the
lowest of ${ROUNDS} such inspectors. ${loadNote()}

${ordinaryTable(ordinary)}

### Hostile texts

100 KB and 200 KB of each, as user's text and as a tool's result, the slower of the two; best of ${HOSTILE_RUNS} runs. A ratio of
about 2 is linear growth.

${hostileTable(hostile)}

### Start

${await startTable()}`;
  },
};

/** Microseconds a KB of each row, by kind of text and size of its rows. */
type RowTimes = ReadonlyMap<string, Readonly<Record<keyof typeof ROW_SIZES, readonly number[]>>>;

interface HostileTime {
  readonly name: string;
  /** Milliseconds. */
  readonly short: number;
  readonly long: number;
}

/** Times are comparable only if the load is below the number of cores. */
function loadNote(): string {
  return `The machine had a load of ${(loadavg()[1] ?? 0).toFixed(1)} on ${availableParallelism()} cores.`;
}

function ordinaryTimes(texts: ReadonlyMap<string, string>): RowTimes {
  const timesOf = (kind: string, text: string, size: number) =>
    lowestTimes(kind, rowsOf(text, size).slice(0, MAX_BYTES / size)).map((ms) => (ms * 1000 * KILOBYTE) / size);
  return new Map(
    [...texts].map(([kind, text]) => {
      const bySize = Object.entries(ROW_SIZES).map(([name, size]) => [name, timesOf(kind, text, size)] as const);
      return [kind, Object.fromEntries(bySize) as Record<keyof typeof ROW_SIZES, number[]>] as const;
    }),
  );
}

function ordinaryTable(ordinary: RowTimes): string {
  const cell = (times: readonly number[]) =>
    times.length === 0
      ? ''
      : `${quantile(times, 0.5).toFixed(0)} / ${quantile(times, 0.9).toFixed(0)} (${times.length})`;
  const rows = [...ordinary].map(([kind, bySize]) => [kind, ...Object.values(bySize).map(cell)]);
  return table(['Text', ...Object.keys(ROW_SIZES)], rows);
}

/** Of several kinds and sizes, the worst. */
function ordinaryGoals(ordinary: RowTimes): Goal[] {
  return LIMITS.flatMap(({ kinds, sizes, ...limits }) => {
    const rows = kinds.flatMap((kind) =>
      sizes.map((size) => ({ at: `${kind}, ${size}`, times: ordinary.get(kind)?.[size] ?? [] })),
    );
    const measured = rows.filter(({ times }) => times.length > 0);
    return (['p50', 'p90'] as const).flatMap((share): Goal[] => {
      const figures = measured.map(({ at, times }) => ({
        at,
        measured: quantile(times, Number(share.slice(1)) / 100),
      }));
      const [worst] = figures.sort((a, b) => b.measured - a.measured);
      const name = `Inspection of new ${kinds.join(' and ')}, ${sizes.join(' and ')}, ${share}`;
      return worst === undefined ? [] : [{ name, ...worst, limit: limits[share], unit: 'us a KB' }];
    });
  });
}

/** The lowest time of each row, ms. */
function lowestTimes(kind: string, rows: readonly string[]): number[] {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const inspector = inspectorFor(kind);
    return rows.map((row) => timed(() => inspector.inspect(row, 'user')));
  });
  return rows.map((_, at) => Math.min(...rounds.map((times) => times[at] as number)));
}

/** An inspector that has read the samples of every other kind, as one that is in use has. */
function inspectorFor(kind: string): Inspector {
  const inspector = createInspector();
  inspector.warmUp();
  for (const [other, text] of textsByKind())
    if (other !== kind) for (const row of rowsOf(text, KILOBYTE)) inspector.inspect(row, 'user');
  return inspector;
}

function timed(inspect: () => unknown): number {
  const startedAt = performance.now();
  inspect();
  return performance.now() - startedAt;
}

/** The slowest first. */
function hostileTimes(inspector: Inspector): HostileTime[] {
  const measured = Object.entries(HOSTILE_TEXTS).map(([name, make]) => {
    const [short, long] = [HOSTILE_LENGTH, 2 * HOSTILE_LENGTH].map((length) => slowest(make(length), inspector));
    return { name, short: short as number, long: long as number };
  });
  return measured.sort((a, b) => b.short - a.short);
}

function hostileTable(hostile: readonly HostileTime[]): string {
  const rows = hostile.map(({ name, short, long }) => [
    name,
    short.toFixed(1),
    long.toFixed(1),
    (long / short).toFixed(2),
  ]);
  return table(['Text', '100 KB, ms', '200 KB, ms', 'Ratio'], rows);
}

function hostileGoals([worst]: readonly HostileTime[]): Goal[] {
  if (worst === undefined) return [];
  return [
    { name: 'Worst hostile text of 100 KB', measured: worst.short, limit: HOSTILE_MS, unit: 'ms', at: worst.name },
  ];
}

function slowest(text: string, inspector: Inspector): number {
  const times = (['user', 'tool'] as const).map((surface) =>
    Math.min(...Array.from({ length: HOSTILE_RUNS }, () => timed(() => inspector.inspect(text, surface)))),
  );
  return Math.max(...times);
}
