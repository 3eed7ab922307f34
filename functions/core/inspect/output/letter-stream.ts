import { IDEOGRAPH, KINDS, LETTER } from '../classifiers/tokens.ts';
import { TextView } from '../views/text-view.ts';

/** Among letters: what follows does not belong to what came before. */
export const GAP = 0;
/**
 * So many other characters between two letters make a gap. Enough for a letter a line behind a list marker; and it bounds
 * how far back a match of so many letters can begin.
 */
const GAP_UNITS = 17;

const SMALL_A = 0x61;
const SMALL_Z = 0x7a;
/** From here on, a character of the script carries as much as several letters and counts as DENSE_WEIGHT. */
const FIRST_DENSE = 0x2e80;
const DENSE_WEIGHT = 3;
/** So much of the view is read at a time. */
const BLOCK_UNITS = 1024;

/**
 * The letters of a text that arrives in pieces, read from its folded view: what is left when spaces, marks, digits, case,
 * accents and line breaks are taken out, so that a text is known again however it was laid out or spelled apart.
 */
export class LetterStream {
  /** The letters of a block, GAP where they part, and the offset of each in the folded view. */
  readonly letters = new Uint16Array(BLOCK_UNITS * DENSE_WEIGHT);
  readonly places = new Int32Array(BLOCK_UNITS * DENSE_WEIGHT);
  private readonly view = new TextView('folded');
  private between = 0;
  private length = 0;

  /** Reads a piece, block by block; calls `take` with the number of letters in each. */
  read(piece: string, last: boolean, take: (count: number) => void): void {
    const text = last ? this.view.push(piece) + this.view.end() : this.view.push(piece);
    for (let from = 0; from < text.length; from += BLOCK_UNITS) {
      take(this.readBlock(text, from, Math.min(text.length, from + BLOCK_UNITS)));
    }
    this.length += text.length;
  }

  /** Where in the raw text the view's character at this offset starts. */
  rawStart(viewOffset: number): number {
    return this.view.positions.rawStart(viewOffset);
  }

  /** Where in the raw text the character before this view offset ends. */
  rawEnd(viewOffset: number): number {
    return this.view.positions.rawEnd(viewOffset);
  }

  /** Length of the view's text so far. */
  get end(): number {
    return this.length;
  }

  /** Lets go of positions before this view offset. */
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

/** The letter that ROT13 makes of it. */
export function rot13(letter: number): number {
  return letter >= SMALL_A && letter <= SMALL_Z ? SMALL_A + ((letter - SMALL_A + 13) % 26) : letter;
}

/** For how many letters a unit that is no small Latin one counts. */
function weightOf(unit: number): number {
  if (unit < 0x80) return 0;
  const kind = KINDS[unit];
  if (kind !== LETTER && kind !== IDEOGRAPH) return 0;
  return unit < FIRST_DENSE ? 1 : DENSE_WEIGHT;
}

/** Letters that are compared at once: some three words, few enough for a short sentence. */
export const GRAM_LETTERS = 16;

const BASE = 0x01000193;
/** What a letter weighs that has just left the window, and one that is the first of it. */
const LEAVING = power(BASE, GRAM_LETTERS);
const FIRST = power(BASE, GRAM_LETTERS - 1);
/** BASE times this is 1 in 32 bits. */
const INVERSE = 0x359c449b;
/** A power of two, at least GRAM_LETTERS. */
const RING = 16;

/** The last GRAM_LETTERS letters of a growing text, and one number for all of them. */
export class LetterWindow {
  /** Equal letters, equal number. */
  hash = 0;
  /** The number that the same letters have in a text that is written backwards. */
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

  /** The place of its oldest letter; undefined where it is empty. */
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
