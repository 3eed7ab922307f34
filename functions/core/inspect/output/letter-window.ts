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

  /** Where its oldest letter stands; undefined where it is empty. */
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
