import { addPattern } from './add-pattern.ts';
import { CharSetPool } from './char-set-pool.ts';
import type { PatternSource } from './compile-pattern.ts';
import { matchLength } from './match-length.ts';
import { parsePattern } from './parse-pattern.ts';
import { PatternSyntaxError } from './pattern-syntax-error.ts';
import { StateTable } from './state-table.ts';
import { threadBound, type Work } from './thread-bound.ts';

/** What patterns of somebody else may cost together. */
export interface PatternLimits {
  /** States of all automata: memory grows with them. */
  readonly maxStates: number;
  /** Threads that may be alive at once, whatever the text, beside one for each pattern: time grows with them. */
  readonly maxThreads: number;
  /** Different characters and classes: the tables' other dimension. */
  readonly maxSets: number;
  /** Characters of a match. */
  readonly maxMatchLength: number;
}

/** Comparisons that are made to know the threads of all patterns: about 0.3 us each. */
const MAX_WORK = 200_000;

/** Counts what patterns cost before anything is compiled for use. */
export class PatternBudget {
  readonly #limits: PatternLimits;
  readonly #table = new StateTable();
  readonly #pool = new CharSetPool();
  #threads = 0;
  readonly #work: Work = { left: MAX_WORK };

  constructor(limits: PatternLimits) {
    this.#limits = limits;
  }

  /** @throws PatternSyntaxError for a pattern that is none, that has too long matches, or with which it is too much */
  add({ source, ignoreCase = false }: PatternSource): void {
    const { maxStates, maxSets, maxThreads, maxMatchLength } = this.#limits;
    const { shortest, longest } = matchLength(parsePattern(source, ignoreCase));
    if (shortest > maxMatchLength || (longest > maxMatchLength && Number.isFinite(longest))) {
      throw new PatternSyntaxError(source, 0, `its matches may be longer than ${maxMatchLength} characters`);
    }
    const from = this.#table.stateCount;
    addPattern(this.#table, this.#pool, source, ignoreCase);
    if (this.#table.stateCount > maxStates) {
      throw new PatternSyntaxError(source, 0, `with it the patterns have more than ${maxStates} states together`);
    }
    if (this.#pool.sets.length > maxSets) {
      throw new PatternSyntaxError(
        source,
        0,
        `with it there are more than ${maxSets} different characters and classes`,
      );
    }
    this.#threads += threadBound(this.#table, this.#pool, from, this.#work) - 1;
    if (this.#threads > maxThreads) {
      throw new PatternSyntaxError(
        source,
        0,
        `with it more than ${maxThreads} matches may be open at once: shorten its repeats`,
      );
    }
  }
}
