/**
 * A compiled pattern as text: states that know nothing of those of other patterns, so that they can be kept, and linked with
 * any others. A row of numbers (`digitsOf`):
 *
 * - how many states there are, and how many steps;
 * - how many rows; of each its length in characters, then the contexts and the set of the steps that refer to it, the ends
 *   of whose ranges are told as distances from the one before;
 * - how many states accept; of each its distance from the one before, and the contexts;
 * - how many states are common (`commonStates`); of each its distance from the one before;
 * - of each state its steps: row and flags (`STEP`) and, unless it is new, the target. New is the state behind all that were
 *   targets before.
 */
export type PatternCode = string;

/** A step is `(row << STEP.rowShift) + flags + 1`; a state without any has `none` in their place. */
export const STEP = { none: 0, isLast: 1, isNew: 2, rowShift: 2 } as const;

const BITS_A_DIGIT = 5;
const MORE = 1 << BITS_A_DIGIT;
const ZERO = 0x30;

/** A whole number from 0 on in digits of five bits, lowest first: ASCII from `0` on, 32 higher where another follows. */
export function digitsOf(number: number): string {
  let digits = '';
  let rest = number;
  for (; rest >= MORE; rest >>>= BITS_A_DIGIT) digits += String.fromCharCode(ZERO + MORE + (rest & (MORE - 1)));
  return digits + String.fromCharCode(ZERO + rest);
}

/** Reads the numbers of a code one by one. */
export class CodeReader {
  at = 0;
  readonly #code: PatternCode;

  constructor(code: PatternCode) {
    this.#code = code;
  }

  get isAtEnd(): boolean {
    return this.at >= this.#code.length;
  }

  next(): number {
    let digit = this.#code.charCodeAt(this.at++) - ZERO;
    let number = digit & (MORE - 1);
    for (let shift = BITS_A_DIGIT; digit >= MORE; shift += BITS_A_DIGIT) {
      digit = this.#code.charCodeAt(this.at++) - ZERO;
      number += (digit & (MORE - 1)) << shift;
    }
    return number;
  }

  /** The next so many characters. */
  take(length: number): string {
    this.at += length;
    return this.#code.slice(this.at - length, this.at);
  }
}
