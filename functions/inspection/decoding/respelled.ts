import { isLetter, lettersOf, wordOf } from './leet.ts';
import { type Reading, ReadingBuilder } from './reading.ts';
import { type Span, SpanText, suspectSpans } from './suspect-spans.ts';
import { CUE, KNOWN, MIXED, NUMBER, ORDER, type TokenScan } from './token-scan.ts';
import { type LatticeWord, WordLattice } from './word-lattice.ts';
import type { WordShapes } from './word-shapes.ts';
import type { WordTrie } from './word-trie.ts';

/** Text kept around corrected words, so that they are inspected in their sentence. */
const MARGIN = 128;
const MAX_LEET_TOKEN = 24;
const MIN_LEET_WORD = 3;
/** A long word in leetspeak counts as two short ones; fewer than two are a name or a model number. */
const LONG_WORD = 5;
const MIN_LEET = 2;
/** Minimum weight of the changes: one cue word of attacks, or several other words. */
const ENOUGH = 3;
const SENTENCE_MARKS = new Set([...'.,:;?!"\'()'].map((mark) => mark.charCodeAt(0)));
/** This many known words in a row with marks between them: the marks carry no meaning. */
const MANY_ODD_GAPS = 4;
/** Minimum share of a row of pieces that is words; otherwise the pieces are joined unchanged. */
const MIN_COVERED = 0.5;
const MIN_SINGLES = 8;
/** Limit of steps for the words of one passage. Only one of 7,835 texts of the training sets has a passage that reaches it. */
const PASSAGE_STEPS = 24_576;
const MANY_SINGLES = 16;

interface Change {
  readonly start: number;
  readonly end: number;
  /** Weight in addition to that of its words. */
  readonly weight: number;
  readonly words: readonly LatticeWord[];
  /** The separator between two letters, which carries no meaning. */
  readonly usual?: number;
}

/** Corrects the words of a passage: spaced out, split, joined, separated by marks, or in leetspeak. */
export class Respeller {
  private readonly words: WordShapes;
  private readonly trie: () => WordTrie;
  private readonly spanText = new SpanText();
  private lattice: WordLattice | undefined;

  constructor(words: WordShapes, trie: () => WordTrie) {
    this.words = words;
    this.trie = trie;
  }

  /** A reading for each part of the passage with corrected words of enough weight. */
  read(units: Uint16Array, length: number, scan: TokenScan): Reading[] {
    const spans = suspectSpans(scan, units, this.words);
    const leet = scan.mixed > 0 ? this.leetWords(units, scan) : [];
    const gaps = scan.oddGaps > 0 && haveEnoughOddGaps(scan) ? oddGaps(scan) : [];
    if (spans.length === 0 && leet.length === 0 && gaps.length === 0) return [];
    const changes = [...this.respellAll(units, scan, spans), ...leet, ...gaps];
    const writing = leet.length > 0 ? 'leetspeak' : 'spacing';
    return clustersOf(changes)
      .filter((cluster) => this.weigh(units, cluster) >= ENOUGH)
      .map((cluster) => write(units, length, cluster).build('spelling', [writing], 'respelled'));
  }

  /** The weight of the changes. */
  private weigh(units: Uint16Array, changes: readonly Change[]): number {
    let weight = 0;
    for (const { weight: given, words } of changes) {
      weight += given;
      for (const { text, start, end } of words) {
        if (!isChanged(units, text, start, end)) continue;
        // Words that are only joined, like names in programs, are no evidence by themselves.
        if (isOnlyRunTogether(units, text, start, end)) weight += this.words.isCue(text) ? 1.5 : 0;
        else weight += this.words.isCue(text) ? ENOUGH : 1;
      }
    }
    return weight;
  }

  /** Each span may take steps by its length, plus unused steps of earlier spans. */
  private respellAll(units: Uint16Array, scan: TokenScan, spans: readonly Span[]): Change[] {
    let steps = PASSAGE_STEPS;
    let length = spans.reduce((sum, span) => sum + spanLength(scan, span), 0);
    return spans.flatMap((span) => {
      const own = spanLength(scan, span);
      const changes = this.respell(units, scan, span, (steps * own) / length);
      steps = Math.max(0, steps - (this.lattice?.steps ?? 0));
      length -= own;
      return changes;
    });
  }

  /** The corrected span; empty if hardly any of it is words and few of its letters are single. */
  private respell(units: Uint16Array, scan: TokenScan, span: Span, mostSteps: number): Change[] {
    const text = this.spanText;
    text.read(units, scan, span);
    const [start, end] = [scan.start[span.first] as number, scan.end[span.last] as number];
    this.lattice ??= new WordLattice(this.trie());
    const words = this.lattice
      .read(text.units, text.length, text.usualGap, mostSteps)
      .map((word) => text.inPassage(word));
    const covered = words.reduce((sum, { text }) => sum + (text.length > 2 ? text.length : 0), 0);
    const usual = text.usualUnit;
    if (covered >= text.letters * MIN_COVERED) return [{ start, end, weight: 0, words, usual }];
    if (text.singles < MIN_SINGLES) return [];
    // Single letters that form no words may be a cipher if they form groups like words.
    const joined = piecesJoined(units, scan, span, text.usualGap);
    const wordlike = joined.filter(({ text }) => text.length >= MIN_LEET_WORD && text.length <= MAX_LEET_TOKEN);
    const isWordlike = wordlike.length >= 2 && 2 * wordlike.length >= joined.length;
    if (!isWordlike && text.singles < MANY_SINGLES) return [];
    return [{ start, end, weight: ENOUGH, words: joined, usual }];
  }

