import type { CharSet } from './char-set.ts';
import type { CharSetPool } from './char-set-pool.ts';
import { commonStates } from './common-states.ts';
import type { Contexts } from './context.ts';
import { digitsOf, type PatternCode, STEP } from './pattern-code.ts';
import { NO_SET, type StateTable } from './state-table.ts';

/** The code of the one pattern that the table holds. */
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

/** Numbers that increase, each by its distance from the one before. */
function distancesCode(numbers: readonly number[]): string {
  return numbers.map((number, at) => digitsOf(number - (numbers[at - 1] ?? 0))).join('');
}

/** The different pairs of set and contexts that the steps of a pattern have, numbered in order of appearance. */
class RowList {
  readonly #pool: CharSetPool;
  readonly #codes: string[] = [];
  /** By set, then by contexts. */
  readonly #numbers = new Map<number, Map<Contexts, number>>();

  constructor(pool: CharSetPool) {
    this.#pool = pool;
  }

  numberOf(set: number, contexts: Contexts): number {
    let ofSet = this.#numbers.get(set);
    if (ofSet === undefined) {
      ofSet = new Map();
      this.#numbers.set(set, ofSet);
    }
    let number = ofSet.get(contexts);
    if (number === undefined) {
      number = this.#codes.push(digitsOf(contexts) + setCode(this.#pool.sets[set] as CharSet)) - 1;
      ofSet.set(contexts, number);
    }
    return number;
  }

  toString(): string {
    return digitsOf(this.#codes.length) + this.#codes.map((code) => digitsOf(code.length) + code).join('');
  }
}

function setCode(set: CharSet): string {
  return distancesCode(set);
}
