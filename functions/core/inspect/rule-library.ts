import { CompiledRules, patternKey, patternSource } from './compiled-rules.ts';
import { joined } from './joined-matcher.ts';
import { CharSetPool } from './pattern/char-set-pool.ts';
import { compilePattern } from './pattern/compile-pattern.ts';
import { type PatternCode, PatternSet, type PatternSetOptions } from './pattern/pattern-set.ts';
import type { Rule, View } from './rule.ts';
import { SentenceMatcher } from './sentences/sentence-matcher.ts';

/** What rules were compiled to before, by what they look for: a rule that has changed since is not among them. */
export type RuleCodes = Readonly<Record<string, PatternCode>>;

/** Rules of which some are to read texts together, now these, now those: what they look for is compiled once. */
export class RuleLibrary {
  private readonly rules: readonly Rule[];
  private readonly codes: RuleCodes;
  private readonly options: PatternSetOptions | undefined;
  private readonly views = new Map<View, ViewLibrary>();

  /** `codes` spare those of the rules that are among them the compiling. */
  constructor(rules: readonly Rule[], codes: RuleCodes = {}, options?: PatternSetOptions) {
    this.rules = rules;
    this.codes = codes;
    this.options = options;
  }

  /** Some of the library's rules, all of this view. */
  compiled(rules: readonly Rule[], view: View): CompiledRules {
    let library = this.views.get(view);
    if (library === undefined) {
      const reading = this.rules.filter((rule) => rule.view === view && rule.patterns.length > 0);
      library = new ViewLibrary(reading, this.codes, this.options);
      this.views.set(view, library);
    }
    return library.compiled(rules);
  }
}

class ViewLibrary {
  private readonly rules: readonly Rule[];
  private readonly patterns: PatternSet;

  constructor(rules: readonly Rule[], codes: RuleCodes, options: PatternSetOptions | undefined) {
    this.rules = rules;
    this.patterns = new PatternSet(
      rules.map((rule) => {
        const key = patternKey(rule);
        return Object.hasOwn(codes, key) ? { code: codes[key] as PatternCode } : patternSource(rule);
      }),
      options,
    );
  }

  /** Of the rules given, those with patterns are the library's. */
  compiled(rules: readonly Rule[]): CompiledRules {
    const chosen = new Set(rules);
    const numbers = [...this.rules.keys()].filter((number) => chosen.has(this.rules[number] as Rule));
    const patterns = this.patterns.only(numbers);
    const cued = rules.flatMap((rule) => (rule.cues === undefined ? [] : { rule, cues: rule.cues }));
    if (cued.length === 0) return new CompiledRules(this.rules, patterns);
    const sentences = new SentenceMatcher(cued.map(({ cues }) => cues));
    return new CompiledRules(
      [...this.rules, ...cued.map(({ rule }) => rule)],
      joined(patterns, sentences, this.rules.length),
    );
  }
}

/** What a library is given as `codes`, of the rules that have patterns. */
export function compileRules(rules: readonly Rule[]): RuleCodes {
  const pool = new CharSetPool();
  const patterned = rules.filter(({ patterns }) => patterns.length > 0);
  return Object.fromEntries(patterned.map((rule) => [patternKey(rule), compilePattern(patternSource(rule), pool)]));
}
