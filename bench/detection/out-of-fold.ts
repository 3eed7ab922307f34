import path from 'node:path';
import { Inspector } from '../../functions/core/inspect/inspector.ts';
import { ALL_RULES } from '../../functions/detectors/index.ts';
import { calibrate } from '../../training/calibrate.ts';
import { toSamples } from '../../training/examples.ts';
import { judgeOutOfFold } from '../../training/folds.ts';
import { TRAINING } from '../../training/linear-model.ts';
import { ownSamples } from '../../training/own-samples.ts';
import { readSets } from '../../training/read-sets.ts';
import { judge, type Scored } from './judge.ts';
import type { BenchContext } from './section.ts';

const judgements = new WeakMap<BenchContext, readonly Scored[]>();

/** The texts of `train/`, each judged by the rules and a classifier that never saw its family. Takes minutes, once a run. */
export function outOfFold(context: BenchContext): readonly Scored[] {
  let judged = judgements.get(context);
  if (judged === undefined) {
    judged = scoreOutOfFold(context);
    judgements.set(context, judged);
  }
  return judged;
}

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
    return [{ ...byRules, score: Math.max(byRules.score, byModel) }];
  });
}
