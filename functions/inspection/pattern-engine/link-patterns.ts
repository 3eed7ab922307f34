import { type Alphabet, alphabetFor } from './alphabet.ts';
import { type Automaton, type Classes, EXTENDS, type LinkedPatterns, MATCHED, RARE, WAITS } from './automaton.ts';
import { type CharSet, CharSetPool } from './char-set.ts';
import { type Contexts, contextBit, contextsBehind, OTHER, SIDES, type Side, WORD } from './context.ts';
import { CodeReader, encodePattern, type PatternCode, STEP } from './pattern-code.ts';
import { addPattern, StateTable } from './thompson-program.ts';

const RARE_ON_BOTH_SIDES = RARE | (RARE << (WORD - OTHER));

/** Links compiled patterns. Runs when a function starts, so it reads every code once and copies nothing. */
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
    flags: new Uint8Array(stateCount).fill(RARE_ON_BOTH_SIDES),
    common: [],
  };
  const firstState = new Int32Array(parts.length + 1);
  let state = 0;
  let step = 0;
  for (const [pattern, part] of parts.entries()) {
    states.patternOf.fill(pattern, state, state + part.stateCount);
    part.writeTo(states, state, step, growth);
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
    rowCount: table.classes.length,
    classesOfRow: table.classes,
    firstState,
  };
}

type States = Pick<LinkedPatterns, 'firstStep' | 'stepTarget' | 'stepRow' | 'patternOf' | 'accepts' | 'flags'> & {
  readonly common: number[];
};

/** The states of one pattern before linking. */
class Part {
  readonly stateCount: number;
  readonly stepCount: number;
  private readonly reader: CodeReader;
  /** For each row number of the code, the row number over all patterns. */
  private readonly rows: readonly number[];

  constructor(code: PatternCode, rows: StepRows) {
    const reader = new CodeReader(code);
    this.reader = reader;
    this.stateCount = reader.next();
    this.stepCount = reader.next();
    this.rows = Array.from({ length: reader.next() }, () => rows.numberOf(reader.take(reader.next())));
  }

  /** `growth`: for each row, EXTENDS for each side after which its steps can be taken. */
  writeTo(states: States, firstState: number, firstStep: number, growth: Uint8Array): void {
    this.writeAccepts(states, firstState);
    this.writeCommon(states, firstState);
    this.writeSteps(states, firstState, firstStep, growth);
  }

  private writeAccepts({ accepts, flags }: States, firstState: number): void {
    const reader = this.reader;
    let state = firstState;
    for (let left = reader.next(); left > 0; left--) {
      state += reader.next();
      accepts[state] = reader.next();
      flags[state] = (flags[state] as number) | acceptFlags(accepts[state] as Contexts);
    }
  }

  private writeCommon({ common, flags }: States, firstState: number): void {
    const reader = this.reader;
    let state = firstState;
    for (let left = reader.next(); left > 0; left--) {
      state += reader.next();
      flags[state] = (flags[state] as number) & ~RARE_ON_BOTH_SIDES;
      common.push(state);
    }
  }

