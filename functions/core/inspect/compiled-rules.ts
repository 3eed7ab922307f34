import { type PatternMatch, PatternSet } from './pattern/pattern-set.ts';
import type { Rule, View } from './rule.ts';
import { toFolded } from './view/read-character.ts';

/** Rules that read one view, as one pattern set: the alternatives of a rule are one pattern of the set. */
export class CompiledRules {
  readonly patterns: PatternSet;
  private readonly rules: readonly Rule[];

  constructor(rules: readonly Rule[], view: View) {
    this.rules = rules;
    this.patterns = new PatternSet(
      rules.map((rule) => ({
        source: rule.patterns.map((pattern) => `(?:${view === 'folded' ? foldPattern(pattern) : pattern})`).join('|'),
        ignoreCase: rule.ignoreCase ?? false,
      })),
    );
  }

  /** The rule that a match of the set belongs to. */
  ruleOf(match: PatternMatch): Rule {
    const rule = this.rules[match.pattern];
    if (rule === undefined) throw new RangeError(`no rule for pattern ${match.pattern}`);
    return rule;
  }
}

/** A pattern as the folded view spells it. Its ASCII stays, since in escapes the case of a letter has a meaning. */
function foldPattern(pattern: string): string {
  return pattern.replace(/[^ -~]/gu, toFolded);
}
