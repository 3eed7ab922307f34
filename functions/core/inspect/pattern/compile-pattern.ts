import { addPattern } from './add-pattern.ts';
import { CharSetPool } from './char-set-pool.ts';
import { encodePattern } from './encode-pattern.ts';
import type { PatternCode } from './pattern-code.ts';
import { StateTable } from './state-table.ts';

export type { PatternCode } from './pattern-code.ts';

/** A pattern in the supported subset of JavaScript's syntax; matching is by UTF-16 code unit. */
export interface PatternSource {
  readonly source: string;
  /** Ignores the case of letters; so does `(?i)` in the pattern. */
  readonly ignoreCase?: boolean;
}

/** A pattern that was compiled before. */
export interface CompiledPattern {
  readonly code: PatternCode;
}

/**
 * The pattern as code to be linked. Patterns compiled with one pool share the work on the sets that they have in common.
 * @throws PatternSyntaxError
 */
export function compilePattern({ source, ignoreCase = false }: PatternSource, pool = new CharSetPool()): PatternCode {
  const table = new StateTable();
  addPattern(table, pool, source, ignoreCase);
  return encodePattern(table, pool);
}
