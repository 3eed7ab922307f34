import type { CharSetPool } from './char-set-pool.ts';
import type { PatternNode } from './parse-pattern.ts';
import { PatternSyntaxError } from './pattern-syntax-error.ts';

export const ACCEPT = 0;
/** Reads a character of set `arguments[node]`, goes on at `next[node]`. */
export const CHARS = 1;
/** Holds in the contexts `arguments[node]`, goes on at `next[node]`. */
export const ASSERTION = 2;
/** Goes on at both `arguments[node]` and `next[node]`. */
export const SPLIT = 3;

/** The Thompson automaton of one pattern; flat, since hundreds of patterns have tens of thousands of nodes. */
export interface Program {
  readonly entry: number;
  readonly kinds: readonly number[];
  readonly arguments: readonly number[];
  readonly next: readonly number[];
}

/** Nodes of one pattern, repeats written out; beyond it a single rule would outweigh all the others together. */
const LARGEST_PROGRAM = 20_000;

/** The automaton of one pattern; throws PatternSyntaxError if its repeats make it too large. */
export function thompsonProgram(tree: PatternNode, source: string, pool: CharSetPool): Program {
  return new ProgramBuilder(source, pool).build(tree);
}

/** Builds from the end of the pattern to its start, so that every node knows where it goes on. */
class ProgramBuilder {
  readonly #source: string;
  readonly #pool: CharSetPool;
  readonly #kinds: number[] = [];
  readonly #arguments: number[] = [];
  readonly #next: number[] = [];
  /** Counts what is built, nodes or not: (?:(?:){999}){999} has no nodes and takes as long. */
  #built = 0;
  #repeatOffset = 0;

  constructor(source: string, pool: CharSetPool) {
    this.#source = source;
    this.#pool = pool;
  }

  build(tree: PatternNode): Program {
    const entry = this.#compile(tree, this.#add(ACCEPT, 0, 0));
    return { entry, kinds: this.#kinds, arguments: this.#arguments, next: this.#next };
  }

  /** The entry of an automaton that matches `tree` and goes on at `next`. */
  #compile(tree: PatternNode, next: number): number {
    this.#built += 1;
    if (this.#built > LARGEST_PROGRAM) {
      const problem = `the repeats expand the pattern beyond ${LARGEST_PROGRAM} states`;
      throw new PatternSyntaxError(this.#source, this.#repeatOffset, problem);
    }
    switch (tree.kind) {
      case 'chars':
        return this.#add(CHARS, this.#pool.idOf(tree.set), next);
      case 'assertion':
        return this.#add(ASSERTION, tree.contexts, next);
      case 'sequence':
        return this.#sequence(tree.parts, next);
      case 'choice':
        return tree.options
          .map((option) => this.#compile(option, next))
          .reduce((entry, option) => this.#add(SPLIT, entry, option));
      case 'repeat':
        this.#repeatOffset = tree.offset;
        return this.#repeat(tree.body, tree.min, tree.max, next);
    }
  }

  #sequence(parts: readonly PatternNode[], next: number): number {
    let entry = next;
    for (let i = parts.length - 1; i >= 0; i--) entry = this.#compile(parts[i] as PatternNode, entry);
    return entry;
  }

  #repeat(body: PatternNode, min: number, max: number, next: number): number {
    let entry = next;
    let required = min;
    if (max === Number.POSITIVE_INFINITY) {
      const again = this.#add(SPLIT, next, next);
      const once = this.#compile(body, again);
      this.#arguments[again] = once;
      entry = min === 0 ? again : once;
      required = Math.max(0, min - 1);
    } else {
      for (let i = min; i < max; i++) entry = this.#add(SPLIT, this.#compile(body, entry), next);
    }
    for (let i = 0; i < required; i++) entry = this.#compile(body, entry);
    return entry;
  }

  #add(kind: number, argument: number, next: number): number {
    this.#arguments.push(argument);
    this.#next.push(next);
    return this.#kinds.push(kind) - 1;
  }
}
