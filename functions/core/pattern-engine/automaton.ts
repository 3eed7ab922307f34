import type { Alphabet } from './alphabet.ts';

/** What a thread is that entered a state over a character on side OTHER; shift left by `side - OTHER` for WORD. */
export const MATCHED = 1;
/** The match can still grow by a character. */
export const EXTENDS = 4;
/** Whether it has matched here depends on the next character. */
export const WAITS = 16;
export const LIVE = EXTENDS | WAITS;

/** Some classes of an alphabet, each once. */
export type Classes = readonly number[] | Int32Array;

/** The states of all patterns side by side, laid out for the loops that run over text. */
export interface LinkedPatterns {
  readonly alphabet: Omit<Alphabet, 'classesOf'>;
  readonly patternCount: number;
  readonly stateCount: number;
  /** Steps of state `s`: indexes `firstStep[s]` up to `firstStep[s + 1]`. */
  readonly firstStep: Int32Array;
  readonly stepTarget: Int32Array;
  /** Per step, where its part of `allowed` begins. */
  readonly stepRow: Int32Array;
  /** 1 where a step may be taken: at `stepRow[step] + before * classCount + class`. */
  readonly allowed: Uint8Array;
  /** Entries of `allowed` for a step: `3 * classCount`. */
  readonly rowLength: number;
  /** The same as lists: at `stepRow[step] / rowLength`, for each side before, the classes. */
  readonly classesOfRow: readonly (readonly Classes[])[];
  readonly patternOf: Int32Array;
  /** Where the states of each pattern begin, the first of which is its start; behind them, where all end. */
  readonly firstState: Int32Array;
  readonly accepts: Uint16Array;
  readonly flags: Uint8Array;
  /** 1 for each state that `commonStates` leaves out; and the others, in order. */
  readonly isRare: Uint8Array;
  readonly common: readonly number[] | Int32Array;
}

/** Linked patterns with a choice of those that are looked for; all tables but the one that this decides are shared. */
export interface Automaton extends LinkedPatterns {
  /** States that a match enters over its first character: at `before * classCount + class`. */
  readonly fresh: readonly Int32Array[];
}

/** The classes of an automaton that no step of a part of it distinguishes, as columns of a DFA's table. */
export interface Columns {
  /** Column of each class. */
  readonly columnOf: Uint16Array;
  /** One class of each column. */
  readonly classIn: Classes;
}
