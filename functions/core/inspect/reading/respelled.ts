import { isLetter, lettersOf, wordOf } from './leet.ts';
import { type Reading, ReadingBuilder } from './reading.ts';
import { SpanText } from './span-text.ts';
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
const SENTENCE_MARKS = new Set([...'.,:;?!"\'()'].map((mark) => mark.charCodeAt(0)));
/** Where nothing but marks stands between so many known words in a row, the marks mean nothing. */
const MANY_ODD_GAPS = 4;
/** A row of pieces is read as words where these make up so much of it; else its pieces are joined as they stand. */
const MIN_COVERED = 0.5;

interface Change {
  readonly start: number;
  readonly end: number;
  readonly words: readonly LatticeWord[];
  /** What stands between two letters, and so means nothing. */
  readonly usual?: number;
}

/** Reads a passage with its words put right: spaced out, cut up, run together, held apart by marks, or in leetspeak. */
export class Respeller {
  private readonly words: WordShapes;
  private readonly trie: () => WordTrie;
  private readonly spanText = new SpanText();
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

  private respell(units: Uint16Array, scan: TokenScan, span: Span): Change {
    const text = this.spanText;
    text.read(units, scan, span);
    const [start, end] = [scan.start[span.first] as number, scan.end[span.last] as number];
    this.lattice ??= new WordLattice(this.trie());
    const words = this.lattice.read(text.units, text.length, text.usualGap).map((word) => text.inPassage(word));
    const covered = words.reduce((sum, { text }) => sum + (text.length > 2 ? text.length : 0), 0);
    const isRead = covered >= text.letters * MIN_COVERED;
    return {
      start,
      end,
      words: isRead ? words : piecesJoined(units, scan, span, text.usualGap),
      usual: text.usualUnit,
    };
  }

  /** The letters that a token is written for: a word, or one from its end to its start, which is turned round later. */
  private leetWord(units: Uint16Array, start: number, end: number): string | undefined {
    const word = wordOf(units, start, end, this.trie());
    if (word !== undefined) return word;
    const backwards = wordOf(units, start, end, this.trie(), -1);
    return backwards === undefined ? undefined : [...backwards].reverse().join('');
  }

  private leetWords(units: Uint16Array, scan: TokenScan, tokens: readonly number[]): Change[] {
    let found = 0;
    const changes: Change[] = [];
    const take = (token: number) => {
      const [start, end] = [scan.start[token] as number, scan.end[token] as number];
      if (end - start > MAX_LEET_TOKEN) return;
      const text = this.leetWord(units, start, end);
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
function piecesJoined(units: Uint16Array, scan: TokenScan, { first, last }: Span, usual: number): LatticeWord[] {
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

/** Marks between known words that prose would have nothing but a space between: at a cue, or in a row. */
function oddGaps(scan: TokenScan): Change[] {
  const changes: Change[] = [];
  let telling = false;
  let row = 0;
  for (let token = 1; token < scan.count; token++) {
    const [before, after] = [scan.known[token - 1] as number, scan.known[token] as number];
    if (scan.isOdd[token] === 0 || before < KNOWN || after < KNOWN) {
      row = 0;
      continue;
    }
    row++;
    telling ||= (before === CUE && after === CUE) || row === MANY_ODD_GAPS;
    changes.push({ start: scan.end[token - 1] as number, end: scan.start[token] as number, words: [] });
  }
  return telling ? changes : [];
}

/** The passage with the changes made; of two that overlap the first counts. */
function write(units: Uint16Array, length: number, changes: readonly Change[]): ReadingBuilder {
  const reading = new ReadingBuilder();
  let at = 0;
  for (const change of changes) {
    if (change.start < at) continue;
    reading.copy(units, at, change.start);
    reading.replace(change.start, change.end);
    writeChange(reading, units, change);
    at = change.end;
  }
  reading.copy(units, at, length);
  return reading;
}

function writeChange(reading: ReadingBuilder, units: Uint16Array, { start, end, words, usual }: Change): void {
  if (words.length === 0) {
    reading.sign();
    reading.space(start, end);
    return;
  }
  let at = start;
  for (const { text, start: from, end: to } of words) {
    if (at > start || from > start) writeGap(reading, units, at, from, usual);
    if (isChanged(units, text, from, to)) reading.sign();
    // Each letter stands for the whole word, so that what is found covers all that spells it.
    for (let letter = 0; letter < text.length; letter++) reading.put(text.charCodeAt(letter), from, to);
    at = to;
  }
  if (at < end) writeGap(reading, units, at, end, usual);
}

/** What no word was read from: letters stay, and the marks of a sentence; anything else only parts the words. */
function writeGap(reading: ReadingBuilder, units: Uint16Array, from: number, to: number, usual = 0): void {
  let letters = false;
  for (let at = from; at < to; at++) {
    const unit = units[at] as number;
    const isMark = unit !== usual && SENTENCE_MARKS.has(unit);
    if (isMark || isLetter(unit) || (letters && lettersOf(unit).length > 0)) {
      if (isLetter(unit) && !letters) reading.space(at, at + 1);
      reading.put(unit, at, at + 1);
    }
    letters = isLetter(unit);
  }
  reading.space(Math.max(from, to - 1), Math.max(to, from + 1));
}

function isChanged(units: Uint16Array, text: string, from: number, to: number): boolean {
  if (text.length < MIN_LEET_WORD) return false;
  if (to - from !== text.length) return true;
  for (let at = from; at < to; at++) if (units[at] !== text.charCodeAt(at - from)) return true;
  return isLetter(units[from - 1] ?? 0) || isLetter(units[to] ?? 0);
}
