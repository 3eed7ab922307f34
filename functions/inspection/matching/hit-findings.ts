import {
  ALL_ESCAPES,
  hidesLetters,
  holdsWebEscapes,
  isInvisible,
  isPlainAscii,
  isTag,
  PROGRAM_ESCAPES,
  type TextWindow,
  toExact,
  toFolded,
} from '../views/index.ts';
import { type Finding, findingKey, type RuleHit } from './finding.ts';
import type { HiddenFindings } from './hidden-findings.ts';
import type { Signal } from './rule.ts';
import { isHideable, type StreamPlan } from './stream-plan.ts';

/** Text before a match that may affect it. */
export const CONTEXT_UNITS = 300;
/** An escape of up to this length may precede a match and separate it from earlier text. */
const ESCAPE_UNITS = 12;
const SPACES = /\s/;

/** Turns the hits of one text into findings, with signals about how the text of an attack was disguised. */
export class HitFindings {
  private readonly signals: StreamPlan['signals'];
  private readonly raw: TextWindow;
  private readonly isSecond: boolean;
  /** ASCII without escapes and control characters hides nothing. */
  private isPlain = true;
  /** Keys of the findings for signals so far. */
  private readonly signalled = new Set<string>();

  /** `raw`: the text as received; `isSecond`: as in `Nesting`. */
  constructor(signals: StreamPlan['signals'], raw: TextWindow, isSecond: boolean) {
    this.signals = signals;
    this.raw = raw;
    this.isSecond = isSecond;
  }

  /** Takes the next piece of the text, before its hits. */
  push(piece: string): void {
    this.isPlain &&= isPlainAscii(piece) && !piece.includes('\\');
  }

  of({ rule, score, start, end }: RuleHit): Finding[] {
    const { isSecond } = this;
    // The first reading has the findings in text without escapes.
    if (isSecond && !holdsWebEscapes(this.raw.slice(Math.max(0, start - ESCAPE_UNITS), end))) return [];
    const raw = this.raw.slice(start, end);
    if (isSecond && rule.type === 'pii' && rule.forcedAction === undefined && this.isInAddress(start, end)) return [];
    const findings: Finding[] = [{ rule, score, start, end, decodedFrom: [] }];
    if ((this.isPlain && !isSecond) || !isHideable(rule)) return findings;
    for (const signal of disguisesOf(raw)) findings.push(...this.ofSignal(signal, start, end));
    if (hidesLetters(raw, isSecond ? ALL_ESCAPES : PROGRAM_ESCAPES))
      findings.push(...this.ofSignal('encoded', start, end, ['escapes']));
    return findings;
  }

  ofHidden({ findings, signals }: HiddenFindings): Finding[] {
    const reported = signals.flatMap(({ signal, start, end, decodedFrom, atMost }) =>
      this.ofSignal(signal, start, end, decodedFrom, atMost),
    );
    return [...findings, ...reported];
  }

  /** Whether a range is of an address with escapes: its decoded parts run together, and everything before an @ would be a mailbox name. */
  private isInAddress(start: number, end: number): boolean {
    if (!this.raw.slice(start, end).includes('%')) return false;
    const words = this.raw.slice(Math.max(0, start - CONTEXT_UNITS), end).split(SPACES);
    return words.at(-1)?.includes('://') === true;
  }

  /** The findings of the rules for a signal, each range once. */
  private ofSignal(
    signal: Signal,
    start: number,
    end: number,
    decodedFrom: readonly string[] = [],
    atMost = 1,
  ): Finding[] {
    const findings = (this.signals.get(signal) ?? []).map((rule) => ({
      rule,
      score: Math.min(rule.score, atMost),
      start,
      end,
      decodedFrom,
    }));
    return findings.filter((finding) => {
      const key = findingKey(finding);
      return this.signalled.size < this.signalled.add(key).size;
    });
  }
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
