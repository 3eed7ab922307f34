import type { Automaton } from './automaton.ts';
import { WORD } from './context.ts';
import type { DfaPart } from './lazy-dfa.ts';
import { Partition } from './partition.ts';

/** What text mostly consists of stands side by side in a row, so that a few of the processor's cache lines hold it. */
const FREQUENT = ' etaonisrhldcumfpgwybvkxjqz.,\n0123456789-TASICMEPRBDNOLFHWGUVKJYXQZ';

/** The classes of an automaton that no step of a part of it tells apart, as columns of a DFA's table. */
export interface Columns {
  /** Column of each class. */
  readonly columnOf: Uint16Array;
  /** One class of each column. */
  readonly classIn: readonly number[];
}

/** The fewest columns for a part: tables with few columns stay in the processor's cache. */
export function columnsOf(automaton: Automaton, part: DfaPart): Columns {
  const { classCount, classOf, sideOf } = automaton.alphabet;
  const classes = [...sideOf.keys()].slice(0, classCount);
  const columns = new Partition(classCount);
  columns.split(classes.filter((at) => sideOf[at] === WORD));
  for (const row of rowsOf(automaton, part)) {
    // Most steps may be taken whatever is before them: then the lists are one.
    for (const members of new Set(automaton.classesOfRow[row])) columns.split(members);
  }
  for (const members of freshMembers(part, classCount)) columns.split(members);
  const frequent = Array.from(FREQUENT, (character) => classOf[character.charCodeAt(0)] as number);
  const numbers = new Map<number, number>();
  const classIn: number[] = [];
  for (const at of [...frequent, ...classes]) {
    const column = columns.of[at] as number;
    if (numbers.has(column)) continue;
    numbers.set(column, classIn.length);
    classIn.push(at);
  }
  return { columnOf: Uint16Array.from(columns.of, (column) => numbers.get(column) as number), classIn };
}

/** The numbers of the rows of all steps that the part's followed states have. */
function rowsOf({ alphabet, firstStep, stepRow }: Automaton, { first, end, rare }: DfaPart): Set<number> {
  const starts = new Set<number>();
  for (let state = first; state < end; state++) {
    if (rare?.[state] === 1) continue;
    const last = firstStep[state + 1] as number;
    for (let step = firstStep[state] as number; step < last; step++) starts.add(stepRow[step] as number);
  }
  return new Set(Array.from(starts, (start) => start / (3 * alphabet.classCount)));
}

/** For each side before and each state that matches enter over their first character, the classes that lead to it. */
function freshMembers({ fresh }: DfaPart, classCount: number): Iterable<readonly number[]> {
  const members = new Map<string, number[]>();
  for (const [column, states] of fresh.entries()) {
    const before = Math.floor(column / classCount);
    for (const state of states) {
      const key = `${before} ${state}`;
      const known = members.get(key);
      if (known === undefined) members.set(key, [column % classCount]);
      else known.push(column % classCount);
    }
  }
  return members.values();
}
