import type { Steps } from '../base/steps.ts';
import type { Payload } from './decoding/payloads.ts';
import type { Finding } from './finding.ts';
import type { ReadPassage } from './readings/passage-reader.ts';
import { blanked, signsWithin } from './readings/reading.ts';
import { isLateSignal, type Rule, type Signal } from './rule.ts';
import { isHideable } from './rules/stream-plan.ts';
import { isInvisible, isTag, toExact, toFolded } from './views/characters.ts';
import { isPlainAscii } from './views/text-view.ts';

/** From this score on, a finding in hidden text counts as an attack. */
const ATTACK_FROM = 0.5;
/** Minimum classifier score in respelled text, which may be respelled incorrectly, and in short decoded text. */
const CLASSIFIED_FROM = 0.6;
const FEW_UNITS = 80;
/** Inspects a text by itself. */
export interface Watch {
  /** By rules and classifier, including text hidden in it. */
  readonly all: (text: string) => Steps<Finding[]>;
  /** By rules alone, without decoding; at least by all rules that share a view with one of these. */
  readonly plain: (text: string, rules: readonly Rule[]) => Steps<Finding[]>;
  /** By the classifier alone, without decoding. */
  readonly classify: (text: string) => readonly Finding[];
}

/** Findings in hidden text, and signals about how it was hidden. */
export interface HiddenFindings {
  readonly findings: readonly Finding[];
  readonly signals: readonly HiddenSignal[];
}

/** An attack that was found only after decoding. */
export interface HiddenSignal {
  readonly signal: Signal;
  readonly start: number;
  readonly end: number;
  readonly decodedFrom: readonly string[];
  /** Upper limit for the score of the signal's rule. */
  readonly atMost: number;
}

const NONE: HiddenFindings = { findings: [], signals: [] };

/** The findings in a payload, the strongest of each rule, with the range of the encoded run. */
export function* payloadFindings({ encoding, run, text, start, end }: Payload, watch: Watch): Steps<HiddenFindings> {
  const minScore = text.length < FEW_UNITS ? CLASSIFIED_FROM : ATTACK_FROM;
  const isAddress = encoding === 'percent' && run.includes('://');
  const inner = (yield* watch.all(text)).filter((finding) => {
    // A decoded address runs together: everything before an @ would be a mailbox name.
    if (isAddress && finding.rule.type === 'pii' && finding.rule.forcedAction === undefined) return false;
    return isOwn(finding) && (!isClassified(finding) || finding.score >= minScore);
  });
  if (inner.length === 0) return NONE;
  // Matches of the encoded run itself are found without decoding.
  const plain = new Set((yield* watch.plain(run, rulesOf(inner))).map(({ rule }) => rule));
  const strongest = new Map<Rule, Finding>();
  for (const { rule, score, decodedFrom } of inner) {
    if (plain.has(rule) || (strongest.get(rule)?.score ?? 0) >= score) continue;
    strongest.set(rule, { rule, score, start, end, decodedFrom: [encoding, ...decodedFrom] });
  }
  const findings = [...strongest.values()];
  const attack = findings.filter(isAttack).sort((a, b) => b.score - a.score)[0];
  return { findings, signals: attack === undefined ? [] : [signalOf(attack, 'encoded')] };
}

/** The attacks in another reading of a passage that its plain reading does not contain. */
export function* readingFindings({ passage, reading, rawRange }: ReadPassage, watch: Watch): Steps<HiddenFindings> {
  const inner = (yield* watch.all(reading.text)).filter((finding) => {
    if (isClassified(finding) && finding.score < CLASSIFIED_FROM) return false;
    return isOwn(finding) && isAttack(finding) && signsWithin(reading, finding.start, finding.end) > 0;
  });
  if (inner.length === 0) return NONE;
  const plain = yield* watch.plain(passage, rulesOf(inner));
  const rest = inner.some(isClassified) ? watch.classify(blanked(passage, reading.replaced)) : [];
  const findings: Finding[] = [];
  for (const finding of inner) {
    const { rule, score, start, end, decodedFrom } = finding;
    const isPlain = isClassified(finding)
      ? rest.some(isAttack)
      : plain.some((other) => other.rule === rule && isSaidPlainly(other, reading, start, end));
    if (!isPlain)
      findings.push({ rule, score, ...rawRange(start, end), decodedFrom: [...reading.writing, ...decodedFrom] });
  }
  return { findings, signals: findings.map((finding) => signalOf(finding, reading.signal)) };
}

/** Whether a finding in the original passage overlaps the source of this one. */
function isSaidPlainly(plain: Finding, { starts }: ReadPassage['reading'], start: number, end: number): boolean {
  const [first, last] = [starts[start] as number, starts[end - 1] as number];
  return plain.start <= Math.max(first, last) && plain.end > Math.min(first, last);
}

function signalOf(finding: Finding, signal: Signal): HiddenSignal {
  const { start, end, decodedFrom } = finding;
  // Marks and spaces may separate words by chance: the signal is at most as certain as the attack.
  const isSure = signal === 'encoded' && !isClassified(finding);
  return { signal, start, end, decodedFrom, atMost: isSure ? 1 : finding.score };
}

function rulesOf(findings: readonly Finding[]): Rule[] {
  return findings.map(({ rule }) => rule);
}

/** Whether a finding is reported: not a signal about text hidden deeper, which the outer signal covers. */
function isOwn({ rule }: Finding): boolean {
  return !isLateSignal(rule.signal);
}

function isAttack({ rule, score }: Finding): boolean {
  return isHideable(rule.type) && score >= ATTACK_FROM;
}

/** Whether the classifier made the finding. */
function isClassified({ rule }: Finding): boolean {
  return rule.patterns.length === 0 && rule.cues === undefined && rule.signal === undefined;
}

const ASCII_LETTERS = /^[a-z]+$/i;
/** Latin letters in use by languages, without phonetic and small capital forms. */
const WRITTEN_LATIN = /[\p{Script=Latin}--[\u0250-\u02af\u1d00-\u1d7f\ua720-\ua7ff]]/v;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** Kinds of a character, as bits. */
const INVISIBLE = 1;
const STYLED = 2;
const IMITATES = 4;

/** How the raw text of a match was disguised; empty for plain text, including accents and other scripts. */
export function disguisesOf(raw: string): readonly Signal[] {
  if (isPlainAscii(raw)) return [];
  let kinds = 0;
  for (const character of raw) kinds |= kindOf(character);
  const found: Signal[] = [];
  if (kinds & INVISIBLE) found.push('invisible');
  if (kinds & STYLED || (kinds & IMITATES && raw.match(WORD)?.some(mixesLookAlikes))) found.push('lookalike');
  return found;
}

function kindOf(character: string): number {
  if (character >= ' ' && character < '\x7f') return 0;
  const isOfTag = isTag(character.codePointAt(0) ?? 0);
  return (
    (isInvisible(character) && !isOfTag ? INVISIBLE : 0) |
    // A letter only by compatibility mapping: full width, mathematical, circled.
    (ASCII_LETTERS.test(toExact(character)) && !isOfTag ? STYLED : 0) |
    (!WRITTEN_LATIN.test(character) && ASCII_LETTERS.test(toFolded(character)) ? IMITATES : 0)
  );
}

/** Whether a word mixes ASCII letters with look-alikes. */
function mixesLookAlikes(word: string): boolean {
  if (!/[a-z]/i.test(word)) return false;
  for (const letter of word) if (kindOf(letter) & IMITATES) return true;
  return false;
}
