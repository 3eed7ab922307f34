import {
  type PatternMatch,
  type PatternMatcher,
  PatternSet,
  type PatternSetOptions,
  type PatternSource,
} from './pattern/pattern-set.ts';
import type { Rule, View } from './rule.ts';
import { toFolded } from './view/read-character.ts';

/** Rules that read one view together. */
export interface CompiledRules {
  readonly patterns: PatternMatcher;
  /** The rule that a match belongs to. */
  ruleOf(match: PatternMatch): Rule;
}

/** Rules of which some are to read texts together, now these, now those: what they look for is compiled once. */
export class RuleLibrary {
  private readonly rules: readonly Rule[];
  private readonly options: PatternSetOptions;
  private readonly views = new Map<View, ViewLibrary>();

  constructor(rules: readonly Rule[], options: PatternSetOptions = {}) {
    this.rules = rules;
    this.options = options;
  }

  /** Some of the library's rules, all of this view. */
  compiled(rules: readonly Rule[], view: View): CompiledRules {
    let library = this.views.get(view);
    if (library === undefined) {
      const reading = this.rules.filter((rule) => rule.view === view && rule.patterns.length > 0);
      library = new ViewLibrary(reading, view, this.options);
      this.views.set(view, library);
    }
    return library.compiled(rules);
  }
}

/** A rule's alternatives are one pattern, under the rule's number. */
class ViewLibrary {
  private readonly rules: readonly Rule[];
  private readonly patterns: PatternSet;

  constructor(rules: readonly Rule[], view: View, options: PatternSetOptions) {
    this.rules = rules;
    this.patterns = new PatternSet(
      rules.map((rule) => patternSource(rule, view)),
      options,
    );
  }

  compiled(rules: readonly Rule[]): CompiledRules {
    const chosen = new Set(rules);
    const numbers = [...this.rules.keys()].filter((number) => chosen.has(this.rules[number] as Rule));
    return { patterns: this.patterns.only(new Set(numbers)), ruleOf: (match) => this.ruleOf(match) };
  }

  private ruleOf({ pattern }: PatternMatch): Rule {
    const rule = this.rules[pattern];
    if (rule === undefined) throw new RangeError(`no rule for pattern ${pattern}`);
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
