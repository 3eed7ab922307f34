import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { isAttackType, type ThreatType } from '../../functions/kernel/model/index.ts';
import { mean } from '../detection/figures.ts';
import { type Interval, medianInterval } from './interval.ts';
import type { Measured, Task } from './measure-parts.ts';
import type { AblationText } from './texts.ts';

/** Parts that one process measures: each is a copy of the engine in its memory. */
const PARTS_PER_PROCESS = 8;
const MAX_OUTPUT = 1 << 30;

/** What a part finds and costs. Recall is in percentage points; what is lost is positive. */
export interface PartResult {
  readonly part: string;
  /** CPU without the part for CPU with it. */
  readonly cpu: Interval;
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

/** Measures each part. The result of an empty part is the noise of the measurement. */
export function measureParts(
  parts: readonly string[],
  texts: readonly AblationText[],
  timed: readonly number[],
  pairs: number,
): PartResult[] {
  const all = ['', ...parts];
  const measured: Measured[] = [];
  for (let at = 0; at < all.length; at += PARTS_PER_PROCESS)
    measured.push(...inProcess({ parts: all.slice(at, at + PARTS_PER_PROCESS), texts, timed, pairs }));
  const whole = measured[0] as Measured;
  return all.map((part, at) => toResult(part, texts, whole, measured[at] as Measured));
}

function inProcess(task: Task): Measured[] {
  const script = path.join(import.meta.dirname, 'measure-parts.ts');
  const { status, stdout } = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', script], {
    input: JSON.stringify(task),
    encoding: 'utf8',
    maxBuffer: MAX_OUTPUT,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`a process that measures ${task.parts.join(', ')} failed`);
  return JSON.parse(stdout) as Measured[];
}

function toResult(part: string, texts: readonly AblationText[], whole: Measured, reduced: Measured): PartResult {
  const was = (at: number) => whole.found[at] ?? [];
  const is = (at: number) => reduced.found[at] ?? [];
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
    part: part || 'nothing',
    cpu: medianInterval(reduced.ratios),
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
