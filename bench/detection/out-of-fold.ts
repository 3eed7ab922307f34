import path from 'node:path';
import { gatherEvidence } from '../../functions/inspection/across-texts/index.ts';
import { eachToken } from '../../functions/inspection/classification/index.ts';
import traffic from '../../functions/inspection/detectors/classifier/traffic.generated.json' with { type: 'json' };
import { ALL_RULES, INJECTION_RULES } from '../../functions/inspection/detectors/index.ts';
import { type Evidence, weigh } from '../../functions/inspection/fusion/index.ts';
import { Inspector } from '../../functions/inspection/inspector/index.ts';
import type { RequestText } from '../../functions/kernel/model/index.ts';
import { type Calibration, calibrate, isHard, type Judged, judgeOutOfFold } from '../../training/evaluate.ts';
import { FLAGGED_INJECTIONS, TRAINING, toAdded } from '../../training/heads.ts';
import { ownSamples } from '../../training/own-texts.ts';
import { readSets } from '../../training/read-sets.ts';
import { toSamples } from '../../training/samples.ts';
import { type Scored, soleText, surfaceOf, verdictOf } from './judge.ts';
import type { BenchContext } from './section.ts';

const judgements = new WeakMap<BenchContext, readonly Scored[]>();

/** The texts of `train/`, each scored by the rules and a classifier that never saw its family. Takes minutes, once per run. */
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
  const judged = judgeOutOfFold([...toSamples(rows), ...ownSamples()], TRAINING, toAdded(traffic));
  const { line } = calibrate(judged, FLAGGED_INJECTIONS);
  const byId = new Map(judged.map((one) => [`${one.sample.set} ${one.sample.id}`, one]));
  const rules = new Inspector(ALL_RULES);
  return rows.flatMap((row) => {
    const one = byId.get(`${row.set} ${row.id}`);
    if (one === undefined) return [];
    // Fused with the findings of rules: in third-party text each decides what the other is worth.
    const startedAt = performance.now();
    const text = soleText(row.text, surfaceOf(row));
    const byRules = gatherEvidence([text], rules);
    const verdict = verdictOf([...byRules, ...judgementOf(one, text, line)]);
    return [{ ...row, ...verdict, hard: isHard({ sample: row }), micros: (performance.now() - startedAt) * 1000 }];
  });
}

/** The classifier's score of a row, weighed as in a request. */
function judgementOf(judged: Judged, text: RequestText, line: Calibration['line']): Evidence[] {
  const { sample, score, window } = judged;
  const { surface } = text;
  const rule = INJECTION_RULES.find(({ surfaces }) => surfaces.includes(surface));
  if (window === undefined || rule === undefined) return [];
  const probability = 1 / (1 + Math.exp(-(line.slope * score + line.offset)));
  const range = rangeOf(sample.text, window);
  const finding = { rule, score: probability, decodedFrom: [], ...range };
  return [weigh({ finding, text, passage: { text: sample.text, ...range }, turnsAgo: 0, reasons: [] })];
}

/** The place of a run of tokens in its text. */
function rangeOf(text: string, { first, end }: NonNullable<Judged['window']>): { start: number; end: number } {
  const range = { start: 0, end: text.length };
  let token = 0;
  eachToken(text, (_, from, to) => {
    if (token === first) range.start = from;
    if (token === end - 1) range.end = to;
    token += 1;
  });
  return range;
}
