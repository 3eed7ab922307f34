import type { CharSet, CharSetPool } from './char-set.ts';
import { commonStates } from './common-states.ts';
import type { Contexts } from './context.ts';
import { NO_SET, type StateTable } from './thompson-program.ts';

/** The code of the table's one pattern. */
export function encodePattern(table: StateTable, pool: CharSetPool): PatternCode {
  const rows = new RowList(pool);
  const states: string[] = [];
  let steps = 0;
  let newest = 0;
  for (let state = 0; state < table.stateCount; state++) {
    const taken = stepsOf(table, state);
    if (taken.length === 0) states.push(digitsOf(STEP.none));
    for (const [at, step] of taken.entries()) {
      const row = rows.numberOf(table.stepSet[step] as number, table.stepContexts[step] as Contexts);
      const target = table.stepTarget[step] as number;
      const isNew = target === newest + 1;
      const flags = (isNew ? STEP.isNew : 0) + (at === taken.length - 1 ? STEP.isLast : 0);
      states.push(digitsOf((row << STEP.rowShift) + flags + 1), isNew ? '' : digitsOf(target));
      newest = Math.max(newest, target);
    }
    steps += taken.length;
  }
  const counts = digitsOf(table.stateCount) + digitsOf(steps);
  const common = commonStates(table, pool);
  return counts + rows.toString() + acceptsCode(table.accepts) + increasingCode(common) + states.join('');
}

/** The steps of a state that a thread can take. */
function stepsOf({ firstStep, stepSet }: StateTable, state: number): number[] {
  const steps: number[] = [];
  for (let step = firstStep[state] as number; step < (firstStep[state + 1] as number); step++) {
    if (stepSet[step] !== NO_SET) steps.push(step);
  }
  return steps;
}

function acceptsCode(accepts: readonly Contexts[]): string {
  const accepting = accepts.flatMap((contexts, state) => (contexts === 0 ? [] : [{ state, contexts }]));
  const distances = accepting.map(({ state, contexts }, at) => {
    return digitsOf(state - (accepting[at - 1]?.state ?? 0)) + digitsOf(contexts);
  });
  return digitsOf(accepting.length) + distances.join('');
}

function increasingCode(numbers: readonly number[]): string {
  return digitsOf(numbers.length) + distancesCode(numbers);
}

/** Increasing numbers, each as its distance from the previous one. */
function distancesCode(numbers: readonly number[]): string {
  return numbers.map((number, at) => digitsOf(number - (numbers[at - 1] ?? 0))).join('');
}

/** The distinct pairs of set and contexts of a pattern's steps, numbered in order of appearance. */
class RowList {
  private readonly pool: CharSetPool;
  private readonly codes: string[] = [];
  /** By set, then by contexts. */
  private readonly numbers = new Map<number, Map<Contexts, number>>();

  constructor(pool: CharSetPool) {
    this.pool = pool;
  }

  numberOf(set: number, contexts: Contexts): number {
    let ofSet = this.numbers.get(set);
    if (ofSet === undefined) {
      ofSet = new Map();
      this.numbers.set(set, ofSet);
    }
    let number = ofSet.get(contexts);
    if (number === undefined) {
      number = this.codes.push(digitsOf(contexts) + setCode(this.pool.sets[set] as CharSet)) - 1;
      ofSet.set(contexts, number);
    }
    return number;
  }

  toString(): string {
    return digitsOf(this.codes.length) + this.codes.map((code) => digitsOf(code.length) + code).join('');
  }
}

function setCode(set: CharSet): string {
  return distancesCode(set);
}

/**
 * A compiled pattern as text. Its states do not depend on other patterns, so that codes can be stored and linked in any combination. A
 * sequence of numbers (`digitsOf`):
 *
 * - number of states, number of steps;
 * - number of rows; for each its length in characters, the contexts, and the set of its steps, whose range ends are written as distances
 *   from the previous one;
 * - number of accepting states; for each its distance from the previous one, and the contexts;
 * - number of common states (`commonStates`); for each its distance from the previous one;
 * - for each state its steps: row and flags (`STEP`) and the target, unless it is new. A new target is the state after all earlier targets.
 */
export type PatternCode = string;

/** A step is `(row << STEP.rowShift) + flags + 1`; a state without steps has `none` instead. */
export const STEP = { none: 0, isLast: 1, isNew: 2, rowShift: 2 } as const;

const BITS_A_DIGIT = 5;
const MORE = 1 << BITS_A_DIGIT;
const ZERO = 0x30;

/** A non-negative integer in digits of five bits, lowest first: ASCII from `0` on, 32 higher if another digit follows. */
export function digitsOf(number: number): string {
  let digits = '';
  let rest = number;
  for (; rest >= MORE; rest >>>= BITS_A_DIGIT) digits += String.fromCharCode(ZERO + MORE + (rest & (MORE - 1)));
  return digits + String.fromCharCode(ZERO + rest);
}

export class CodeReader {
  at = 0;
  private readonly code: PatternCode;

  constructor(code: PatternCode) {
    this.code = code;
  }

  get isAtEnd(): boolean {
    return this.at >= this.code.length;
  }

  next(): number {
    let digit = this.code.charCodeAt(this.at++) - ZERO;
    let number = digit & (MORE - 1);
    for (let shift = BITS_A_DIGIT; digit >= MORE; shift += BITS_A_DIGIT) {
      digit = this.code.charCodeAt(this.at++) - ZERO;
      number += (digit & (MORE - 1)) << shift;
    }
    return number;
  }

  /** The next `length` characters. */
  take(length: number): string {
    this.at += length;
    return this.code.slice(this.at - length, this.at);
  }
}
