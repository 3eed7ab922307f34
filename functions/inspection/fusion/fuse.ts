import { isAttackType, type Reason, type RequestText, type ThreatType } from '../../kernel/model/index.ts';
import { finish, type Steps } from '../../kernel/tasks/index.ts';
import type { Finding } from '../matching/index.ts';
import { isAttackSample } from './attack-sample.ts';
import { decidingPart, type Evidence, toLogOdds, toProbability } from './evidence.ts';
import { isQuoted } from './quotation.ts';
import { isClassifierFinding, type Shift, scoreShifts } from './score-shifts.ts';
import { lowerUnsupported, requireSecondSign } from './second-sign.ts';

/** Weight of corroborating evidence in other texts of the request. */
const OTHERS_WEIGHT = 0.3;
/** Hints with a lower score do not count, nor do more than MOST_OTHERS. */
const HINT_FROM = 0.35;
const MOST_OTHERS = 3;
/** A session raises a score by at most this, in log-odds, and only from SESSION_FROM on. */
const SESSION_RAISE = 0.8;
const SESSION_FROM = 0.3;
/** Other texts and the session never raise a score to the default policy's block threshold: only the newest text does. */
export const MAX_RAISED_SCORE = 0.84;
/** Nor does a rule with a word table, right less often than patterns, if the classifier gives the text a lower score than this. */
const CONFIRMED_FROM = 0.25;

/**
 * The evidence with one score for each type of attack: that of its strongest finding, raised if other texts of the request have the same
 * type or the session is suspicious. `suspicion` is 0..1 (session/suspicion.ts). One sign alone in third-party text causes no block.
 */
export function fuse(all: readonly Evidence[], suspicion: number): readonly Evidence[] {
  return finish(fuseSteps(all, suspicion));
}

/** The same in steps: each pass takes some milliseconds for the findings of a long text. Never stops early. */
export function* fuseSteps(all: readonly Evidence[], suspicion: number): Steps<readonly Evidence[]> {
  const evidence = yield* lowerUnsupported(yield* withoutUnconfirmed(all));
  yield;
  const raised = new Map<Evidence, Evidence>();
  for (const free of attacksIn(evidence)) {
    yield;
    const leader = strongest(free);
    if (leader !== undefined) raised.set(leader, corroborated(leader, free));
    yield;
    const latest = strongest(free.filter(isOfLastTurn));
    if (latest !== undefined) raised.set(latest, raisedBySession(raised.get(latest) ?? latest, suspicion));
  }
  yield;
  return yield* requireSecondSign(raised.size === 0 ? evidence : evidence.map((one) => raised.get(one) ?? one));
}

/** The evidence with lower scores for orders in other languages that a rule is sure of and the classifier does not see in the same text. */
function* withoutUnconfirmed(evidence: readonly Evidence[]): Steps<readonly Evidence[]> {
  const isSure = ({ finding }: Evidence) =>
    finding.score > MAX_RAISED_SCORE && finding.rule.cues !== undefined && isOrder(finding);
  const hasSure = evidence.some(isSure);
  yield;
  if (!hasSure) return evidence;
  const highest = new Map<RequestText, number>();
  for (const { finding, text } of evidence) {
    if (!isClassifierFinding(finding) || !isOrder(finding)) continue;
    highest.set(text, Math.max(finding.score, highest.get(text) ?? 0));
  }
  yield;
  return evidence.map((one) => {
    // Texts that are joined across responses are read by rules alone.
    const confirmation = highest.get(one.text) ?? (isJoined(one) ? 0 : 1);
    if (!isSure(one) || confirmation >= CONFIRMED_FROM) return one;
    const finding = { ...one.finding, score: MAX_RAISED_SCORE };
    return { ...one, finding, reasons: [...one.reasons, 'unconfirmed' as const] };
  });
}

/** Whether a finding is an order to the model in the text as sent. */
function isOrder({ rule, decodedFrom }: Finding): boolean {
  return ORDERS.has(rule.type) && rule.forcedAction === undefined && decodedFrom.length === 0;
}

/** The findings that can be raised, grouped by type. */
function attacksIn(evidence: readonly Evidence[]): Iterable<readonly Evidence[]> {
  const byType = new Map<ThreatType, Evidence[]>();
  for (const one of evidence) {
    const { type, forcedAction } = one.finding.rule;
    if (!isAttackType(type) || forcedAction !== undefined) continue;
    const known = byType.get(type);
    if (known === undefined) byType.set(type, [one]);
    else known.push(one);
  }
  return byType.values();
}

/** Whether it is new with this request and from an author whose behaviour sessions track. */
export function isOfLastTurn({ turnsAgo, text }: Evidence): boolean {
  return turnsAgo === 0 && !isInEachRequest(text);
}

