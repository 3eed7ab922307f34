import { type CharSetPool, OTHERS, type Sides, WORDS } from './char-set.ts';
import { ANY_CONTEXT, type Contexts, contextsBehind, OTHER, type Side, WORD } from './context.ts';
import { type PatternNode, PatternSyntaxError, parsePattern } from './parse-pattern.ts';

export const ACCEPT = 0;
/** Reads a character of set `arguments[node]`, continues at `next[node]`. */
export const CHARS = 1;
/** Is true in the contexts `arguments[node]`, continues at `next[node]`. */
export const ASSERTION = 2;
/** Continues at both `arguments[node]` and `next[node]`. */
export const SPLIT = 3;

/** The Thompson automaton of one pattern; flat, since hundreds of patterns have tens of thousands of nodes. */
export interface Program {
  readonly entry: number;
  readonly kinds: readonly number[];
  readonly arguments: readonly number[];
  readonly next: readonly number[];
}

/** Limit of nodes of one pattern, with expanded repeats; a larger rule would outweigh all others together. */
const LARGEST_PROGRAM = 20_000;

/** The automaton of one pattern. @throws PatternSyntaxError if its repeats make it too large */
export function thompsonProgram(tree: PatternNode, source: string, pool: CharSetPool): Program {
  return new ProgramBuilder(source, pool).build(tree);
}

/** Builds from the end of the pattern to its start, so that the next node of every node is known. */
class ProgramBuilder {
  private readonly source: string;
  private readonly pool: CharSetPool;
  private readonly kinds: number[] = [];
  private readonly arguments: number[] = [];
  private readonly next: number[] = [];
  /** Counts visited parts, including those without nodes: (?:(?:){999}){999} takes as long. */
  private built = 0;
  private repeatOffset = 0;

  constructor(source: string, pool: CharSetPool) {
    this.source = source;
    this.pool = pool;
  }

  build(tree: PatternNode): Program {
    const entry = this.compile(tree, this.add(ACCEPT, 0, 0));
    return { entry, kinds: this.kinds, arguments: this.arguments, next: this.next };
  }

  /** The entry of an automaton that matches `tree` and continues at `next`. */
  private compile(tree: PatternNode, next: number): number {
    this.built += 1;
    if (this.built > LARGEST_PROGRAM) {
      const problem = `the repeats expand the pattern beyond ${LARGEST_PROGRAM} states`;
      throw new PatternSyntaxError(this.source, this.repeatOffset, problem);
    }
    switch (tree.kind) {
      case 'chars':
        return this.add(CHARS, this.pool.idOf(tree.set), next);
      case 'assertion':
        return this.add(ASSERTION, tree.contexts, next);
      case 'sequence':
        return this.sequence(tree.parts, next);
      case 'choice':
        return tree.options
          .map((option) => this.compile(option, next))
          .reduce((entry, option) => this.add(SPLIT, entry, option));
      case 'repeat':
        this.repeatOffset = tree.offset;
        return this.repeat(tree.body, tree.min, tree.max, next);
    }
  }

  private sequence(parts: readonly PatternNode[], next: number): number {
    let entry = next;
    for (let i = parts.length - 1; i >= 0; i--) entry = this.compile(parts[i] as PatternNode, entry);
    return entry;
  }

  private repeat(body: PatternNode, min: number, max: number, next: number): number {
    let entry = next;
    let required = min;
    if (max === Number.POSITIVE_INFINITY) {
      const again = this.add(SPLIT, next, next);
      const once = this.compile(body, again);
      this.arguments[again] = once;
      entry = min === 0 ? again : once;
      required = Math.max(0, min - 1);
    } else {
      for (let i = min; i < max; i++) entry = this.add(SPLIT, this.compile(body, entry), next);
    }
    for (let i = 0; i < required; i++) entry = this.compile(body, entry);
    return entry;
  }

  private add(kind: number, argument: number, next: number): number {
    this.arguments.push(argument);
    this.next.push(next);
    return this.kinds.push(kind) - 1;
  }
}

/** The set of a step that no character can take. */
export const NO_SET = -1;

