import { IDEOGRAPH, KINDS, LETTER } from '../classification/index.ts';
import { TextView } from '../views/index.ts';

/** A gap between letters: a match never spans it. */
export const GAP = 0;
/**
 * Number of other characters between two letters that makes a gap. It allows one letter a line after a list marker, and limits how far
 * back a match of a given number of letters can start.
 */
const GAP_UNITS = 17;

const SMALL_A = 0x61;
const SMALL_Z = 0x7a;
/** From this unit on, a character carries as much as several letters of the alphabet and counts as DENSE_WEIGHT. */
const FIRST_DENSE = 0x2e80;
const DENSE_WEIGHT = 3;
/** Units of the view read at a time. */
const BLOCK_UNITS = 1024;

/**
 * The letters of a text that arrives in pieces, from its folded view: without spaces, marks, digits, case, accents and line breaks. A text
 * is recognised in any layout, even letter by letter.
 */
export class LetterStream {
  /** The letters of a block, with GAP where they are separated, and the offset of each in the folded view. */
  readonly letters = new Uint16Array(BLOCK_UNITS * DENSE_WEIGHT);
  readonly places = new Int32Array(BLOCK_UNITS * DENSE_WEIGHT);
  private readonly view = new TextView('folded');
  private between = 0;
  private length = 0;

  /** Reads a piece block by block; calls `take` with the number of letters in each. */
  read(piece: string, last: boolean, take: (count: number) => void): void {
    const text = last ? this.view.push(piece) + this.view.end() : this.view.push(piece);
    for (let from = 0; from < text.length; from += BLOCK_UNITS) {
      take(this.readBlock(text, from, Math.min(text.length, from + BLOCK_UNITS)));
    }
    this.length += text.length;
  }

  /** Start in the raw text of the view's character at this offset. */
  rawStart(viewOffset: number): number {
    return this.view.positions.rawStart(viewOffset);
  }

  /** End in the raw text of the character before this view offset. */
  rawEnd(viewOffset: number): number {
    return this.view.positions.rawEnd(viewOffset);
  }

  /** Length of the view's text so far. */
  get end(): number {
    return this.length;
  }

  /** Discards positions before this view offset. */
  forget(viewOffset: number): void {
    this.view.positions.forget(viewOffset);
  }

  private readBlock(text: string, from: number, to: number): number {
    const { letters, places, length } = this;
    let { between } = this;
    let filled = 0;
    for (let at = from; at < to; at++) {
      const unit = text.charCodeAt(at);
      const weight = unit >= SMALL_A && unit <= SMALL_Z ? 1 : weightOf(unit);
      if (weight === 0) {
        between += 1;
        if (between !== GAP_UNITS) continue;
      } else between = 0;
      const copies = Math.max(1, weight);
      for (let copy = 0; copy < copies; copy++) {
        letters[filled] = weight === 0 ? GAP : unit;
        places[filled++] = length + at;
      }
    }
    this.between = between;
    return filled;
  }
}

export function rot13(letter: number): number {
  return letter >= SMALL_A && letter <= SMALL_Z ? SMALL_A + ((letter - SMALL_A + 13) % 26) : letter;
}

/** Number of letters that a unit counts as, if it is not a lower-case Latin one. */
function weightOf(unit: number): number {
  if (unit < 0x80) return 0;
  const kind = KINDS[unit];
  if (kind !== LETTER && kind !== IDEOGRAPH) return 0;
  return unit < FIRST_DENSE ? 1 : DENSE_WEIGHT;
}

/** Letters compared at once: about three words, few enough for a short sentence. */
export const GRAM_LETTERS = 16;

const BASE = 0x01000193;
/** Weights in the hash of the letter that has just left the window and of the window's first letter. */
const LEAVING = power(BASE, GRAM_LETTERS);
const FIRST = power(BASE, GRAM_LETTERS - 1);
/** BASE times this is 1 in 32 bits. */
const INVERSE = 0x359c449b;
/** A power of two, at least GRAM_LETTERS. */
const RING = 16;

/** The last GRAM_LETTERS letters of a growing text, with a hash. */
export class LetterWindow {
  /** Equal for equal letters. */
  hash = 0;
  /** The hash that the same letters have in reverse order. */
  backwards = 0;
  private readonly letters = new Uint16Array(RING);
  private readonly places = new Int32Array(RING);
  private count = 0;

  push(letter: number, place: number): void {
    const slot = this.count & (RING - 1);
    const oldest = this.count >= GRAM_LETTERS ? (this.letters[slot] as number) : 0;
    this.hash = (Math.imul(this.hash, BASE) + letter - Math.imul(oldest, LEAVING)) | 0;
    this.backwards = (Math.imul(this.backwards - oldest, INVERSE) + Math.imul(letter, FIRST)) | 0;
    this.letters[slot] = letter;
    this.places[slot] = place;
    this.count += 1;
  }

  get isFull(): boolean {
    return this.count >= GRAM_LETTERS;
  }

  /** The place of its oldest letter; undefined if it is empty. */
  get start(): number | undefined {
    return this.count === 0 ? undefined : this.places[Math.max(0, this.count - GRAM_LETTERS) & (RING - 1)];
  }

  clear(): void {
    this.hash = 0;
    this.backwards = 0;
    this.count = 0;
  }
}

function power(base: number, exponent: number): number {
  let result = 1;
  for (let count = 0; count < exponent; count++) result = Math.imul(result, base);
  return result;
}
