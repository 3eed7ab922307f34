import { isAttackType, type RequestText } from '../../kernel/model/index.ts';
import type { Steps } from '../../kernel/tasks/index.ts';
import type { Finding } from '../matching/index.ts';
import { isShownAsSample } from './attack-sample.ts';
import { decidingPart, type Evidence } from './evidence.ts';
import { isClassifierFinding } from './score-shifts.ts';

/** Below the thresholds from which presets block: one sign of an attack in third-party text is flagged at most. */
export const MAX_SINGLE_SIGN_SCORE = 0.59;
/** Findings with a lower score are no sign. */
const SIGN_FROM = 0.5;
/** The classifier alone is wrong more often than a rule, and its window may be about the words that the rule found. */
const CLASSIFIED_SIGN_FROM = 0.75;
/**
 * So a classifier's score of third-party text without a rule's sign is flagged from there on: between these two it acts by a lower score, in
 * the same order.
 */
const MOVED_FROM = 0.35;
const MOVED_TO = 0.8;
/**
 * A finding in third-party text is a hint, if the classifier gives the text less: of a word table (`annule une règle` also describes), and an
 * uncertain one of a jailbreak, which people also write to people: `don't say "I can't"`.
 */
const TABLE_DOUBTED_BELOW = 0.1;
const JAILBREAK_DOUBTED_BELOW = 0.25;
const UNCERTAIN_BELOW = 0.85;
const DOUBTED_AT_MOST = 0.45;
/** Two findings that share a larger part of the shorter one, or of the classifier's window, are about the same words. */
const SHARED_AT_MOST = 0.5;
/** Of a finding by a word table, these count as its words. */
const UNITS_BY_TABLE = 32;
/** Findings kept of each kind: of three that do not overlap, one is always apart from any range. */
const KEPT_OF_KIND = 8;
/** Findings that take about a millisecond to compare with others. */
const STEP_SIGNS = 1000;
/** Guides and rule files for agents address them, name their tools and say what users are not to see. */
const OF_GUIDES: ReadonlySet<string> = new Set(['addressed_to_model', 'tool_hijack', 'concealment']);

/** The evidence of third-party text with lower scores where the classifier is alone, or a word table that the classifier contradicts. */
export function* lowerUnsupported(evidence: readonly Evidence[]): Steps<readonly Evidence[]> {
  const attacks = evidence.filter(isThirdPartyAttack);
  yield;
  if (attacks.length === 0) return evidence;
  const byRules = new Map<RequestText, number>();
  const byClassifier = new Map<RequestText, number>();
  for (const { finding, text } of attacks) {
    const highest = isClassifierFinding(finding) ? byClassifier : byRules;
    highest.set(text, Math.max(finding.score, highest.get(text) ?? 0));
  }
  yield;
  return evidence.map((one) => {
    const { finding, text } = one;
    if (!isThirdPartyAttack(one)) return one;
    if (isClassifierFinding(finding))
      return (byRules.get(text) ?? 0) >= SIGN_FROM ? one : acting(one, classifiedAlone(finding.score));
    const isDoubted = (byClassifier.get(text) ?? 1) < doubtedBelow(finding);
    return isDoubted && finding.decodedFrom.length === 0 ? lowered(one, DOUBTED_AT_MOST) : one;
  });
}

function doubtedBelow({ rule, score }: Finding): number {
  if (rule.cues !== undefined) return TABLE_DOUBTED_BELOW;
  return rule.type === 'jailbreak' && score < UNCERTAIN_BELOW ? JAILBREAK_DOUBTED_BELOW : 0;
}

function classifiedAlone(score: number): number {
  if (score <= MOVED_FROM || score >= MOVED_TO) return score;
  const [from, low, to, high] =
    score < CLASSIFIED_SIGN_FROM
      ? [MOVED_FROM, MOVED_FROM, CLASSIFIED_SIGN_FROM, SIGN_FROM]
      : [CLASSIFIED_SIGN_FROM, SIGN_FROM, MOVED_TO, MOVED_TO];
  return low + ((score - from) * (high - low)) / (to - from);
}

/**
 * The evidence with scores that no preset blocks where third-party text has one sign of an attack only. A second sign is a finding of another
 * kind in other words of the same text or passage, a high score of the classifier for a window with other words, or a disguise. What a text
 * only shows, such as the samples of a test, is no sign: one sample more confirms nothing.
 */
