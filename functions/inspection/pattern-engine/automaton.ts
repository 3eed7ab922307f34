import type { Alphabet } from './alphabet.ts';

/** Flags of a thread that entered a state over a character on side OTHER; shift left by `side - OTHER` for WORD. */
export const MATCHED = 1;
/** The match can still grow by a character. */
export const EXTENDS = 4;
/** The next character decides whether it has matched here. */
export const WAITS = 16;
export const LIVE = EXTENDS | WAITS;
/** The state is not in `commonStates`. */
export const RARE = 64;

/** Distinct classes of an alphabet. */
export type Classes = readonly number[] | Int32Array;

/** The states of all patterns, laid out for the loops that run over text. */
export interface LinkedPatterns {
  readonly alphabet: Omit<Alphabet, 'classesOf'>;
  readonly patternCount: number;
  readonly stateCount: number;
  /** Steps of state `s`: indexes `firstStep[s]` up to `firstStep[s + 1]`. */
  readonly firstStep: Int32Array;
  readonly stepTarget: Int32Array;
  /** For each step, its row. */
  readonly stepRow: Int32Array;
  /**
   * 1 if a step may be taken: at `(before * classCount + class) * rowCount + stepRow[step]`. What one character asks is in few cache lines.
   */
  readonly allowed: Uint8Array;
  readonly rowCount: number;
  /** The same as lists: at `stepRow[step]`, for each side before, the classes. */
  readonly classesOfRow: readonly (readonly Classes[])[];
  readonly patternOf: Int32Array;
  /** First state of each pattern, which is its start; followed by the number of all states. */
  readonly firstState: Int32Array;
  readonly accepts: Uint16Array;
  readonly flags: Uint8Array;
  /** The states of `commonStates`, in order. */
  readonly common: readonly number[] | Int32Array;
}

/** Linked patterns with a selection of patterns to find; all tables except `fresh` are shared. */
export interface Automaton extends LinkedPatterns {
  /** States that a match enters over its first character: at `before * classCount + class`. */
  readonly fresh: readonly Int32Array[];
}

/** Columns of a DFA's table: groups of classes that no step of a part of the automaton distinguishes. */
export interface Columns {
  /** Column of each class. */
  readonly columnOf: Uint16Array;
  /** One class of each column. */
  readonly classIn: Classes;
}
