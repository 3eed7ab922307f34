import type { CharSetPool } from './char-set-pool.ts';
import { ANY_CONTEXT, type Contexts } from './context.ts';
import { cutDeadEnds } from './dead-ends.ts';
import { parsePattern } from './parse-pattern.ts';
import { PatternSyntaxError } from './pattern-syntax-error.ts';
import type { StateTable } from './state-table.ts';
import { ACCEPT, ASSERTION, CHARS, type Program, SPLIT, thompsonProgram } from './thompson-program.ts';

const MOST_STEPS = 200_000;

/**
 * Adds the states of one more pattern; throws PatternSyntaxError if it is none, matches the empty string or expands too
 * far. Every state that a step enters can still reach a match, so that a live thread always is a possible match.
 */
export function addPattern(table: StateTable, pool: CharSetPool, source: string, ignoreCase: boolean): void {
  const program = thompsonProgram(parsePattern(source, ignoreCase), source, pool);
  const start = table.stateCount;
  table.starts.push(start);
  new StateBuilder(table, program, source).build();
  if (table.accepts[start] !== 0) throw new PatternSyntaxError(source, 0, 'the pattern matches the empty string');
  cutDeadEnds(table, pool, start);
}

/** Follows the empty moves of a program away; a state is what can follow one of its nodes' characters. */
class StateBuilder {
  readonly #table: StateTable;
  readonly #program: Program;
  readonly #source: string;
  readonly #firstState: number;
  readonly #firstStep: number;
  readonly #entries: number[] = [];
  /** Per node, one more than the number among the entries. */
  readonly #entryNumber: Int32Array;
  /** Per node, the contexts in which empty moves lead there from the state being built. */
  readonly #reached: Int32Array;
  readonly #visited: number[] = [];
  readonly #pending: number[] = [];

  constructor(table: StateTable, program: Program, source: string) {
    this.#table = table;
    this.#program = program;
    this.#source = source;
    this.#firstState = table.stateCount;
    this.#firstStep = table.stepCount;
    this.#entryNumber = new Int32Array(program.kinds.length);
    this.#reached = new Int32Array(program.kinds.length);
  }

  build(): void {
    this.#stateAt(this.#program.entry);
    for (let i = 0; i < this.#entries.length; i++) {
      this.#addState(this.#entries[i] as number);
      if (this.#table.stepCount - this.#firstStep > MOST_STEPS) {
        throw new PatternSyntaxError(this.#source, 0, `the repeats expand the pattern beyond ${MOST_STEPS} steps`);
      }
    }
  }

  #addState(entry: number): void {
    const { kinds, arguments: args, next } = this.#program;
    if (kinds[entry] === CHARS) {
      this.#table.addStep(args[entry] as number, ANY_CONTEXT, this.#stateAt(next[entry] as number));
      this.#table.addState(0);
      return;
    }
    this.#close(entry);
    let accepts = 0;
    for (const node of this.#visited) {
      const contexts = this.#reached[node] as number;
      this.#reached[node] = 0;
      if (kinds[node] === ACCEPT) accepts |= contexts;
      if (kinds[node] !== CHARS) continue;
      this.#table.addStep(args[node] as number, contexts, this.#stateAt(next[node] as number));
    }
    this.#table.addState(accepts);
  }

  /** Marks what empty moves reach; a node is visited again when it turns out reachable in more contexts. */
  #close(entry: number): void {
    const { kinds, arguments: args, next } = this.#program;
    this.#visited.length = 0;
    this.#reach(entry, ANY_CONTEXT);
    for (let node = this.#pending.pop(); node !== undefined; node = this.#pending.pop()) {
      const contexts = this.#reached[node] as number;
      if (kinds[node] === ASSERTION) this.#reach(next[node] as number, contexts & (args[node] as number));
      if (kinds[node] === SPLIT) {
        this.#reach(args[node] as number, contexts);
        this.#reach(next[node] as number, contexts);
      }
    }
  }

  #reach(node: number, contexts: Contexts): void {
    const known = this.#reached[node] as number;
    if ((contexts & ~known) === 0) return;
    if (known === 0) this.#visited.push(node);
    this.#reached[node] = known | contexts;
    this.#pending.push(node);
  }

  #stateAt(entry: number): number {
    if (this.#entryNumber[entry] === 0) this.#entryNumber[entry] = this.#entries.push(entry);
    return this.#firstState + (this.#entryNumber[entry] as number) - 1;
  }
}