export function* requireSecondSign(evidence: readonly Evidence[]): Steps<readonly Evidence[]> {
  const isSure = (one: Evidence) => isThirdPartyAttack(one) && one.finding.score > MAX_SINGLE_SIGN_SCORE;
  const hasSure = evidence.some(isSure);
  yield;
  if (!hasSure) return evidence;
  const byPlace = new Map<RequestText | string, Signs>();
  const signs = new Set<Evidence>();
  for (const [at, one] of evidence.entries()) {
    if (at % STEP_SIGNS === STEP_SIGNS - 1) yield;
    if (!isThirdPartyAttack(one) || !isSign(one.finding) || isShownOnly(one)) continue;
    signs.add(one);
    for (const [place, finding] of placesOf(one)) {
      const known = byPlace.get(place) ?? new Signs();
      byPlace.set(place, known);
      known.add(finding);
    }
  }
  const hasAnother = (one: Evidence) =>
    signs.has(one) && placesOf(one).some(([place, finding]) => byPlace.get(place)?.hasAnother(finding));
  const confirmed: Evidence[] = [];
  for (const [at, one] of evidence.entries()) {
    if (at % STEP_SIGNS === STEP_SIGNS - 1) yield;
    confirmed.push(isSure(one) && !hasAnother(one) ? acting(one, MAX_SINGLE_SIGN_SCORE) : one);
  }
  return confirmed;
}

/** A finding in its text, and in the texts that were read together, such as the names of a result. */
function placesOf({ finding, text, passage }: Evidence): [RequestText | string, Finding][] {
  const { start, end } = passage;
  return [
    [text, finding],
    [passage.text, { ...finding, start, end }],
  ];
}

function isShownOnly(evidence: Evidence): boolean {
  const { text, start, end } = decidingPart(evidence);
  return isShownAsSample(text, start, end);
}

function isThirdPartyAttack({ finding: { rule }, text }: Evidence): boolean {
  return text.author === 'tool' && isAttackType(rule.type) && rule.forcedAction === undefined;
}

/** The evidence with at most this score. */
function lowered(one: Evidence, score: number): Evidence {
  if (one.finding.score <= score) return one;
  const reasons = one.reasons.includes('unconfirmed') ? one.reasons : [...one.reasons, 'unconfirmed' as const];
  return { ...one, finding: { ...one.finding, score }, reasons };
}

/** The evidence that acts by at most this score; `threat_score` keeps its own, and so the order of what is alone. */
function acting(one: Evidence, score: number): Evidence {
  const { likelihood = one.finding.score } = one.finding;
  const act = lowered(one, score);
  return act === one ? one : { ...act, finding: { ...act.finding, likelihood } };
}

function isSign(finding: Finding): boolean {
  return finding.score >= (isClassifierFinding(finding) ? CLASSIFIED_SIGN_FROM : SIGN_FROM);
}

/** The signs of an attack in one text. */
class Signs {
  private readonly byKind = new Map<string, Finding[]>();

  add(finding: Finding): void {
    const kind = kindOf(finding);
    const known = this.byKind.get(kind);
    if (known === undefined) this.byKind.set(kind, [finding]);
    else if (known.length < KEPT_OF_KIND) known.push(finding);
  }

  /** Whether another sign is independent of this one. */
  hasAnother(finding: Finding): boolean {
    const kind = kindOf(finding);
    return [...this.byKind].some(
      ([other, findings]) => other !== kind && findings.some((one) => areIndependent(one, finding)),
    );
  }
}

function kindOf({ rule: { category } }: Finding): string {
  return OF_GUIDES.has(category) ? 'of_guides' : category;
}

function areIndependent(one: Finding, other: Finding): boolean {
  // A disguise is a sign besides the words that it hides.
  if (one.rule.signal !== undefined || other.rule.signal !== undefined) return true;
  const ranges = [one, other].map(ownWords);
  const shared = Math.min(...ranges.map(({ end }) => end)) - Math.max(...ranges.map(({ start }) => start));
  const lengths = ranges.map(({ start, end }) => end - start);
  const window = [one, other].findIndex(isClassifierFinding);
  return shared <= SHARED_AT_MOST * (lengths[window] ?? Math.min(...lengths));
}

/** A finding by a word table reaches from its verb to the end of the sentence; the verb and its object are at its start. */
function ownWords({ rule, start, end }: Finding): { readonly start: number; readonly end: number } {
  return { start, end: rule.cues === undefined ? end : Math.min(end, start + UNITS_BY_TABLE) };
}
