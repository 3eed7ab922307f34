import { MAX_PASSAGE } from './passage.ts';
import { extendShape, isCue, isPlain, type WordShapes } from './word-shapes.ts';

const GAP = 0;
const LETTER = 1;
/** A digit, or a sign that stands for a letter in leetspeak wherever it is. */
const STAND_IN = 2;
/** A sign that does so only in front of a letter or digit; elsewhere it is punctuation. */
const INNER = 3;
/** A mark that prose does not put between two words of a phrase. */
const ODD_GAP = 4;
const CLASSES = classes();

const LESS = 0x3c;
const GREATER = 0x3e;
const BRACKET_CLOSED = 0x5d;
const PARENTHESIS = 0x28;
const PARENTHESIS_CLOSED = 0x29;
/** Tags and link addresses up to this length are gaps between what they stand between. */
const MAX_MARKUP = 240;

/** What a token is: letters only, digits only, or both. */
export const WORD = 0;
export const NUMBER = 1;
export const MIXED = 2;

/** Whether a word is of the vocabulary, as it stands. */
export const UNKNOWN = 0;
export const KNOWN = 1;
export const CUE = 2;

/** The tokens of the passage read last; arrays are longer than `count`. One such object serves all passages. */
export class TokenScan {
  count = 0;
  readonly start = new Int32Array(MAX_PASSAGE);
  readonly end = new Int32Array(MAX_PASSAGE);
  readonly kind = new Uint8Array(MAX_PASSAGE);
  readonly shape = new Int32Array(MAX_PASSAGE);
  /** Entry of the word in `WordShapes`, in whatever writing; 0 for none. */
  readonly entry = new Uint16Array(MAX_PASSAGE);
  readonly known = new Uint8Array(MAX_PASSAGE);
  /** Before the token: visible units, the first of them, and whether prose would have them there. */
  readonly gap = new Int32Array(MAX_PASSAGE);
  readonly gapUnit = new Uint16Array(MAX_PASSAGE);
  readonly isOdd = new Uint8Array(MAX_PASSAGE);

  private readonly words: WordShapes;

  constructor(words: WordShapes) {
    this.words = words;
  }

  read(units: Uint16Array, length: number): void {
    this.count = 0;
    let visible = 0;
    let firstUnit = 0;
    let odd = 0;
    for (let at = 0; at < length; ) {
      const unit = units[at] as number;
      const kind = classAt(units, at, length);
      if (kind === LETTER || kind === STAND_IN) {
        const token = this.count;
        this.gap[token] = visible;
        this.gapUnit[token] = firstUnit;
        this.isOdd[token] = odd;
        at = this.readToken(units, at, length);
        visible = 0;
        firstUnit = 0;
        odd = 0;
        continue;
      }
      const behind = unit === LESS || unit === BRACKET_CLOSED ? markupEnd(units, at, length) : at;
      if (behind > at) {
        odd = 1;
        at = behind;
        continue;
      }
      if (visible++ === 0) firstUnit = unit;
      if (kind === ODD_GAP) odd = 1;
      at++;
    }
  }

  /** Takes the token that starts here; returns where it ends. */
  private readToken(units: Uint16Array, from: number, length: number): number {
    const token = this.count++;
    let shape = 0;
    let letters = 0;
    let previous = 0;
    let at = from;
    for (; at < length; at++) {
      const unit = units[at] as number;
      const kind = classAt(units, at, length);
      if (kind === LETTER) {
        if (letters++ > 0) shape = extendShape(shape, previous, unit);
        previous = unit;
      } else if (kind !== STAND_IN) break;
    }
    this.start[token] = from;
    this.end[token] = at;
    this.shape[token] = shape;
    const kind = letters === at - from ? WORD : letters === 0 ? NUMBER : MIXED;
    const first = units[from] as number;
    const entry = kind === WORD ? this.words.find(shape, letters, first) : 0;
    this.kind[token] = kind;
    this.entry[token] = entry;
    this.known[token] = isPlain(entry, first) ? (isCue(entry) ? CUE : KNOWN) : UNKNOWN;
    return at;
  }
}

function classAt(units: Uint16Array, at: number, length: number): number {
  const kind = CLASSES[units[at] as number] as number;
  if (kind !== INNER) return kind;
  const next = at + 1 < length ? CLASSES[units[at + 1] as number] : GAP;
  return next === LETTER || next === STAND_IN ? STAND_IN : ODD_GAP;
}

/** Behind a tag, a comment or the address of a link that starts here; `at` where none does. */
function markupEnd(units: Uint16Array, at: number, length: number): number {
  const isLink = units[at] === BRACKET_CLOSED;
  const next = units[at + 1] as number;
  if (isLink ? next !== PARENTHESIS : !(CLASSES[next] === LETTER || next === 0x2f || next === 0x21)) return at;
  const [open, close] = isLink ? [PARENTHESIS, PARENTHESIS_CLOSED] : [LESS, GREATER];
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
  return table;
}
