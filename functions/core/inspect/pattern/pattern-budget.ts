import { addPattern } from './add-pattern.ts';
import { CharSetPool } from './char-set-pool.ts';
import { matchLength } from './match-length.ts';
import { parsePattern } from './parse-pattern.ts';
import type { PatternSource } from './pattern-set.ts';
import { PatternSyntaxError } from './pattern-syntax-error.ts';
import { StateTable } from './state-table.ts';

/** What patterns of somebody else may cost together. */
export interface PatternLimits {
  /** States of all automata: a character may cost a step for each, and memory grows with them. */
  readonly maxStates: number;
  /** Different characters and classes: the tables' other dimension. */
  readonly maxSets: number;
  /** Characters of a match. */
  readonly maxMatchLength: number;
}

/** Counts what patterns cost before anything is compiled for use. */
export class PatternBudget {
  readonly #limits: PatternLimits;
  readonly #table = new StateTable();
  readonly #pool = new CharSetPool();

  constructor(limits: PatternLimits) {
    this.#limits = limits;
  }

  /** @throws PatternSyntaxError for a pattern that is none, that has too long matches, or with which it is too much */
  add({ source, ignoreCase = false }: PatternSource): void {
    const { maxStates, maxSets, maxMatchLength } = this.#limits;
    const { shortest, longest } = matchLength(parsePattern(source, ignoreCase));
    if (shortest > maxMatchLength || (longest > maxMatchLength && Number.isFinite(longest))) {
      throw new PatternSyntaxError(source, 0, `its matches may be longer than ${maxMatchLength} characters`);
    }
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
  }
}
