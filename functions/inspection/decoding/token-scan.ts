import { type PlainWords, WORD_NUMBERS, wordNumbers } from '../views/index.ts';
import { MAX_PASSAGE } from './reading.ts';
import { extendShape, isCue, isOrder, isPlain, type WordShapes } from './word-shapes.ts';

const GAP = 0;
const LETTER = 1;
/** A digit, or a sign that replaces a letter in leetspeak anywhere. */
const STAND_IN = 2;
/** A sign that replaces a letter only before a letter or digit; elsewhere it is punctuation. */
const INNER = 3;
/** A mark that prose does not have between two words of a phrase. */
const ODD_GAP = 4;
/** Like ODD_GAP; a tag or the address of a link may also start with it. */
const MARKUP = 5;
const CLASSES = classes();

const GREATER = 0x3e;
const BRACKET_CLOSED = 0x5d;
const PARENTHESIS = 0x28;
const PARENTHESIS_CLOSED = 0x29;
/** Tags and link addresses up to this length count as gaps. */
const MAX_MARKUP = 240;

/** Kinds of tokens: letters only, digits only, or both. */
export const WORD = 0;
export const NUMBER = 1;
export const MIXED = 2;

/** Whether a word is in the vocabulary, unchanged, and whether it is a cue word of attacks. */
export const UNKNOWN = 0;
export const KNOWN = 1;
export const CUE = 2;
export const ORDER = 3;

/** Cached facts of a plain word, by its number: its shape, then its entry with `known` above it and a bit for presence. */
const FACTS = 2;
const KNOWN_SHIFT = 16;
const REMEMBERED = 1 << 24;

/** The tokens of the last passage; arrays are longer than `count`. One instance is reused for all passages. */
export class TokenScan {
  count = 0;
  /** Number of tokens that mix letters with digits or signs, are disguised vocabulary words, or follow an odd gap. */
  mixed = 0;
  disguised = 0;
  oddGaps = 0;
  readonly start = new Int32Array(MAX_PASSAGE);
  readonly end = new Int32Array(MAX_PASSAGE);
  readonly kind = new Uint8Array(MAX_PASSAGE);
  readonly shape = new Int32Array(MAX_PASSAGE);
  /** Entry of the word in `WordShapes`, in any writing; 0 for none. */
  readonly entry = new Uint16Array(MAX_PASSAGE);
  readonly known = new Uint8Array(MAX_PASSAGE);
  /** Before the token: the number of visible units, a number for their content, and whether prose would not have them there. */
  readonly gap = new Int32Array(MAX_PASSAGE);
  readonly gapMarks = new Uint16Array(MAX_PASSAGE);
  readonly isOdd = new Uint8Array(MAX_PASSAGE);

  private readonly words: WordShapes;
  private readonly facts = new Int32Array(WORD_NUMBERS * FACTS);
  private generation = wordNumbers.generation;

  constructor(words: WordShapes) {
    this.words = words;
  }

  /**
   * Reads a passage with its plain words. One loop over the gaps, with `readToken` for the rest: a lookup costs as much as the nanosecond that
   * a character takes.
   */
  read(units: Uint16Array, length: number, { starts, ends, numbers, first, end, offset }: PlainWords): void {
    const { gap, gapMarks, isOdd } = this;
    this.evictOld();
    let word = first;
    let nextWord = word < end ? (starts[word] as number) - offset : length;
    this.count = 0;
    this.mixed = 0;
    this.disguised = 0;
    this.oddGaps = 0;
    let visible = 0;
    let marks = 0;
    let odd = 0;
    for (let at = 0; at < length; ) {
      const unit = units[at] as number;
      let kind = CLASSES[unit] as number;
      if (kind === INNER) kind = innerClass(units, at, length);
      if (kind === LETTER || kind === STAND_IN) {
        const token = this.count;
        gap[token] = visible;
        gapMarks[token] = marks;
        isOdd[token] = odd;
        this.oddGaps += odd;
        // Tags may contain plain words.
        while (nextWord < at) nextWord = ++word < end ? (starts[word] as number) - offset : length;
        at =
          at === nextWord
            ? this.readWord(units, at, (ends[word] as number) - offset, numbers[word] as number)
            : this.readToken(units, at, length);
        visible = 0;
        marks = 0;
        odd = 0;
        continue;
      }
      if (kind >= ODD_GAP) {
        odd = 1;
        const behind = kind === MARKUP ? markupEnd(units, at, length) : at;
        if (behind > at) {
          at = behind;
          continue;
        }
      }
      visible++;
      marks = (marks * 31 + unit) & 0xffff;
      at++;
    }
  }

