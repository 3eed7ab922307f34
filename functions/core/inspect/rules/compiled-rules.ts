import type { PatternMatch, PatternMatcher } from '../../pattern-engine/pattern-match.ts';
import type { PatternSource } from '../../pattern-engine/pattern-set.ts';
import type { Rule } from '../rule.ts';
import { toFolded } from '../views/read-character.ts';

/** Rules that read one view together: the alternatives of a rule are one pattern. */
export class CompiledRules {
  readonly patterns: PatternMatcher;
  private readonly rules: readonly Rule[];

  /** `rules` are in the order of the patterns' numbers. */
  constructor(rules: readonly Rule[], patterns: PatternMatcher) {
    this.rules = rules;
    this.patterns = patterns;
  }

  /** The rule that a match belongs to. */
  ruleOf(match: PatternMatch): Rule {
    const rule = this.rules[match.pattern];
    if (rule === undefined) throw new RangeError(`no rule for pattern ${match.pattern}`);
    return rule;
  }
}

/** A rule's alternatives as one pattern, as the rule's view spells it. */
export function patternSource({ view, patterns, ignoreCase = false }: Rule): PatternSource {
  return { source: anyOf(view === 'folded' ? patterns.map(foldPattern) : patterns), ignoreCase };
}

/** What a rule looks for, and in which view, as written: to fold it would take a start longer than to link all rules. */
export function patternKey({ view, patterns, ignoreCase = false }: Rule): string {
  return `${view === 'folded' ? 'folded ' : ''}${ignoreCase ? '(?i)' : ''}${anyOf(patterns)}`;
}

function anyOf(patterns: readonly string[]): string {
  return patterns.map((pattern) => `(?:${pattern})`).join('|');
}

/** A pattern as the folded view spells it. Its ASCII stays, since in escapes the case of a letter has a meaning. */
function foldPattern(pattern: string): string {
  return pattern.replace(/[^ -~]/gu, toFolded);
}
