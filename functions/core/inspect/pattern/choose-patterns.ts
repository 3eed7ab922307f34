import type { Automaton, Classes, LinkedPatterns } from './automaton.ts';
import { SIDES } from './context.ts';

const NO_STATES = new Int32Array(0);

/** The automaton that finds these of the patterns, which keep their numbers. */
export function choosePatterns(linked: LinkedPatterns, patterns: readonly number[]): Automaton {
  return { ...linked, fresh: freshStates(linked, patterns) };
}

function freshStates(
  { alphabet, firstState, firstStep, classesOfRow, rowLength, stepRow, stepTarget }: LinkedPatterns,
  patterns: readonly number[],
): Int32Array[] {
  const fresh = new Array<number[] | undefined>(rowLength).fill(undefined);
  for (const pattern of patterns) {
    const start = firstState[pattern] as number;
    const end = firstStep[start + 1] as number;
    for (let step = firstStep[start] as number; step < end; step++) {
      const target = stepTarget[step] as number;
      const classes = classesOfRow[(stepRow[step] as number) / rowLength] as readonly Classes[];
      for (const before of SIDES) {
        const behind = classes[before] as Classes;
        // By index: a start is not long enough for an iterator to be made fast.
        for (let at = 0; at < behind.length; at++) {
          const column = before * alphabet.classCount + (behind[at] as number);
          const states = fresh[column];
          if (states === undefined) fresh[column] = [target];
          else if (!isAmongLast(states, target, start)) states.push(target);
        }
      }
    }
  }
  return fresh.map((states) => (states === undefined ? NO_STATES : new Int32Array(states)));
}

/** Whether a state is among those at the end of a list that belong to the pattern whose states begin at `from`. */
function isAmongLast(states: readonly number[], state: number, from: number): boolean {
  for (let at = states.length - 1; at >= 0 && (states[at] as number) >= from; at--)
    if (states[at] === state) return true;
  return false;
}