  /** Clears the cache when word numbers are reused. */
  private evictOld(): void {
    if (this.generation === wordNumbers.generation) return;
    this.facts.fill(0);
    this.generation = wordNumbers.generation;
  }

  /** Takes a plain word; returns its end. */
  private readWord(units: Uint16Array, from: number, to: number, number: number): number {
    const { facts } = this;
    const token = this.count;
    const fact = number * FACTS;
    const remembered = facts[fact + 1] as number;
    if (remembered === 0) {
      this.readToken(units, from, to);
      facts[fact] = this.shape[token] as number;
      facts[fact + 1] = REMEMBERED | ((this.known[token] as number) << KNOWN_SHIFT) | (this.entry[token] as number);
      return to;
    }
    const entry = remembered & 0xffff;
    const known = (remembered >> KNOWN_SHIFT) & 0xff;
    this.count += 1;
    this.start[token] = from;
    this.end[token] = to;
    this.kind[token] = WORD;
    this.shape[token] = facts[fact] as number;
    this.entry[token] = entry;
    this.known[token] = known;
    if (known === UNKNOWN && entry !== 0) this.disguised++;
    return to;
  }

  /** Takes the token that starts here; returns its end. */
  private readToken(units: Uint16Array, from: number, length: number): number {
    const token = this.count++;
    const first = units[from] as number;
    let at = from;
    let shape = 0;
    let kind = CLASSES[first] as number;
    if (kind === LETTER) {
      let previous = first;
      for (at++; at < length; at++) {
        const unit = units[at] as number;
        kind = CLASSES[unit] as number;
        if (kind !== LETTER) break;
        shape = extendShape(shape, previous, unit);
        previous = unit;
      }
    }
    this.start[token] = from;
    this.shape[token] = shape;
    if (at < length && (kind === STAND_IN || kind === INNER)) {
      const word = at;
      at = this.readMixed(units, from, at, length);
      if (at > word) return at;
    }
    const entry = this.words.find(shape, at - from, first);
    this.end[token] = at;
    this.kind[token] = WORD;
    this.entry[token] = entry;
    const known = isPlain(entry, first) ? (isOrder(entry) ? ORDER : isCue(entry) ? CUE : KNOWN) : UNKNOWN;
    if (known === UNKNOWN && entry !== 0) this.disguised++;
    this.known[token] = known;
    return at;
  }

  /** Continues with a token that is no longer a plain word; returns its end. */
  private readMixed(units: Uint16Array, from: number, word: number, length: number): number {
    const token = this.count - 1;
    let letters = word - from;
    let at = word;
    for (; at < length; at++) {
      let kind = CLASSES[units[at] as number] as number;
      if (kind === INNER) kind = innerClass(units, at, length);
      if (kind === LETTER) letters++;
      else if (kind !== STAND_IN) break;
    }
    this.end[token] = at;
    this.kind[token] = letters === 0 ? NUMBER : MIXED;
    if (letters > 0) this.mixed++;
    this.entry[token] = 0;
    this.known[token] = UNKNOWN;
    return at;
  }
}

function innerClass(units: Uint16Array, at: number, length: number): number {
  const next = at + 1 < length ? CLASSES[units[at + 1] as number] : GAP;
  return next === LETTER || next === STAND_IN ? STAND_IN : ODD_GAP;
}

/** The end of a tag, a comment or the address of a link that starts here; `at` if there is none. */
function markupEnd(units: Uint16Array, at: number, length: number): number {
  const isLink = units[at] === BRACKET_CLOSED;
  const next = units[at + 1] as number;
  if (isLink ? next !== PARENTHESIS : !(CLASSES[next] === LETTER || next === 0x2f || next === 0x21)) return at;
  const [open, close] = isLink ? [PARENTHESIS, PARENTHESIS_CLOSED] : [units[at], GREATER];
  const stop = Math.min(length, at + MAX_MARKUP);
  for (let to = at + 2; to < stop; to++) {
    const unit = units[to];
    if (unit === close) return to + 1;
    if (unit === open) return at;
  }
  return at;
}

function classes(): Uint8Array {
  const table = new Uint8Array(0x10000).fill(ODD_GAP);
  const set = (characters: string, kind: number) => {
    for (let at = 0; at < characters.length; at++) table[characters.charCodeAt(at)] = kind;
  };
  set(' \t\n\r.,;:?!"\'', GAP);
  set('abcdefghijklmnopqrstuvwxyz', LETTER);
  set('0123456789@$€£', STAND_IN);
  set('!|+¡', INNER);
  set('<]', MARKUP);
  return table;
}