  /** The word that a token spells in leetspeak: forward, or backward, to be reversed later. */
  private leetWord(units: Uint16Array, start: number, end: number): string | undefined {
    const word = wordOf(units, start, end, this.trie());
    if (word !== undefined) return word;
    const backwards = wordOf(units, start, end, this.trie(), -1);
    return backwards === undefined ? undefined : [...backwards].reverse().join('');
  }

  private leetWords(units: Uint16Array, scan: TokenScan): Change[] {
    let found = 0;
    const changes: Change[] = [];
    const take = (token: number) => {
      const [start, end] = [scan.start[token] as number, scan.end[token] as number];
      if (end - start > MAX_LEET_TOKEN) return;
      const text = this.leetWord(units, start, end);
      if (text === undefined) return;
      if (text.length >= MIN_LEET_WORD) found += text.length >= LONG_WORD ? 2 : 1;
      changes.push({ start, end, weight: 0, words: [{ text, start, end }] });
    };
    for (let token = 0; token < scan.count; token++) if (scan.kind[token] === MIXED) take(token);
    if (found < MIN_LEET) return [];
    for (let token = 0; token < scan.count; token++) if (scan.kind[token] === NUMBER) take(token);
    return changes;
  }
}

/** Joins the pieces of a row across gaps of the usual size: a cipher keeps the lengths of words. */
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

function spanLength(scan: TokenScan, { first, last }: Span): number {
  return (scan.end[last] as number) - (scan.start[first] as number);
}

function pieceLength(scan: TokenScan, token: number): number {
  return (scan.end[token] as number) - (scan.start[token] as number);
}

/** Weight of the gap before a token, with the number of such gaps in a row and of cue words between them. */
function gapWeight(scan: TokenScan, token: number, row: number, cues: number): number {
  const before = scan.known[token - 1] as number;
  const after = scan.known[token] as number;
  if (before === ORDER || (row >= MANY_ODD_GAPS && cues > 0)) return ENOUGH;
  return before === CUE && after === CUE && row > 1 ? 1 : 0;
}

function isOddGap(scan: TokenScan, token: number): boolean {
  return (
    scan.isOdd[token] === 1 && (scan.known[token - 1] as number) >= KNOWN && (scan.known[token] as number) >= KNOWN
  );
}

/** Whether the gap before the token equals the previous gap: one writer uses the same separators. */
function goesOn(scan: TokenScan, token: number): boolean {
  return scan.gapMarks[token] === scan.gapMarks[token - 1] && isOddGap(scan, token);
}

function haveEnoughOddGaps(scan: TokenScan): boolean {
  let [row, cues, weight] = [0, 0, 0];
  for (let token = 1; token < scan.count; token++) {
    if (scan.isOdd[token] === 0) {
      row = cues = 0;
      continue;
    }
    if (!goesOn(scan, token)) row = cues = 0;
    if (isOddGap(scan, token)) {
      if ((scan.known[token] as number) >= CUE) cues++;
      weight += gapWeight(scan, token, ++row, cues);
    }
  }
  return weight >= ENOUGH;
}

/** Marks between known words, where prose has only a space: at a cue word, or in a row. */
function oddGaps(scan: TokenScan): Change[] {
  const changes: Change[] = [];
  let [row, cues] = [0, 0];
  for (let token = 1; token < scan.count; token++) {
    if (!goesOn(scan, token)) row = cues = 0;
    if (!isOddGap(scan, token)) continue;
    if ((scan.known[token] as number) >= CUE) cues++;
    const weight = gapWeight(scan, token, ++row, cues);
    changes.push({ start: scan.end[token - 1] as number, end: scan.start[token] as number, weight, words: [] });
  }
  return changes;
}

/** The changes in order, grouped by proximity; of two that overlap the first is kept. */
function clustersOf(changes: Change[]): Change[][] {
  const clusters: Change[][] = [];
  let end = 0;
  for (const change of changes.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const open = clusters.at(-1);
    if (open !== undefined && change.start < end) continue;
    if (open !== undefined && change.start - end <= 2 * MARGIN) open.push(change);
    else clusters.push([change]);
    end = change.end;
  }
  return clusters;
}

/** The part of the passage around the changes, with the changes applied. */
function write(units: Uint16Array, length: number, changes: readonly Change[]): ReadingBuilder {
  const reading = new ReadingBuilder();
  let at = Math.max(0, (changes[0]?.start ?? 0) - MARGIN);
  for (const change of changes) {
    reading.copy(units, at, change.start);
    reading.replace(change.start, change.end);
    writeChange(reading, units, change);
    at = change.end;
  }
  reading.copy(units, at, Math.min(length, at + MARGIN));
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
    // Each letter maps to the whole word, so that findings cover all characters that spell it.
    for (let letter = 0; letter < text.length; letter++) reading.put(text.charCodeAt(letter), from, to);
    at = to;
  }
  if (at < end) writeGap(reading, units, at, end, usual);
}

/** Copies text between words: keeps letters and punctuation; other characters become a space. */
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

function isOnlyRunTogether(units: Uint16Array, text: string, from: number, to: number): boolean {
  if (to - from !== text.length) return false;
  for (let at = from; at < to; at++) if (!isLetter(units[at] as number)) return false;
  return true;
}

function isChanged(units: Uint16Array, text: string, from: number, to: number): boolean {
  if (text.length < MIN_LEET_WORD) return false;
  if (to - from !== text.length) return true;
  for (let at = from; at < to; at++) if (units[at] !== text.charCodeAt(at - from)) return true;
  return isLetter(units[from - 1] ?? 0) || isLetter(units[to] ?? 0);
}