  private writeSteps(states: States, firstState: number, firstStep: number, growth: Uint8Array): void {
    const { stepTarget, stepRow, flags } = states;
    const [reader, rows] = [this.reader, this.rows];
    let newest = 0;
    let step = firstStep;
    for (let state = firstState; state < firstState + this.stateCount; state++) {
      let flag = flags[state] as number;
      for (let isLast = false; !isLast; step++) {
        const encoded = reader.next();
        if (encoded === STEP.none) break;
        const row = rows[(encoded - 1) >> STEP.rowShift] as number;
        isLast = ((encoded - 1) & STEP.isLast) !== 0;
        const target = ((encoded - 1) & STEP.isNew) !== 0 ? newest + 1 : reader.next();
        if (target > newest) newest = target;
        stepTarget[step] = firstState + target;
        stepRow[step] = row;
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

/** For each row, EXTENDS for each side after which some character can take its steps. */
function growthOf({ classes }: RowTable): Uint8Array {
  const growth = (ofRow: readonly Classes[], before: Side): number => {
    return (ofRow[before] as Classes).length > 0 ? EXTENDS << (before - OTHER) : 0;
  };
  return Uint8Array.from(classes, (ofRow) => growth(ofRow, OTHER) | growth(ofRow, WORD));
}

interface StepRow {
  /** Number of its set. */
  readonly set: number;
  readonly contexts: Contexts;
}

/** Contexts in which the steps of each row may be taken. */
interface RowTable {
  /** A byte for each side before, class and row: 1 if the row's steps may be taken. */
  readonly allowed: Uint8Array;
  /** The same as lists: for each row and side before, the classes. */
  readonly classes: readonly (readonly Classes[])[];
}

/** Steps with equal set and contexts share a row, across patterns. */
class StepRows {
  /** The distinct sets. */
  readonly sets: CharSet[] = [];
  private readonly rows: StepRow[] = [];
  /** By the code of the row, as in a pattern's code. */
  private readonly rowNumbers = new Map<string, number>();
  private readonly setNumbers = new Map<string, number>();

  numberOf(code: string): number {
    let number = this.rowNumbers.get(code);
    if (number === undefined) {
      const reader = new CodeReader(code);
      const contexts = reader.next();
      number = this.rows.push({ contexts, set: this.setNumber(code.slice(reader.at)) }) - 1;
      this.rowNumbers.set(code, number);
    }
    return number;
  }

  /** `alphabet` must be that of the sets. */
  table(alphabet: Alphabet): RowTable {
    const { classCount } = alphabet;
    const rowCount = this.rows.length;
    const allowed = new Uint8Array(SIDES.length * classCount * rowCount);
    const bySide = alphabet.classesOf.map((ofSet) => dividedBySide(ofSet, alphabet));
    const classes = this.rows.map((row) =>
      SIDES.map((before) => classesBehind(before, row, bySide[row.set] as ClassesBySide)),
    );
    for (const [row, ofRow] of classes.entries()) {
      for (const [before, ofSide] of ofRow.entries()) {
        const from = before * classCount * rowCount + row;
        for (const unitClass of ofSide) allowed[from + unitClass * rowCount] = 1;
      }
    }
    return { allowed, classes };
  }

  private setNumber(code: string): number {
    let number = this.setNumbers.get(code);
    if (number === undefined) {
      number = this.sets.push(readSet(code)) - 1;
      this.setNumbers.set(code, number);
    }
    return number;
  }
}

interface ClassesBySide {
  readonly all: Classes;
  readonly words: Classes;
  readonly others: Classes;
}

function dividedBySide(all: readonly number[], { sideOf }: Alphabet): ClassesBySide {
  const words: number[] = [];
  const others: number[] = [];
  for (const unitClass of all) (sideOf[unitClass] === WORD ? words : others).push(unitClass);
  return { all, words, others };
}

const NO_CLASSES: Classes = [];

/** The classes over which a row's steps may be taken by a thread after a character on this side. */
function classesBehind(before: Side, { contexts }: StepRow, { all, words, others }: ClassesBySide): Classes {
  const allowsWord = (contexts & contextBit(before, WORD)) !== 0;
  if ((contexts & contextBit(before, OTHER)) === 0) return allowsWord ? words : NO_CLASSES;
  return allowsWord ? all : others;
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

const NO_STATES = new Int32Array(0);

/** The automaton that finds these patterns, which keep their numbers. */
export function choosePatterns(linked: LinkedPatterns, patterns: readonly number[]): Automaton {
  return { ...linked, fresh: freshStates(linked, patterns) };
}

function freshStates(
  { alphabet, firstState, firstStep, classesOfRow, stepRow, stepTarget }: LinkedPatterns,
  patterns: readonly number[],
): Int32Array[] {
  const fresh = new Array<number[] | undefined>(SIDES.length * alphabet.classCount).fill(undefined);
  for (const pattern of patterns) {
    const start = firstState[pattern] as number;
    const end = firstStep[start + 1] as number;
    for (let step = firstStep[start] as number; step < end; step++) {
      const target = stepTarget[step] as number;
      const classes = classesOfRow[stepRow[step] as number] as readonly Classes[];
      for (const before of SIDES) {
        const behind = classes[before] as Classes;
        // By index: at a start, iterators are not optimised yet.
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

/** Whether a state is among the last items of a list, which belong to the pattern whose states start at `from`. */
function isAmongLast(states: readonly number[], state: number, from: number): boolean {
  for (let at = states.length - 1; at >= 0 && (states[at] as number) >= from; at--)
    if (states[at] === state) return true;
  return false;
}

/** A pattern in the supported subset of JavaScript's syntax; matching is by UTF-16 code unit. */
export interface PatternSource {
  readonly source: string;
  /** Ignores the case of letters, like `(?i)` in the pattern. */
  readonly ignoreCase?: boolean;
}

/** A pattern that was compiled before. */
export interface CompiledPattern {
  readonly code: PatternCode;
}

/**
 * Compiles a pattern to code for linking. Patterns that are compiled with one pool share the work on common sets.
 * @throws PatternSyntaxError
 */
export function compilePattern({ source, ignoreCase = false }: PatternSource, pool = new CharSetPool()): PatternCode {
  const table = new StateTable();
  addPattern(table, pool, source, ignoreCase);
  return encodePattern(table, pool);
}
