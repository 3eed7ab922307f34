import { CharSetPool } from './char-set-pool.ts';
import { compilePattern, type PatternSource } from './compile-pattern.ts';
import type { PatternCode } from './pattern-code.ts';

/** What patterns were compiled to before, by what they say. One that has changed since is not among them. */
export class PatternCodes {
  readonly #codes: ReadonlyMap<string, PatternCode>;

  /** From the object that `compileAll` gave. */
  constructor(codes: Readonly<Record<string, PatternCode>>) {
    this.#codes = new Map(Object.entries(codes));
  }

  codeOf(pattern: PatternSource): PatternCode | undefined {
    return this.#codes.get(keyOf(pattern));
  }
}

/** The codes of all patterns, to be kept. @throws PatternSyntaxError */
export function compileAll(patterns: readonly PatternSource[]): Record<string, PatternCode> {
  const pool = new CharSetPool();
  return Object.fromEntries(patterns.map((pattern) => [keyOf(pattern), compilePattern(pattern, pool)]));
}

/** Two patterns with one key are the same. */
function keyOf({ source, ignoreCase = false }: PatternSource): string {
  return ignoreCase ? `(?i)${source}` : source;
}
