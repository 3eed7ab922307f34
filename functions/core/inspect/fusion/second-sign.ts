import { isAttackType } from '../../model/threat.ts';
import type { RequestText } from '../requests/request-text.ts';
import { type Evidence, toLogOdds, toProbability } from './evidence.ts';
import { isClassifierFinding } from './score-shifts.ts';

/** Below the thresholds from which presets block: one sign of an attack in third-party text is flagged at most. */
export const ONE_SIGN_AT_MOST = 0.59;
/** Findings with a lower score are no sign. */
const SIGN_FROM = 0.5;
/** A classifier's score of third-party text without a rule's finding of at least HINT_FROM is wrong more often. */
const CLASSIFIED_ALONE = -0.3;
const HINT_FROM = 0.35;
/** A classifier's window that a rule covers up to this part has words besides it, so its score is a second sign. */
const COVERED_AT_MOST = 0.5;

/** The evidence with lower classifier scores for third-party text in which no rule finds anything. */
export function withLowerAlone(evidence: readonly Evidence[]): readonly Evidence[] {
  const isAlone = (one: Evidence) => isThirdPartyAttack(one) && isClassifierFinding(one.finding);
  if (!evidence.some(isAlone)) return evidence;
  const hinted = new Set<RequestText>();
  for (const one of evidence)
    if (isThirdPartyAttack(one) && one.finding.score >= HINT_FROM && !isClassifierFinding(one.finding))
      hinted.add(one.text);
  return evidence.map((one) => {
    if (!isAlone(one) || hinted.has(one.text)) return one;
    return unconfirmed(one, toProbability(toLogOdds(one.finding.score) + CLASSIFIED_ALONE));
  });
}

/**
 * The evidence with scores that no preset blocks where third-party text has one sign of an attack only. A second sign is a finding of another
 * category in other words of the same text, the classifier's score of a window with other words, or a disguise.
 */
export function withSecondSign(evidence: readonly Evidence[]): readonly Evidence[] {
  const isSure = (one: Evidence) => isThirdPartyAttack(one) && one.finding.score > ONE_SIGN_AT_MOST;
  if (!evidence.some(isSure)) return evidence;
  const byText = new Map<RequestText, Signs>();
  for (const one of evidence) {
    if (!isThirdPartyAttack(one) || one.finding.score < SIGN_FROM) continue;
    const signs = byText.get(one.text) ?? new Signs();
    byText.set(one.text, signs);
    signs.add(one);
  }
  return evidence.map((one) =>
    isSure(one) && !byText.get(one.text)?.hasAnother(one) ? unconfirmed(one, ONE_SIGN_AT_MOST) : one,
  );
}

function isThirdPartyAttack({ finding: { rule }, text }: Evidence): boolean {
  return text.author === 'tool' && isAttackType(rule.type) && rule.forcedAction === undefined;
}

function unconfirmed(one: Evidence, score: number): Evidence {
  const reasons = one.reasons.includes('unconfirmed') ? one.reasons : [...one.reasons, 'unconfirmed' as const];
  return { ...one, finding: { ...one.finding, score }, reasons };
}

/** Where a category's findings lie in a text: enough to know whether one of them is apart from a range. */
interface Spread {
  readonly isClassifier: boolean;
  readonly isDisguise: boolean;
  firstEnd: number;
  lastStart: number;
  /** Of the shortest and of the longest finding. */
  shortest: number;
  longest: number;
}

/** The signs of an attack in a text, in time linear in their number. */
class Signs {
  private readonly byCategory = new Map<string, Spread>();

  add({ finding }: Evidence): void {
    const { rule, start, end } = finding;
    const length = end - start;
    const known = this.byCategory.get(rule.category) ?? {
      isClassifier: isClassifierFinding(finding),
      isDisguise: rule.signal !== undefined,
      firstEnd: end,
      lastStart: start,
      shortest: length,
      longest: length,
    };
    known.firstEnd = Math.min(known.firstEnd, end);
    known.lastStart = Math.max(known.lastStart, start);
    known.shortest = Math.min(known.shortest, length);
    known.longest = Math.max(known.longest, length);
    this.byCategory.set(rule.category, known);
  }

  /** Whether another sign is independent of this one. */
  hasAnother({ finding }: Evidence): boolean {
    const { rule, start, end } = finding;
    for (const [category, other] of this.byCategory) {
      if (category === rule.category) continue;
      if (other.firstEnd <= start || other.lastStart >= end) return true;
      if (other.isDisguise || rule.signal !== undefined) return true;
      if (other.isClassifier && end - start <= COVERED_AT_MOST * other.longest) return true;
      if (isClassifierFinding(finding) && other.shortest <= COVERED_AT_MOST * (end - start)) return true;
    }
    return false;
  }
}
