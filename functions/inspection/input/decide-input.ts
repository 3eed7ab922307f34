import { isAttackType } from '../../kernel/model/index.ts';
import { finish, type Steps } from '../../kernel/tasks/index.ts';
import { type Evidence, fuseSteps, isOfLastTurn } from '../fusion/index.ts';
import type { InputVerdict } from './input-verdict.ts';

/** Findings that take about a millisecond to decide. */
const STEP_FINDINGS = 1000;

/** Decides on the findings, given the suspicion of the session (0..1). */
export function decideRequest(evidence: readonly Evidence[], suspicion: number, verdict: InputVerdict): void {
  finish(decideSteps(evidence, suspicion, verdict));
}

/** The same in steps; never stops early. */
export function* decideSteps(evidence: readonly Evidence[], suspicion: number, verdict: InputVerdict): Steps<void> {
  for (const [at, { finding, text, reasons, rest }] of (yield* fuseSteps(evidence, suspicion)).entries()) {
    verdict.add(text, [finding], reasons, rest);
    if (at % STEP_FINDINGS === STEP_FINDINGS - 1) yield;
  }
}

/** The highest score of an attack in the last turn, by itself: the score that a session keeps of a request. */
export function lastTurnScore(evidence: readonly Evidence[]): number {
  let highest = 0;
  for (const one of evidence) {
    const { rule, score } = one.finding;
    if (score > highest && isAttackType(rule.type) && isOfLastTurn(one)) highest = score;
  }
  return highest;
}
