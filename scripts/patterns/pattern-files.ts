import { PATTERNS_OF_ENCODINGS } from '../../functions/core/inspect/decode/payload-finder.ts';
import { compileAll } from '../../functions/core/inspect/pattern/pattern-codes.ts';
import type { PatternSource } from '../../functions/core/inspect/pattern/pattern-set.ts';
import { patternSource } from '../../functions/core/inspect/rule-library.ts';
import { ALL_RULES } from '../../functions/detectors/index.ts';

/** A file of compiled patterns, and what it is written from. */
export interface PatternFile {
  /** From the repository's root. */
  readonly path: string;
  readonly patterns: readonly PatternSource[];
}

export const PATTERN_FILES: readonly PatternFile[] = [
  {
    path: 'functions/detectors/patterns.generated.json',
    patterns: ALL_RULES.filter((rule) => rule.patterns.length > 0).map((rule) => patternSource(rule, rule.view)),
  },
  { path: 'functions/core/inspect/decode/patterns.generated.json', patterns: PATTERNS_OF_ENCODINGS },
];

/** The file as it is to be: a line for each pattern, so that a change of a rule is one line. */
export function patternFileText({ patterns }: PatternFile): string {
  return `${JSON.stringify(compileAll(patterns), null, 1)}\n`;
}
