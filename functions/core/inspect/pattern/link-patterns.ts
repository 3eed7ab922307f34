import { alphabetFor } from './alphabet.ts';
import { EXTENDS, type LinkedPatterns, MATCHED, WAITS } from './automaton.ts';
import { type Contexts, contextsBehind, OTHER, type Side, WORD } from './context.ts';
import { CodeReader, type PatternCode, STEP } from './pattern-code.ts';
import { type RowTable, StepRows } from './step-rows.ts';

/** Lays compiled patterns side by side. Runs while a function starts: it reads every code once, and copies nothing. */
export function linkPatterns(codes: readonly PatternCode[]): LinkedPatterns {
  const rows = new StepRows();
  const parts = codes.map((code) => new Part(code, rows));
  const alphabet = alphabetFor(rows.sets);
  const table = rows.table(alphabet);
  const growth = growthOf(table);
  const stateCount = parts.reduce((count, part) => count + part.stateCount, 0);
  const stepCount = parts.reduce((count, part) => count + part.stepCount, 0);
  const states: States = {
    firstStep: new Int32Array(stateCount + 1),
    stepTarget: new Int32Array(stepCount),
    stepRow: new Int32Array(stepCount),
    patternOf: new Int32Array(stateCount),
    accepts: new Uint16Array(stateCount),
    flags: new Uint8Array(stateCount),
    isRare: new Uint8Array(stateCount).fill(1),
    common: [],
  };
  const firstState = new Int32Array(parts.length + 1);
  let state = 0;
  let step = 0;
  for (const [pattern, part] of parts.entries()) {
    states.patternOf.fill(pattern, state, state + part.stateCount);
    part.writeTo(states, state, step, table.rowLength, growth);
    state += part.stateCount;
    step += part.stepCount;
    firstState[pattern + 1] = state;
  }
  return {
    ...states,
    alphabet,
    patternCount: codes.length,
    stateCount,
    allowed: table.allowed,
    rowLength: table.rowLength,
    classesOfRow: table.classes,
    firstState,
  };
}

type States = Pick<
  LinkedPatterns,
  'firstStep' | 'stepTarget' | 'stepRow' | 'patternOf' | 'accepts' | 'flags' | 'isRare'
> & { readonly common: number[] };

/** The states of one pattern, about to be laid beside others. */
class Part {
  readonly stateCount: number;
  readonly stepCount: number;
  readonly #reader: CodeReader;
  /** By their numbers in the code, the numbers that rows have among those of all patterns. */
  readonly #rows: readonly number[];

  constructor(code: PatternCode, rows: StepRows) {
    const reader = new CodeReader(code);
    this.#reader = reader;
    this.stateCount = reader.next();
    this.stepCount = reader.next();
    this.#rows = Array.from({ length: reader.next() }, () => rows.numberOf(reader.take(reader.next())));
  }

  /** `growth`: per row, EXTENDS for each side behind which its steps can be taken. */
  writeTo(states: States, firstState: number, firstStep: number, rowLength: number, growth: Uint8Array): void {
    this.#writeAccepts(states, firstState);
    this.#writeCommon(states, firstState);
    this.#writeSteps(states, firstState, firstStep, rowLength, growth);
  }

  #writeAccepts({ accepts, flags }: States, firstState: number): void {
    const reader = this.#reader;
    let state = firstState;
    for (let left = reader.next(); left > 0; left--) {
      state += reader.next();
      accepts[state] = reader.next();
      flags[state] = acceptFlags(accepts[state] as Contexts);
    }
  }

  #writeCommon({ common, isRare }: States, firstState: number): void {
    const reader = this.#reader;
    let state = firstState;
    for (let left = reader.next(); left > 0; left--) {
      state += reader.next();
      isRare[state] = 0;
      common.push(state);
    }
  }

  #writeSteps(states: States, firstState: number, firstStep: number, rowLength: number, growth: Uint8Array): void {
    const { stepTarget, stepRow, flags } = states;
    const [reader, rows] = [this.#reader, this.#rows];
    let newest = 0;
    let step = firstStep;
    for (let state = firstState; state < firstState + this.stateCount; state++) {
      let flag = flags[state] as number;
      for (let isLast = false; !isLast; step++) {
        const said = reader.next();
        if (said === STEP.none) break;
        const row = rows[(said - 1) >> STEP.rowShift] as number;
        isLast = ((said - 1) & STEP.isLast) !== 0;
        const target = ((said - 1) & STEP.isNew) !== 0 ? newest + 1 : reader.next();
        if (target > newest) newest = target;
        stepTarget[step] = firstState + target;
        stepRow[step] = row * rowLength;
        flag |= growth[row] as number;
      }
      flags[state] = flag;
      states.firstStep[state + 1] = step;
    }
  }
}

function acceptFlags(accepts: Contexts): number {
  let flags = 0;
  for (const side of [OTHER, WORD] as const) {
    const behind = contextsBehind(side);
    if ((accepts & behind) === behind) flags |= MATCHED << (side - OTHER);
    else if ((accepts & behind) !== 0) flags |= WAITS << (side - OTHER);
  }
  return flags;
}

/** Per row, EXTENDS for each side behind which some character can take its steps. */
function growthOf({ classes }: RowTable): Uint8Array {
  const growth = (ofRow: readonly (readonly number[])[], before: Side): number => {
    return (ofRow[before] as readonly number[]).length > 0 ? EXTENDS << (before - OTHER) : 0;
  };
  return Uint8Array.from(classes, (ofRow) => growth(ofRow, OTHER) | growth(ofRow, WORD));
}
