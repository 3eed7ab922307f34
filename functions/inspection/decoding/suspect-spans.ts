import { isLetter } from './leet.ts';
import { MAX_PASSAGE } from './reading.ts';
import { NUMBER, type TokenScan, UNKNOWN, WORD } from './token-scan.ts';
import type { LatticeWord } from './word-lattice.ts';
import { isPlain, joinShapes, type WordShapes } from './word-shapes.ts';

/** Maximum gap between the parts of a word. */
const MAX_PART_GAP = 3;
const MIN_JOINED = 5;
/** Minimum lengths of rows: evenly spaced single letters, and short pieces. */
const MIN_SINGLES = 4;
const MIN_PIECES = 5;
const MAX_PIECE = 3;
/** Longer pieces count only if all have one length. */
const MAX_EVEN_PIECE = 5;
/** Maximum gap between the words of spaced-out text. */
const MAX_WORD_GAP = 8;
/** Joined words. */
const MIN_RUN_TOGETHER = 20;
const APOSTROPHE = 0x27;
/** Tokens around a suspicious one that may belong to it. */
const AROUND = 3;

/** A range of tokens, both ends included, whose words seem to be split or joined. */
export interface Span {
  readonly first: number;
  readonly last: number;
}

/** The parts of a scanned passage with suspicious spelling, in order and without overlap. */
export function suspectSpans(scan: TokenScan, units: Uint16Array, words: WordShapes): Span[] {
  const spans: { first: number; last: number }[] = [];
  const suspect = (from: number, to: number, around: number) => {
    const first = Math.max(0, from - around);
    const last = Math.min(scan.count - 1, to + around);
    const open = spans.at(-1);
    if (open !== undefined && first <= open.last + 1) open.last = Math.max(open.last, last);
    else spans.push({ first, last });
  };
  const { count, known } = scan;
  let run = 0;
  let wasKnown = true;
  for (let token = 0; token < count; token++) {
    const isKnown = known[token] !== UNKNOWN;
    const areKnown = isKnown && wasKnown;
    wasKnown = isKnown;
    const length = lengthOf(scan, token);
    if (length > MAX_PIECE && (length > MAX_EVEN_PIECE || length !== lengthOf(scan, run))) run = token;
    else if (!goesOn(scan, run, token)) run = token;
    else if (isBroken(scan, run, token)) suspect(run, token, AROUND);
    if (areKnown) continue;
    if (!isKnown && isRunTogether(scan, token)) suspect(token, token, 0);
    else if (token > 0 && isCutUp(scan, units, words, token)) suspect(token - 1, token, AROUND);
  }
  return spans;
}

function lengthOf(scan: TokenScan, token: number): number {
  return (scan.end[token] as number) - (scan.start[token] as number);
}

/** Whether the token continues a row of pieces with equal gaps, or longer gaps between words. */
function goesOn(scan: TokenScan, run: number, token: number): boolean {
  if (token <= run || lengthOf(scan, run) > MAX_EVEN_PIECE) return false;
  const gap = scan.gap[token] as number;
  if (token === run + 1) return gap <= MAX_PART_GAP;
  const usual = scan.gap[run + 1] as number;
  return (gap === usual && scan.gapMarks[token] === scan.gapMarks[run + 1]) || (gap > usual && gap <= MAX_WORD_GAP);
}

/** Whether the row of pieces up to this token differs from ordinary short words. */
function isBroken(scan: TokenScan, run: number, token: number): boolean {
  const count = token - run + 1;
  if (count < MIN_SINGLES) return false;
  let singles = 0;
  let unknown = 0;
  let words = 0;
  const from = Math.max(run, token - MIN_PIECES + 1);
  for (let at = from; at <= token; at++) {
    if (scan.kind[at] === WORD) words++;
    if (lengthOf(scan, at) === 1) singles++;
    else if (scan.known[at] === UNKNOWN && scan.kind[at] !== NUMBER) unknown++;
  }
  if (2 * words < token - from + 1) return false;
  return singles >= MIN_SINGLES || (count >= MIN_PIECES && singles + unknown >= MIN_PIECES - 2);
}

function isRunTogether(scan: TokenScan, token: number): boolean {
  return scan.kind[token] !== NUMBER && lengthOf(scan, token) >= MIN_RUN_TOGETHER;
}

