import type { Alphabet } from './alphabet.ts';
import type { Contexts } from './context.ts';
import { NO_SET, type StateTable } from './state-table.ts';

/** Where steps may be taken, tabled once for all steps that agree in set and contexts. */
export interface StepRows {
  /** A row has a byte for each side before and class, 1 where the step may be taken. */
  readonly allowed: Uint8Array;
  readonly rowLength: number;
  /** Per step, the number of its row. */
  readonly rowNumber: Int32Array;
}

interface RowKind {
  readonly set: number;
  readonly contexts: Contexts;
}

export function stepRows(table: StateTable, alphabet: Alphabet): StepRows {
  const { kinds, rowNumber } = rowKinds(table);
  const rowLength = 3 * alphabet.classCount;
  const allowed = new Uint8Array(kinds.length * rowLength);
  for (const [number, { set, contexts }] of kinds.entries()) {
    if (set === NO_SET) continue;
    allow(allowed.subarray(number * rowLength), alphabet.classesOf[set] as readonly number[], contexts, alphabet);
  }
  return { allowed, rowLength, rowNumber };
}

function rowKinds({ stepSet, stepContexts }: StateTable): { kinds: RowKind[]; rowNumber: Int32Array } {
  const kinds: RowKind[] = [];
  // By set, then contexts; a sparse array, since this runs once for each of tens of thousands of steps.
  const numbers: number[][] = [];
  const rowNumber = new Int32Array(stepSet.length);
  for (let step = 0; step < rowNumber.length; step++) {
    const set = stepSet[step] as number;
    const contexts = stepContexts[step] as Contexts;
    let ofSet = numbers[set + 1];
    if (ofSet === undefined) {
      ofSet = [];
      numbers[set + 1] = ofSet;
    }
    ofSet[contexts] ??= kinds.push({ set, contexts }) - 1;
    rowNumber[step] = ofSet[contexts] as number;
  }
  return { kinds, rowNumber };
}

function allow(row: Uint8Array, classes: readonly number[], contexts: Contexts, alphabet: Alphabet): void {
  const { classCount, sideOf } = alphabet;
  for (const unitClass of classes) {
    for (let before = 0; before < 3; before++) {
      row[before * classCount + unitClass] = (contexts >> (before * 3 + (sideOf[unitClass] as number))) & 1;
    }
  }
}