/** System prompts and tool definitions are part of every request of an application, so they are no evidence about this one. */
function isInEachRequest({ author }: RequestText): boolean {
  return author === 'operator' || author === 'definition';
}

/** The first finding with the highest score. */
function strongest(evidence: readonly Evidence[]): Evidence | undefined {
  let best: Evidence | undefined;
  for (const one of evidence) if (best === undefined || one.finding.score > best.finding.score) best = one;
  return best;
}

/** Parts of one message by the same author are also inspected as one text. */
function isSameMessage(one: RequestText, other: RequestText): boolean {
  return one.message !== null && one.message === other.message && one.author === other.author;
}

/**
 * The probability that at least one finding is right: a noisy-or with a lower weight for the others. Findings across several texts are not
 * independent of these and are not raised.
 */
function corroborated(leader: Evidence, all: readonly Evidence[]): Evidence {
  if (isJoined(leader) || isInEachRequest(leader.text)) return leader;
  const others = new Map<string, number>();
  for (const one of all) {
    const { finding, text } = one;
    if (text.text === leader.text.text || isInEachRequest(text) || isSameMessage(text, leader.text)) continue;
    if (isJoined(one) || finding.score < HINT_FROM) continue;
    // Repeated text is one piece of evidence.
    others.set(text.text, Math.max(finding.score, others.get(text.text) ?? 0));
  }
  if (others.size === 0) return leader;
  const highest = [...others.values()].sort((a, b) => b - a).slice(0, MOST_OTHERS);
  const wrong = highest.reduce((left, score) => left * (1 - OTHERS_WEIGHT * score), 1 - leader.finding.score);
  return raise(leader, 1 - wrong, 'corroborated');
}

function raisedBySession(latest: Evidence, suspicion: number): Evidence {
  const { score } = latest.finding;
  if (suspicion <= 0 || score < SESSION_FROM) return latest;
  return raise(latest, toProbability(toLogOdds(score) + SESSION_RAISE * Math.min(1, suspicion)), 'session');
}

function raise(evidence: Evidence, score: number, reason: Reason): Evidence {
  const bounded = Math.min(score, MAX_RAISED_SCORE);
  if (bounded <= evidence.finding.score) return evidence;
  const { likelihood, ...finding } = { ...evidence.finding, score: bounded };
  const isHigher = likelihood !== undefined && likelihood > bounded;
  return {
    ...evidence,
    finding: isHigher ? { ...finding, likelihood } : finding,
    reasons: [...evidence.reasons, reason],
  };
}

function isJoined({ reasons }: Evidence): boolean {
  return reasons.includes('joined');
}

/** Shifts are in log-odds; docs/detection.md has the source of each figure. */
const A_TURN = -0.25;
const OLDEST_TURNS = 4;
const DEFINITION = -0.5;

/** A user who quotes a text mostly wants something done with it. */
const QUOTED = -1.25;
/** Attacks that are orders. A jailbreak often quotes the response that it forces. */
const ORDERS: ReadonlySet<ThreatType> = new Set(['prompt_injection', 'indirect_injection', 'system_prompt_leak']);

/** A document that quotes a sample of an attack says that it is none: a test of a guard, a report. */
const SAMPLE = -4;

/** Tool definitions of coding agents instruct the model at length. */
const CLASSIFIED_DEFINITION = -1.25;

/**
 * The evidence with its score adjusted to its context: the author of the text, its age in turns, and the length of the scored text.
 * Content findings (personal data, secrets) are not adjusted.
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
  const { finding, text, passage, turnsAgo } = evidence;
  const shifts: Shift[] = [];
  if (turnsAgo > 0) shifts.push(['earlier_turn', A_TURN * Math.min(turnsAgo, OLDEST_TURNS)]);
  if (text.author === 'definition')
    shifts.push(['definition', isClassifierFinding(finding) ? CLASSIFIED_DEFINITION : DEFINITION]);
  if (text.author === 'user' && isOrder(finding) && isQuoted(passage.text, passage.start, passage.end))
    shifts.push(['quoted', QUOTED]);
  if (isSampleInDocument(evidence)) shifts.push(['quoted', SAMPLE]);
  if (isClassifierFinding(finding)) shifts.push(...scoreShifts(evidence));
  return shifts;
}

function isSampleInDocument(evidence: Evidence): boolean {
  const { finding, text: requestText } = evidence;
  if (requestText.author !== 'tool' || finding.decodedFrom.length > 0 || finding.rule.signal !== undefined)
    return false;
  const { text, start, end } = decidingPart(evidence);
  return finding.score >= HINT_FROM && isAttackSample(text, start, end);
}
