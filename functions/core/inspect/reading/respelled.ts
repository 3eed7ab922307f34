import { isLetter, lettersOf, wordOf } from './leet.ts';
import { type Reading, ReadingBuilder } from './reading.ts';
import { mixedTokens, type Span, suspectSpans } from './suspect-spans.ts';
import { CUE, KNOWN, NUMBER, type TokenScan } from './token-scan.ts';
import { type LatticeWord, WordLattice } from './word-lattice.ts';
import type { WordShapes } from './word-shapes.ts';
import type { WordTrie } from './word-trie.ts';

/** Text kept around the words that were put right, so that they are read in their sentence. */
const MARGIN = 256;
const MAX_LEET_TOKEN = 24;
const MIN_LEET_WORD = 3;
/** A long word in leetspeak counts as two short ones; fewer than two are a name or a model number. */
const LONG_WORD = 5;
const ENOUGH = 2;
/** A row of pieces is read as words where these make up so much of it; else its pieces are joined as they stand. */
const MIN_COVERED = 0.5;

interface Change {
  readonly start: number;
  readonly end: number;
  readonly words: readonly LatticeWord[];
}

/** Reads a passage with its words put right: spaced out, cut up, run together, held apart by marks, or in leetspeak. */
export class Respeller {
  private readonly words: WordShapes;
  private readonly trie: () => WordTrie;
  private lattice: WordLattice | undefined;

  constructor(words: WordShapes, trie: () => WordTrie) {
    this.words = words;
    this.trie = trie;
  }

  /** The reading, or undefined where nothing is put right. */
  read(units: Uint16Array, length: number, scan: TokenScan): Reading | undefined {
    const spans = suspectSpans(scan, units, this.words);
    const leet = this.leetWords(units, scan, mixedTokens(scan));
    const gaps = oddGaps(scan);
    if (spans.length === 0 && leet.length === 0 && gaps.length === 0) return undefined;
    const changes = [...spans.map((span) => this.respell(units, scan, span)), ...leet];
    const writing = leet.length > 0 ? 'leetspeak' : 'spacing';
    const reading = write(
      units,
      length,
      [...changes, ...gaps].sort((a, b) => a.start - b.start || b.end - a.end),
    );
    return reading.signs === 0 ? undefined : reading.build([writing], 'respelled', MARGIN);
  }

  private respell(units: Uint16Array, scan: TokenScan, { first, last }: Span): Change {
    const [start, end] = [scan.start[first] as number, scan.end[last] as number];
    this.lattice ??= new WordLattice(this.trie());
    const words = this.lattice.read(units, start, end);
    const covered = words.reduce((sum, { text }) => sum + (text.length > 2 ? text.length : 0), 0);
    let letters = 0;
    for (let at = start; at < end; at++) if (isLetter(units[at] as number)) letters++;
    return { start, end, words: covered < letters * MIN_COVERED ? piecesJoined(units, scan, first, last) : words };
  }

  private leetWords(units: Uint16Array, scan: TokenScan, tokens: readonly number[]): Change[] {
    let found = 0;
    const changes: Change[] = [];
    const take = (token: number) => {
      const [start, end] = [scan.start[token] as number, scan.end[token] as number];
      if (end - start > MAX_LEET_TOKEN) return;
      const text = wordOf(units, start, end, this.trie());
      if (text === undefined) return;
      if (text.length >= MIN_LEET_WORD) found += text.length >= LONG_WORD ? 2 : 1;
      changes.push({ start, end, words: [{ text, start, end }] });
    };
    for (const token of tokens) take(token);
    if (found < ENOUGH) return [];
    for (let token = 0; token < scan.count; token++) if (scan.kind[token] === NUMBER) take(token);
    return changes;
  }
}

/** The pieces of a row put together wherever the gap between them is the usual one: what a cipher leaves of words. */
function piecesJoined(units: Uint16Array, scan: TokenScan, first: number, last: number): LatticeWord[] {
  const gaps = Int32Array.from(scan.gap.subarray(first + 1, last + 1)).sort();
  const usual = gaps[gaps.length >> 1] ?? 0;
  const words: LatticeWord[] = [];
  let from = first;
  for (let token = first; token <= last; token++) {
    const goesOn = token < last && scan.gap[token + 1] === usual && pieceLength(scan, token) <= 3;
    if (goesOn) continue;
    let text = '';
    for (let at = from; at <= token; at++) {
      text += String.fromCharCode(...units.subarray(scan.start[at] as number, scan.end[at] as number));
    }
    words.push({ text, start: scan.start[from] as number, end: scan.end[token] as number });
    from = token + 1;
  }
  return words;
}

function pieceLength(scan: TokenScan, token: number): number {
  return (scan.end[token] as number) - (scan.start[token] as number);
}

/** Marks between cue words that prose would have nothing but a space between. */
function oddGaps(scan: TokenScan): Change[] {
  const changes: Change[] = [];
  let cues = 0;
  for (let token = 1; token < scan.count; token++) {
    if (scan.isOdd[token] === 0) continue;
    const [before, after] = [scan.known[token - 1] as number, scan.known[token] as number];
    if (before < KNOWN || after < KNOWN) continue;
    if (before === CUE && after === CUE) cues++;
    changes.push({ start: scan.end[token - 1] as number, end: scan.start[token] as number, words: [] });
  }
  return cues > 0 ? changes : [];
}

/** The passage with the changes made; of two that overlap the first counts. */
function write(units: Uint16Array, length: number, changes: readonly Change[]): ReadingBuilder {
  const reading = new ReadingBuilder();
  let at = 0;
  for (const { start, end, words } of changes) {
    if (start < at) continue;
    reading.copy(units, at, start);
    at = start;
    reading.replace(start, end);
    if (words.length === 0) reading.sign();
    for (const { text, start: from, end: to } of words) {
      leftOut(reading, units, at, from);
      if (isChanged(units, text, from, to)) reading.sign();
      // Each letter stands for the whole word, so that what is found covers all that spells it.
      for (let letter = 0; letter < text.length; letter++) reading.put(text.charCodeAt(letter), from, to);
      at = to;
    }
    leftOut(reading, units, at, end);
    at = end;
  }
  reading.copy(units, at, length);
  return reading;
}

/** What no word was read from: letters stay, anything else only parts the words. */
function leftOut(reading: ReadingBuilder, units: Uint16Array, from: number, to: number): void {
  reading.space(from, Math.max(to, from + 1));
  let letters = false;
  for (let at = from; at < to; at++) {
    const unit = units[at] as number;
    if (lettersOf(unit).length === 0 || !(isLetter(unit) || letters)) reading.space(at, at + 1);
    else reading.put(unit, at, at + 1);
    letters = isLetter(unit);
  }
  if (letters) reading.space(to - 1, to);
}

function isChanged(units: Uint16Array, text: string, from: number, to: number): boolean {
  if (text.length < MIN_LEET_WORD) return false;
  if (to - from !== text.length) return true;
  for (let at = from; at < to; at++) if (units[at] !== text.charCodeAt(at - from)) return true;
  return isLetter(units[from - 1] ?? 0) || isLetter(units[to] ?? 0);
}
