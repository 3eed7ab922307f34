import { fillRuns } from './alphabet.ts';
import type { Classes, LinkedPatterns } from './automaton.ts';
import type { DfaPart } from './lazy-dfa.ts';
import { Partition } from './partition.ts';

/** The classes of an automaton that no step of a part of it tells apart, as columns of a DFA's table. */
export interface Columns {
  /** Column of each class. */
  readonly columnOf: Uint16Array;
  /** One class of each column. */
  readonly classIn: Classes;
}

/** The fewest columns for a part: tables with few columns stay in the processor's cache. */
export function columnsOf(linked: LinkedPatterns, part: DfaPart): Columns {
  const { classCount, wordClasses } = linked.alphabet;
  const columns = new Partition(classCount);
  columns.split(wordClasses);
  for (const members of classListsOf(linked, part)) columns.split(members);
  columns.renumber([]);
  const classIn: number[] = [];
  columns.of.forEach((column, at) => {
    classIn[column] ??= at;
  });
  return { columnOf: Uint16Array.from(columns.of), classIn };
}

/** The column of each code unit: one look-up in the place of two, for the loop that sees every character. */
export function columnsByUnit({ alphabet }: LinkedPatterns, { columnOf, classIn }: Columns): Uint8Array | Uint16Array {
  const { classOf, starts } = alphabet;
  const columns = classIn.length <= 0x100 ? new Uint8Array(classOf.length) : new Uint16Array(classOf.length);
  fillRuns(columns, starts, (run) => columnOf[classOf[starts[run] as number] as number] as number);
  return columns;
}

/** The classes over which steps of the part's followed states, and of the starts of its patterns, may be taken. */
function classListsOf(linked: LinkedPatterns, part: DfaPart): Set<Classes> {
  const lists = new Set<Classes>();
  // Steps over the same set share their list, unless what is before them decides.
  for (const row of rowsOf(linked, part)) for (const list of linked.classesOfRow[row] ?? []) lists.add(list);
  return lists;
}

function rowsOf({ common, firstState, firstStep, rowLength, stepRow }: LinkedPatterns, part: DfaPart): number[] {
  const { first, end, isCommon = false } = part;
  const places = new Set<number>();
  const add = (from: number, to: number): void => {
    const last = firstStep[to] as number;
    for (let step = firstStep[from] as number; step < last; step++) places.add(stepRow[step] as number);
  };
  if (!isCommon) add(first, end);
  else {
    for (const state of common) add(state, state + 1);
    for (const start of firstState.subarray(0, -1)) add(start, start + 1);
  }
  return Array.from(places, (place) => place / rowLength);
}
