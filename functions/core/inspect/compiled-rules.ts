import { type PatternMatch, PatternSet, type PatternSetOptions, type PatternSource } from './pattern/pattern-set.ts';
import type { Rule, View } from './rule.ts';
import { toFolded } from './view/read-character.ts';

/** Rules that read one view, as one pattern set: the alternatives of a rule are one pattern of the set. */
export class CompiledRules {
  readonly patterns: PatternSet;
  private readonly rules: readonly Rule[];

  constructor(rules: readonly Rule[], view: View, options?: PatternSetOptions) {
    this.rules = rules;
    this.patterns = new PatternSet(
      rules.map((rule) => patternSource(rule, view)),
      options,
    );
  }

  /** The rule that a match of the set belongs to. */
  ruleOf(match: PatternMatch): Rule {
    const rule = this.rules[match.pattern];
    if (rule === undefined) throw new RangeError(`no rule for pattern ${match.pattern}`);
    return rule;
  }
}

/** A rule's alternatives as one pattern for the view. */
export function patternSource({ patterns, ignoreCase = false }: Rule, view: View): PatternSource {
  const shown = patterns.map((pattern) => `(?:${view === 'folded' ? foldPattern(pattern) : pattern})`);
  return { source: shown.join('|'), ignoreCase };
}

/** A pattern as the folded view spells it. Its ASCII stays, since in escapes the case of a letter has a meaning. */
function foldPattern(pattern: string): string {
  return pattern.replace(/[^ -~]/gu, toFolded);
}
