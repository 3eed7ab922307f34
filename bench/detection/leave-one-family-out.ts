import path from 'node:path';
import { Inspector } from '../../functions/core/inspect/inspector.ts';
import { ALL_RULES } from '../../functions/detectors/index.ts';
import { calibrate, isHard } from '../../training/calibrate.ts';
import { ownSamples, toSamples } from '../../training/examples.ts';
import { judgeOutOfFold } from '../../training/folds.ts';
import { TRAINING } from '../../training/linear-model.ts';
import { readSets } from '../../training/read-sets.ts';
import { auc } from '../../training/report.ts';
import { BLOCK_FROM, FLAG_FROM, part, percent, share, table } from './figures.ts';
import { judge, type Scored } from './judge.ts';
import type { BenchContext, Section } from './section.ts';

/** Each family of attacks of `train/`, judged by the rules and a classifier that never saw it. */
export const LEAVE_ONE_FAMILY_OUT: Section = {
  name: 'families',
  write: (context) => `## Leave-one-family-out

Every family of attacks judged by the rules and a classifier that never saw it. This is the figure that counts.

${familyTable(scoreOutOfFold(context))}`,
};

function scoreOutOfFold({ data, families }: BenchContext): Scored[] {
  const rows = readSets(path.join(data, 'train'), families);
  const judged = judgeOutOfFold([...toSamples(rows), ...ownSamples()], TRAINING);
  const { slope, offset } = calibrate(judged).line;
  const byId = new Map(judged.map((one) => [`${one.sample.set} ${one.sample.id}`, one]));
  const rules = new Inspector(ALL_RULES);
  return rows.flatMap((row) => {
    const one = byId.get(`${row.set} ${row.id}`);
    if (one === undefined) return [];
    const byRules = judge(row, rules);
    const byModel = 1 / (1 + Math.exp(-(slope * one.score + offset)));
    return [{ ...byRules, score: Math.max(byRules.score, byModel), hard: isHard(one) }];
  });
}

function familyTable(scored: readonly Scored[]): string {
  const attacks = scored.filter(({ label }) => label === 'attack');
  const benign = scored.filter(({ label }) => label === 'benign');
  const [ordinary, hard] = [benign.filter((one) => !one.hard), benign.filter((one) => one.hard)];
  const names = [...new Set(attacks.map(({ family }) => family))].sort();
  const ofFamily = (family: string) => attacks.filter((one) => one.family === family);
  const row = (name: string, texts: readonly Scored[], curve = '') => [
    name,
    texts.length,
    share(texts, FLAG_FROM),
    share(texts, BLOCK_FROM),
    curve,
  ];
  const curve = (texts: readonly Scored[]) => auc(texts, ordinary).toFixed(3);
  const macro = (from: number) => percent(mean(names.map((family) => part(ofFamily(family), from))));
  return table(
    ['Family', 'Texts', 'Flagged', 'Blocked', 'AUC'],
    [
      ...names.map((family) => row(family, ofFamily(family), curve(ofFamily(family)))),
      ['**mean of families**', attacks.length, `**${macro(FLAG_FROM)}**`, `**${macro(BLOCK_FROM)}**`, ''],
      row('all attacks', attacks, curve(attacks)),
      row('ordinary text, false alarms', ordinary),
      row('hard negatives, false alarms', hard),
    ],
  );
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
