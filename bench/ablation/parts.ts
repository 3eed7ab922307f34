import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { isAttackType, type ThreatType } from '../../functions/kernel/model/index.ts';
import { mean } from '../detection/figures.ts';
import { type Interval, medianInterval } from './interval.ts';
import type { Found, Ratios, Task, Traced } from './measure-parts.ts';
import type { AblationText } from './texts.ts';
import { mayChange } from './trace.ts';

/** Parts that one process measures: each is a copy of the engine in its memory. */
const PARTS_PER_PROCESS = 8;
/** Fewer garbage collections in the middle of a measurement. */
const OPTIONS = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=64'];
const MAX_OUTPUT = 1 << 30;

/** What a part finds and costs. */
export interface PartResult {
  readonly part: string;
  /** CPU without the part for CPU with it; absent if it was not measured. */
  readonly cpu?: Interval;
  /** Attacks of `train/`, by rules and a classifier that never saw their family: the mean of families, and each family. */
  readonly unseenFamilies: Loss;
  /** Attacks of `dev/`, by the deployed engine: the mean of sets, and each set. */
  readonly devSets: Loss;
  /** Our attacks in disguise: the mean of disguises, and each disguise. */
  readonly disguises: Loss;
  /** Harmless texts that are flagged as an attack: no longer, and only without the part. */
  readonly falseAlarms: { readonly lost: number; readonly gained: number };
  /** Labelled texts that are no attacks (personal data, secrets, toxic text and others) in which nothing is found any more, by label. */
  readonly others: Readonly<Record<string, number>>;
}

export interface Loss {
  readonly texts: number;
  readonly points: number;
  /** Where it is not 0. */
  readonly byGroup: Readonly<Record<string, number>>;
}

/** The parts of which the CPU is measured: all encodings are found together, and so are all ciphers. */
function isTimed(part: string): boolean {
  return !/^(?:decoding|readings\/cipher)\/[^+]+$/.test(part);
}

/** Measures each part, the first time nothing: that result is the noise of the measurement. */
export function measureParts(
  names: readonly string[],
  texts: readonly AblationText[],
  timed: readonly AblationText[],
  pairs: number,
): PartResult[] {
  const parts = ['', ...names];
  const traced = runTask<Traced>({ kind: 'trace', texts });
  const whole = traced.map(({ found }) => found);
  const changed = parts.map((part) => ({
    part,
    numbers: [...texts.keys()].filter((at) => mayChange(part, traced[at]?.noted ?? [])),
  }));
  const found = inGroups(changed, (some) => runTask<Found>({ kind: 'find', texts, parts: some }));
  const timedParts = parts.filter(isTimed);
  const ratios = inGroups(timedParts, (some) => runTask<Ratios[]>({ kind: 'time', texts: timed, parts: some, pairs }));
  return changed.map(({ part, numbers }, at) => {
    const reduced = [...whole];
    for (const [place, number] of numbers.entries()) reduced[number] = found[at]?.[place] ?? [];
    const ownRatios = ratios[timedParts.indexOf(part)];
    const cpu = ownRatios && { cpu: medianInterval(ownRatios) };
    return { part: part || 'nothing', ...cpu, ...lossesOf(texts, whole, reduced) };
  });
}

function inGroups<T, Result>(items: readonly T[], run: (some: readonly T[]) => readonly Result[]): Result[] {
  const starts = Array.from({ length: Math.ceil(items.length / PARTS_PER_PROCESS) }, (_, at) => at * PARTS_PER_PROCESS);
  return starts.flatMap((start) => run(items.slice(start, start + PARTS_PER_PROCESS)));
}

/** In a new process. */
function runTask<Result>(task: Task): Result {
  const script = path.join(import.meta.dirname, 'measure-parts.ts');
  const { status, stdout } = spawnSync(process.execPath, [...OPTIONS, script], {
    input: JSON.stringify(task),
    encoding: 'utf8',
    maxBuffer: MAX_OUTPUT,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`a process failed: ${task.kind}`);
  console.log(`${new Date().toISOString()} ${task.kind}`);
  return JSON.parse(stdout) as Result;
}

/** Of each text the types of its findings. */
type Types = readonly (readonly string[])[];

function lossesOf(texts: readonly AblationText[], whole: Types, reduced: Types): Omit<PartResult, 'part' | 'cpu'> {
  const was = (at: number) => whole[at] ?? [];
  const is = (at: number) => reduced[at] ?? [];
  const chosen = (choose: (text: AblationText) => boolean) =>
    [...texts.keys()].filter((at) => choose(texts[at] as AblationText));
  const attacksOf = (from: AblationText['from']) => chosen((text) => text.from === from && text.label === 'attack');
  const loss = (numbers: readonly number[]): Loss => {
    const groups = [...Map.groupBy(numbers, (at) => texts[at]?.group ?? '')];
    const points = groups.map(([group, own]) => {
      const lost = sum(own, (at) => Number(isFlagged(was(at))) - Number(isFlagged(is(at))));
      return [group, (100 * lost) / own.length] as const;
    });
    return {
      texts: sum(numbers, (at) => Number(isFlagged(was(at))) - Number(isFlagged(is(at)))),
      points: mean(points.map(([, value]) => value)),
      byGroup: Object.fromEntries(points.filter(([, value]) => value !== 0)),
    };
  };
  const harmless = chosen(({ label }) => label === 'benign');
  const labelled = chosen(({ label }) => label !== 'benign' && label !== 'attack');
  const silent = labelled.filter((at) => was(at).length > 0 && is(at).length === 0);
  return {
    unseenFamilies: loss(attacksOf('train')),
    devSets: loss(attacksOf('dev')),
    disguises: loss(attacksOf('disguised')),
    falseAlarms: {
      lost: sum(harmless, (at) => Number(isFlagged(was(at)) && !isFlagged(is(at)))),
      gained: sum(harmless, (at) => Number(!isFlagged(was(at)) && isFlagged(is(at)))),
    },
    others: Object.fromEntries(
      [...Map.groupBy(silent, (at) => texts[at]?.label ?? '')].map(([label, own]) => [label, own.length]),
    ),
  };
}

/** Whether the default policy flags a text with findings of these types as an attack. */
export function isFlagged(types: readonly string[]): boolean {
  return types.some((type) => isAttackType(type as ThreatType));
}

function sum<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}
