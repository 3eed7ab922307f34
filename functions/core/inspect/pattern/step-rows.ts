import type { Alphabet } from './alphabet.ts';
import type { CharSet } from './char-set.ts';
import { type Contexts, contextBit, OTHER, SIDES, type Side, WORD } from './context.ts';
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
  /** The same as lists: per row, for each side before, the classes. */
  readonly classes: readonly (readonly (readonly number[])[])[];
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
  table(alphabet: Alphabet): RowTable {
    const { classCount } = alphabet;
    const rowLength = SIDES.length * classCount;
    const allowed = new Uint8Array(this.#rows.length * rowLength);
    const classes = this.#rows.map((row) => SIDES.map((before) => classesBehind(before, row, alphabet)));
    let from = 0;
    for (const ofRow of classes) {
      for (const ofSide of ofRow) {
        for (const unitClass of ofSide) allowed[from + unitClass] = 1;
        from += classCount;
      }
    }
    return { allowed, rowLength, classes };
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

/** The classes over which a row's steps may be taken by a thread behind a character on this side. */
function classesBehind(before: Side, { set, contexts }: StepRow, { classesOf, sideOf }: Alphabet): readonly number[] {
  const allows = (after: Side) => (contexts & contextBit(before, after)) !== 0;
  const classes = classesOf[set] as readonly number[];
  if (allows(OTHER) && allows(WORD)) return classes;
  return classes.filter((unitClass) => allows(sideOf[unitClass] as Side));
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
