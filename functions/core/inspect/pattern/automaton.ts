import { type Alphabet, alphabetFor } from './alphabet.ts';
import type { CharSetPool } from './char-set-pool.ts';
import { type Contexts, contextsBehind, OTHER, type Side, WORD } from './context.ts';
import { NO_SET, type StateTable } from './state-table.ts';
import { type StepRows, stepRows } from './step-rows.ts';

/** What a thread is that entered a state over a character on side OTHER; shift left by `side - OTHER` for WORD. */
export const MATCHED = 1;
/** The match can still grow by a character. */
export const EXTENDS = 4;
/** Whether it has matched here depends on the next character. */
export const WAITS = 16;
export const LIVE = EXTENDS | WAITS;

/** The states of all patterns side by side, laid out for the loops that run over text. */
export interface Automaton {
  readonly alphabet: Alphabet;
  readonly patternCount: number;
  readonly stateCount: number;
  /** Steps of state `s`: indexes `firstStep[s]` up to `firstStep[s + 1]`. */
  readonly firstStep: Int32Array;
  readonly stepTarget: Int32Array;
  /** Per step, where its part of `allowed` begins. */
  readonly stepRow: Int32Array;
  /** 1 where a step may be taken: at `stepRow[step] + before * classCount + class`. */
  readonly allowed: Uint8Array;
  readonly patternOf: Int32Array;
  readonly accepts: Uint16Array;
  readonly flags: Uint8Array;
  /** States that a match enters over its first character: at `before * classCount + class`. */
  readonly fresh: readonly Int32Array[];
}

export function automatonOf(table: StateTable, pool: CharSetPool): Automaton {
  const alphabet = alphabetFor(pool.sets);
  const rows = stepRows(table, alphabet);
  const steps = {
    firstStep: new Int32Array(table.firstStep),
    stepTarget: new Int32Array(table.stepTarget),
    stepRow: rows.rowNumber.map((number) => number * rows.rowLength),
    allowed: rows.allowed,
  };
  return {
    ...steps,
    alphabet,
    patternCount: table.starts.length,
    stateCount: table.stateCount,
    patternOf: new Int32Array(table.patternOf),
    accepts: new Uint16Array(table.accepts),
    flags: stateFlags(table, rows, alphabet),
    fresh: freshStates(table, rows, alphabet),
  };
}

function stateFlags(table: StateTable, rows: StepRows, alphabet: Alphabet): Uint8Array {
  const { accepts, firstStep, stateCount } = table;
  const growth = extendsFlags(rows, alphabet);
  const flags = new Uint8Array(stateCount);
  for (let state = 0; state < stateCount; state++) {
    let flag = acceptFlags(accepts[state] as Contexts);
    const end = firstStep[state + 1] as number;
    for (let step = firstStep[state] as number; step < end; step++) {
      flag |= growth[rows.rowNumber[step] as number] as number;
    }
    flags[state] = flag;
  }
  return flags;
}

function acceptFlags(accepts: Contexts): number {
  if (accepts === 0) return 0;
  let flags = 0;
  for (const side of [OTHER, WORD] as const) {
    const behind = contextsBehind(side);
    if ((accepts & behind) === behind) flags |= MATCHED << (side - OTHER);
    else if ((accepts & behind) !== 0) flags |= WAITS << (side - OTHER);
  }
  return flags;
}

/** Per row, EXTENDS for each side behind which some character can take its steps. */
function extendsFlags({ allowed, rowLength }: StepRows, { classCount }: Alphabet): Uint8Array {
  const flags = new Uint8Array(allowed.length / rowLength);
  return flags.map((_, number) => {
    const canFollow = (side: Side): boolean => {
      const from = number * rowLength + side * classCount;
      return allowed.subarray(from, from + classCount).includes(1);
    };
    return (canFollow(OTHER) ? EXTENDS : 0) | (canFollow(WORD) ? EXTENDS << (WORD - OTHER) : 0);
  });
}

function freshStates(
  table: StateTable,
  { rowNumber, rowLength, allowed }: StepRows,
  { classCount }: Alphabet,
): Int32Array[] {
  const fresh: number[][] = Array.from({ length: 3 * classCount }, () => []);
  for (const start of table.starts) {
    const end = table.firstStep[start + 1] as number;
    for (let step = table.firstStep[start] as number; step < end; step++) {
      if (table.stepSet[step] === NO_SET) continue;
      const row = (rowNumber[step] as number) * rowLength;
      for (let column = 0; column < fresh.length; column++) {
        if (allowed[row + column] === 1) fresh[column]?.push(table.stepTarget[step] as number);
      }
    }
  }
  return fresh.map((states) => new Int32Array(new Set(states)));
}