/**
 * The states of all patterns, without empty moves: a state is a position between two characters, a step reads one. Flat, since hundreds of
 * patterns have tens of thousands of states.
 */
export class StateTable {
  /** For each pattern, its first state, which is its start. */
  readonly starts: number[] = [];
  readonly patternOf: number[] = [];
  /** For each state, the contexts in which the pattern has matched. */
  readonly accepts: Contexts[] = [];
  /** Steps of state `s`: indexes `firstStep[s]` up to `firstStep[s + 1]`. */
  readonly firstStep: number[] = [0];
  readonly stepSet: number[] = [];
  /** For each step, the contexts before its character in which it may be taken. */
  readonly stepContexts: Contexts[] = [];
  readonly stepTarget: number[] = [];

  get stateCount(): number {
    return this.accepts.length;
  }

  get stepCount(): number {
    return this.stepSet.length;
  }

  /** Adds a step to the state that `addState` completes next. */
  addStep(set: number, contexts: Contexts, target: number): void {
    this.stepSet.push(set);
    this.stepContexts.push(contexts);
    this.stepTarget.push(target);
  }

  addState(accepts: Contexts): void {
    this.patternOf.push(this.starts.length - 1);
    this.accepts.push(accepts);
    this.firstStep.push(this.stepSet.length);
  }
}

const MOST_STEPS = 200_000;

/**
 * Adds the states of one pattern. Every state that a step enters can still reach a match, so that a live thread is always a possible match.
 * @throws PatternSyntaxError if it is invalid, matches the empty string or expands too far
 */
export function addPattern(table: StateTable, pool: CharSetPool, source: string, ignoreCase: boolean): void {
  const program = thompsonProgram(parsePattern(source, ignoreCase), source, pool);
  const start = table.stateCount;
  table.starts.push(start);
  new StateBuilder(table, program, source).build();
  if (table.accepts[start] !== 0) throw new PatternSyntaxError(source, 0, 'the pattern matches the empty string');
  cutDeadEnds(table, pool, start);
}

/** Removes the empty moves of a program; a state is the set of nodes after a node's character. */
class StateBuilder {
  private readonly table: StateTable;
  private readonly program: Program;
  private readonly source: string;
  private readonly firstState: number;
  private readonly firstStep: number;
  private readonly entries: number[] = [];
  /** For each node, one more than its number among the entries. */
  private readonly entryNumber: Int32Array;
  /** For each node, the contexts in which empty moves lead to it from the current state. */
  private readonly reached: Int32Array;
  private readonly visited: number[] = [];
  private readonly pending: number[] = [];

  constructor(table: StateTable, program: Program, source: string) {
    this.table = table;
    this.program = program;
    this.source = source;
    this.firstState = table.stateCount;
    this.firstStep = table.stepCount;
    this.entryNumber = new Int32Array(program.kinds.length);
    this.reached = new Int32Array(program.kinds.length);
  }

  build(): void {
    this.stateAt(this.program.entry);
    for (let i = 0; i < this.entries.length; i++) {
      this.addState(this.entries[i] as number);
      if (this.table.stepCount - this.firstStep > MOST_STEPS) {
        throw new PatternSyntaxError(this.source, 0, `the repeats expand the pattern beyond ${MOST_STEPS} steps`);
      }
    }
  }

  private addState(entry: number): void {
    const { kinds, arguments: args, next } = this.program;
    if (kinds[entry] === CHARS) {
      this.table.addStep(args[entry] as number, ANY_CONTEXT, this.stateAt(next[entry] as number));
      this.table.addState(0);
      return;
    }
    this.close(entry);
    let accepts = 0;
    for (const node of this.visited) {
      const contexts = this.reached[node] as number;
      this.reached[node] = 0;
      if (kinds[node] === ACCEPT) accepts |= contexts;
      if (kinds[node] !== CHARS) continue;
      this.table.addStep(args[node] as number, contexts, this.stateAt(next[node] as number));
    }
    this.table.addState(accepts);
  }

