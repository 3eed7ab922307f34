import type { Alphabet } from './alphabet.ts';
import { EXTENDS } from './automaton.ts';
import type { CharSet } from './char-set.ts';
import { type Contexts, OTHER } from './context.ts';
import { CodeReader } from './pattern-code.ts';

interface StepRow {
  /** Number of its set. */
  readonly set: number;
  readonly contexts: Contexts;
}

/** Where the steps of each row may be taken. */
export interface RowTable {
  /** A byte for each row, side before and class, 1 where the row's steps may be taken. */
  readonly allowed: Uint8Array;
  /** Bytes of a row. */
  readonly rowLength: number;
  /** Per row, its columns that hold 1. */
  readonly columns: readonly (readonly number[])[];
  /** Per row, EXTENDS for each side behind which some character can take its steps. */
  readonly growth: Uint8Array;
}

/** Steps that agree in set and contexts share a row, whichever pattern they are of. */
export class StepRows {
  /** The distinct ones. */
  readonly sets: CharSet[] = [];
  readonly #rows: StepRow[] = [];
  /** By their code, which a pattern gives. */
  readonly #rowNumbers = new Map<string, number>();
  readonly #setNumbers = new Map<string, number>();

  numberOf(code: string): number {
    let number = this.#rowNumbers.get(code);
    if (number === undefined) {
      const reader = new CodeReader(code);
      const contexts = reader.next();
      number = this.#rows.push({ contexts, set: this.#setNumber(code.slice(reader.at)) }) - 1;
      this.#rowNumbers.set(code, number);
    }
    return number;
  }

  /** `alphabet` is that of the sets. */
  table({ classCount, classesOf, sideOf }: Alphabet): RowTable {
    const rowLength = 3 * classCount;
    const allowed = new Uint8Array(this.#rows.length * rowLength);
    const growth = new Uint8Array(this.#rows.length);
    const columns = this.#rows.map(({ set, contexts }, number) => {
      const ofRow: number[] = [];
      for (const unitClass of classesOf[set] as readonly number[]) {
        for (let before = 0; before < 3; before++) {
          if (((contexts >> (before * 3 + (sideOf[unitClass] as number))) & 1) === 0) continue;
          const column = before * classCount + unitClass;
          allowed[number * rowLength + column] = 1;
          ofRow.push(column);
          if (before >= OTHER) growth[number] = (growth[number] as number) | (EXTENDS << (before - OTHER));
        }
      }
      return ofRow;
    });
    return { allowed, rowLength, columns, growth };
  }

  #setNumber(code: string): number {
    let number = this.#setNumbers.get(code);
    if (number === undefined) {
      number = this.sets.push(readSet(code)) - 1;
      this.#setNumbers.set(code, number);
    }
    return number;
  }
}

function readSet(code: string): CharSet {
  const reader = new CodeReader(code);
  const set: number[] = [];
  for (let end = 0; !reader.isAtEnd; ) {
    end += reader.next();
    set.push(end);
  }
  return set;
}
