import { INJECTION_RULES } from '../../functions/inspection/detectors/classifier/classifier.ts';
import type { Evidence } from '../../functions/inspection/fusion/evidence.ts';
import { weigh } from '../../functions/inspection/fusion/fuse.ts';
import type { RequestText } from '../../functions/kernel/model/index.ts';

/** The probability that a classifier gives a text, and the passage with the highest score. */
export interface ClassifierScore {
  readonly probability: number;
  readonly passage: Evidence['passage'];
}

/** A classifier's classifierScore of a text, weighed as in a request. */
export function toEvidence({ probability, passage }: ClassifierScore, text: RequestText): Evidence[] {
  const rule = INJECTION_RULES.find(({ surfaces }) => surfaces.includes(text.surface));
  if (rule === undefined) return [];
  const { start, end } = passage;
  const finding = { rule, score: probability, decodedFrom: [], start, end };
  return [weigh({ finding, text, passage, turnsAgo: 0, reasons: [] })];
}
