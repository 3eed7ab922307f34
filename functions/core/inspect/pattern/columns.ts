import type { Automaton } from './automaton.ts';
import type { DfaPart } from './lazy-dfa.ts';

/** Bits that are compared at once. */
const WORD_BITS = 30;
/** What text mostly consists of stands side by side in a row, so that a few of the processor's cache lines hold it. */
const FREQUENT = ' etaonisrhldcumfpgwybvkxjqz.,\n0123456789-TASICMEPRBDNOLFHWGUVKJYXQZ';

/** The classes of an automaton that no step of a part of it tells apart, as columns of a DFA's table. */
export interface Columns {
  /** Column of each class. */
  readonly columnOf: Uint16Array;
  /** One class of each column. */
  readonly classIn: readonly number[];
}

/** The fewest columns for a part: tables of few columns stay in the processor's cache. */
export function columnsOf(automaton: Automaton, part: DfaPart): Columns {
  const { alphabet, allowed } = automaton;
  const { classCount, sideOf } = alphabet;
  let columns = numbered(Array.from(sideOf.subarray(0, classCount)));
  const words = new Int32Array(classCount);
  let bits = 0;
  const split = (): void => {
    columns = numbered(columns.map((column, at) => `${column} ${words[at]}`));
    words.fill(0);
    bits = 0;
  };
  for (const row of rowsOf(automaton, part)) {
    for (let before = 0; before < 3; before++) {
      const from = row + before * classCount;
      for (let at = 0; at < classCount; at++) words[at] = ((words[at] as number) << 1) | (allowed[from + at] as number);
      if (++bits === WORD_BITS) split();
    }
  }
  if (bits > 0) split();
  for (let before = 0; before < 3; before++) {
    columns = numbered(columns.map((column, at) => `${column} ${part.fresh[before * classCount + at]?.join() ?? ''}`));
  }
  const frequent = Array.from(FREQUENT, (character) => alphabet.classOf[character.charCodeAt(0)] as number);
  const inOrder = new Map<number, number>();
  const classIn: number[] = [];
  for (const at of [...frequent, ...columns.keys()]) {
    const column = columns[at] as number;
    if (inOrder.has(column)) continue;
    inOrder.set(column, classIn.length);
    classIn.push(at);
  }
  return { columnOf: Uint16Array.from(columns, (column) => inOrder.get(column) as number), classIn };
}

/** Where the rows begin of all steps that the part's followed states have. */
function rowsOf({ firstStep, stepRow }: Automaton, { first, end, rare }: DfaPart): Set<number> {
  const rows = new Set<number>();
  for (let state = first; state < end; state++) {
    if (rare?.[state] === 1) continue;
    const last = firstStep[state + 1] as number;
    for (let step = firstStep[state] as number; step < last; step++) rows.add(stepRow[step] as number);
  }
  return rows;
}

/** Equal values as equal numbers, from 0 without gaps. */
function numbered(values: readonly (string | number)[]): number[] {
  const numbers = new Map<string | number, number>();
  return values.map((value) => {
    const number = numbers.get(value) ?? numbers.size;
    numbers.set(value, number);
    return number;
  });
}
