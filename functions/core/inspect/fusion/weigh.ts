import { isAttackType } from '../../model/threat.ts';
import type { Evidence } from './evidence.ts';
import { isJudgement, judgementShifts, type Shift } from './judgement-shifts.ts';
import { toLogOdds, toProbability } from './log-odds.ts';

/** Shifts are in log-odds; where each figure comes from stands in docs/detection.md. */
const A_TURN = -0.25;
const OLDEST_TURNS = 4;
const DEFINITION = -0.5;

/** Tools of coding agents tell the model at length how to work, in the words of an order. */
const JUDGED_DEFINITION = -1.25;

/**
 * The evidence with its score as probable as it is there: by whose words it stands in, how long ago, and how much text spoke.
 * Content (personal data, secrets) is what it is wherever it stands.
 */
export function weigh<E extends Evidence>(evidence: E): E {
  const { finding } = evidence;
  if (!isAttackType(finding.rule.type) || finding.rule.forcedAction !== undefined) return evidence;
  const shifts = shiftsOf(evidence);
  if (shifts.length === 0) return evidence;
  const total = shifts.reduce((sum, [, shift]) => sum + shift, 0);
  return {
    ...evidence,
    finding: { ...finding, score: toProbability(toLogOdds(finding.score) + total) },
    reasons: [...evidence.reasons, ...shifts.map(([reason]) => reason)],
  };
}

function shiftsOf(evidence: Evidence): Shift[] {
  const { finding, text, turnsAgo } = evidence;
  const shifts: Shift[] = [];
  if (turnsAgo > 0) shifts.push(['earlier_turn', A_TURN * Math.min(turnsAgo, OLDEST_TURNS)]);
  if (text.author === 'definition') shifts.push(['definition', isJudgement(finding) ? JUDGED_DEFINITION : DEFINITION]);
  if (isJudgement(finding)) shifts.push(...judgementShifts(evidence));
  return shifts;
}