  /** Marks the nodes that empty moves reach; a node is visited again if more contexts reach it. */
  private close(entry: number): void {
    const { kinds, arguments: args, next } = this.program;
    this.visited.length = 0;
    this.reach(entry, ANY_CONTEXT);
    for (let node = this.pending.pop(); node !== undefined; node = this.pending.pop()) {
      const contexts = this.reached[node] as number;
      if (kinds[node] === ASSERTION) this.reach(next[node] as number, contexts & (args[node] as number));
      if (kinds[node] === SPLIT) {
        this.reach(args[node] as number, contexts);
        this.reach(next[node] as number, contexts);
      }
    }
  }

  private reach(node: number, contexts: Contexts): void {
    const known = this.reached[node] as number;
    if ((contexts & ~known) === 0) return;
    if (known === 0) this.visited.push(node);
    this.reached[node] = known | contexts;
    this.pending.push(node);
  }

  private stateAt(entry: number): number {
    if (this.entryNumber[entry] === 0) this.entryNumber[entry] = this.entries.push(entry);
    return this.firstState + (this.entryNumber[entry] as number) - 1;
  }
}

const BOTH: Sides = OTHERS | WORDS;

/** Reduces every step of the states from `from` on to the characters after which a match is still possible. */
function cutDeadEnds(table: StateTable, pool: CharSetPool, from: number): void {
  const { stepSet, stepContexts, stepTarget, firstStep } = table;
  const viable = viableSides(table, pool, from);
  for (let step = firstStep[from] as number; step < table.stepCount; step++) {
    const set = stepSet[step] as number;
    const sides = pool.sides[set] as Sides;
    const led = sides & (viable[(stepTarget[step] as number) - from] as Sides);
    const useful = led & enterableSides(stepContexts[step] as Contexts);
    if (useful === sides && useful !== 0) continue;
    stepSet[step] = useful === 0 ? NO_SET : pool.partOf(set, useful === WORDS ? WORD : OTHER);
  }
}

/** For each state from `from` on, the sides of the last character after which some continuation still matches. */
function viableSides(table: StateTable, pool: CharSetPool, from: number): Uint8Array {
  const viable = new Uint8Array(table.stateCount - from);
  for (let changed = true; changed; ) {
    changed = false;
    // Backwards, since states are numbered from the start of the pattern and viability spreads from its end.
    for (let index = viable.length - 1; index >= 0; index--) {
      const known = viable[index] as Sides;
      if (known === BOTH) continue;
      const now = known | matchableSides(table, pool, from, index, viable);
      changed ||= now !== known;
      viable[index] = now;
    }
  }
  return viable;
}

function matchableSides(table: StateTable, pool: CharSetPool, from: number, index: number, viable: Uint8Array): Sides {
  const { accepts, firstStep, stepSet, stepContexts, stepTarget } = table;
  const accepted = accepts[from + index] as Contexts;
  let sides = 0;
  if ((accepted & contextsBehind(OTHER)) !== 0) sides |= OTHERS;
  if ((accepted & contextsBehind(WORD)) !== 0) sides |= WORDS;
  const end = firstStep[from + index + 1] as number;
  for (let step = firstStep[from + index] as number; step < end; step++) {
    const target = viable[(stepTarget[step] as number) - from] as Sides;
    const after = (pool.sides[stepSet[step] as number] as Sides) & target;
    const contexts = stepContexts[step] as Contexts;
    if (contexts === ANY_CONTEXT && after !== 0) return BOTH;
    if (after & OTHERS) sides |= sidesBefore(contexts, OTHER);
    if (after & WORDS) sides |= sidesBefore(contexts, WORD);
  }
  return sides & BOTH;
}

/** The sides of the next character that the contexts allow, for any side before. */
function enterableSides(contexts: Contexts): Sides {
  if (contexts === ANY_CONTEXT) return BOTH;
  return (sidesBefore(contexts, OTHER) && OTHERS) | (sidesBefore(contexts, WORD) && WORDS);
}

/** The sides before a character on side `after` that the contexts allow. */
function sidesBefore(contexts: Contexts, after: Side): Sides {
  const column = contexts >> after;
  return (column & 1) | ((column >> 2) & 2) | ((column >> 4) & 4);
}
