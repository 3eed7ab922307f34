/** Linear-time pattern matching over texts that arrive in pieces. Code outside this folder imports this file only. */
export { CharSetPool } from './char-set.ts';
export { codeUnits, textOf } from './code-units.ts';
export { compilePattern, type PatternSource } from './link-patterns.ts';
export { PatternSyntaxError } from './parse-pattern.ts';
export { PatternBudget, type PatternLimits } from './pattern-budget.ts';
export { CodeReader, digitsOf, type PatternCode } from './pattern-code.ts';
export { compareMatches, type PatternMatch, type PatternMatcher, type PatternStream } from './pattern-match.ts';
export { PatternSet, type PatternSetOptions } from './pattern-set.ts';