/** Whether the token and the one or two before it, not all of them words, form one word. */
function isCutUp(scan: TokenScan, units: Uint16Array, words: WordShapes, token: number): boolean {
  if (!isPart(scan, token)) return false;
  const before = token - 2;
  const previous = token - 1;
  const two = joined(scan, units, scan.shape[previous] as number, previous, token);
  const length = lengthOf(scan, previous) + lengthOf(scan, token);
  if (isWord(words, two, length, units[scan.start[previous] as number] as number)) return true;
  if (before < 0 || !isPart(scan, previous) || scan.known[before] !== UNKNOWN) return false;
  const start = joined(scan, units, scan.shape[before] as number, before, previous);
  const three = joined(scan, units, start, previous, token);
  return isWord(words, three, length + lengthOf(scan, before), units[scan.start[before] as number] as number);
}

/** Whether the token and the one before it could be parts of one word. */
function isPart(scan: TokenScan, token: number): boolean {
  const gap = scan.gap[token] as number;
  if (scan.kind[token] !== WORD || scan.kind[token - 1] !== WORD || gap > MAX_PART_GAP) return false;
  return gap !== 1 || scan.gapMarks[token] !== APOSTROPHE;
}

function joined(scan: TokenScan, units: Uint16Array, shape: number, first: number, second: number): number {
  const last = units[(scan.end[first] as number) - 1] as number;
  const begin = units[scan.start[second] as number] as number;
  return joinShapes(shape, last, scan.shape[second] as number, begin, lengthOf(scan, second));
}

function isWord(words: WordShapes, shape: number, length: number, firstLetter: number): boolean {
  if (length < MIN_JOINED || length > 20) return false;
  return isPlain(words.find(shape, length, firstLetter), firstLetter);
}

const MAX_GAP = 8;
const SPACE = 0x20;

/** The visible text of a span of tokens, without tags and link addresses. One instance is reused for all spans. */
export class SpanText {
  readonly units = new Uint16Array(MAX_PASSAGE);
  length = 0;
  letters = 0;
  /** Number of single letters. */
  singles = 0;
  /** The most common gap in units, and its first unit. */
  usualGap = 0;
  usualUnit = 0;
  private readonly at = new Int32Array(MAX_PASSAGE);
  private readonly gaps = new Int32Array(MAX_GAP + 1);

  /** One loop over the tokens: in text of other scripts, most of the time is spent here. */
  read(units: Uint16Array, scan: TokenScan, { first, last }: Span): void {
    const { units: shown, at: places, gaps } = this;
    let length = 0;
    let letters = 0;
    let singles = 0;
    gaps.fill(0);
    for (let token = first; token <= last; token++) {
      const start = scan.start[token] as number;
      const end = scan.end[token] as number;
      if (token > first) length = this.addGap(units, scan, token, length);
      if (end - start === 1 && scan.kind[token] === WORD) singles++;
      for (let at = start; at < end; at++) {
        const unit = units[at] as number;
        shown[length] = unit;
        places[length++] = at;
        if (isLetter(unit)) letters++;
      }
    }
    this.length = length;
    this.letters = letters;
    this.singles = singles;
    this.usualGap = indexOfMost(gaps);
    this.usualUnit = usualUnitOf(units, scan, first, last, this.usualGap);
  }

  /** A word of this text with its range in the passage. */
  inPassage({ text, start, end }: LatticeWord): LatticeWord {
    return { text, start: this.at[start] as number, end: (this.at[end - 1] as number) + 1 };
  }

  /** Adds the gap before a token at this length; returns the new length. A gap contains no letter. */
  private addGap(units: Uint16Array, scan: TokenScan, token: number, from: number): number {
    const { units: shown, at: places, gaps } = this;
    const start = scan.end[token - 1] as number;
    const visible = scan.gap[token] as number;
    const gap = Math.min(visible, MAX_GAP);
    gaps[gap] = (gaps[gap] as number) + 1;
    // A gap with a tag in it counts by its visible width.
    const isPlain = (scan.start[token] as number) - start === visible;
    for (let step = 0; step < gap; step++) {
      shown[from + step] = isPlain ? (units[start + step] as number) : SPACE;
      places[from + step] = start + step;
    }
    return from + gap;
  }
}

function indexOfMost(counts: Int32Array): number {
  let most = 0;
  for (let at = 1; at < counts.length; at++) if ((counts[at] as number) > (counts[most] as number)) most = at;
  return most;
}

/** The most common first unit of gaps of the usual size. */
function usualUnitOf(units: Uint16Array, scan: TokenScan, first: number, last: number, usualGap: number): number {
  const counts = new Map<number, number>();
  let usual = 0;
  for (let token = first + 1; token <= last; token++) {
    if (scan.gap[token] !== usualGap) continue;
    const unit = units[scan.end[token - 1] as number] as number;
    const count = (counts.get(unit) ?? 0) + 1;
    counts.set(unit, count);
    if (count > (counts.get(usual) ?? 0)) usual = unit;
  }
  return usual;
}
