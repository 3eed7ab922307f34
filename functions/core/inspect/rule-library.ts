import { CharSetPool } from './pattern/char-set-pool.ts';
import { compilePattern, type PatternCode, type PatternSource } from './pattern/compile-pattern.ts';
import { type PatternMatch, type PatternMatcher, PatternSet, type PatternSetOptions } from './pattern/pattern-set.ts';
import type { Rule, View } from './rule.ts';
import { toFolded } from './view/read-character.ts';

/** What rules were compiled to before, by what they look for: a rule that has changed since is not among them. */
export type RuleCodes = Readonly<Record<string, PatternCode>>;

/** Rules that read one view together. */
export interface CompiledRules {
  readonly patterns: PatternMatcher;
  /** The rules that a match belongs to. */
  rulesOf(match: PatternMatch): readonly Rule[];
}

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

/** A rule's alternatives are one pattern. Rules that look for the same, in texts of different authors, share it. */
class ViewLibrary {
  private readonly patterns: PatternSet;
  /** Of each rule its pattern. */
  private readonly numbers = new Map<Rule, number>();

  constructor(rules: readonly Rule[], codes: RuleCodes, options: PatternSetOptions | undefined) {
    const firsts = new Map<string, { readonly number: number; readonly rule: Rule }>();
    for (const rule of rules) {
      const key = keyOf(rule);
      const first = firsts.get(key) ?? { number: firsts.size, rule };
      firsts.set(key, first);
      this.numbers.set(rule, first.number);
    }
    this.patterns = new PatternSet(
      Array.from(firsts, ([key, { rule }]) => {
        return Object.hasOwn(codes, key) ? { code: codes[key] as PatternCode } : patternSource(rule);
      }),
      options,
    );
  }

  compiled(rules: readonly Rule[]): CompiledRules {
    const chosen = new Map<number, Rule[]>();
    for (const rule of rules) {
      const number = this.numbers.get(rule);
      if (number === undefined) throw new RangeError(`${rule.id} is not in the library`);
      const sharing = chosen.get(number);
      if (sharing === undefined) chosen.set(number, [rule]);
      else sharing.push(rule);
    }
    return {
      patterns: this.patterns.only(new Set(chosen.keys())),
      rulesOf: ({ pattern }) => chosen.get(pattern) ?? [],
    };
  }
}

/** What a library is given as `codes`, of the rules that have patterns. */
export function compileRules(rules: readonly Rule[]): RuleCodes {
  const pool = new CharSetPool();
  const patterned = rules.filter(({ patterns }) => patterns.length > 0);
  return Object.fromEntries(patterned.map((rule) => [keyOf(rule), compilePattern(patternSource(rule), pool)]));
}

/** Rules with one key look for the same in the same view. As written, not as folded: that takes longer than all the rest. */
function keyOf({ view, patterns, ignoreCase = false }: Rule): string {
  return `${view === 'folded' ? 'folded ' : ''}${ignoreCase ? '(?i)' : ''}${anyOf(patterns)}`;
}

/** A rule's alternatives as one pattern, as the rule's view spells it. */
export function patternSource({ view, patterns, ignoreCase = false }: Rule): PatternSource {
  return { source: anyOf(view === 'folded' ? patterns.map(foldPattern) : patterns), ignoreCase };
}

function anyOf(patterns: readonly string[]): string {
  return patterns.map((pattern) => `(?:${pattern})`).join('|');
}

/** A pattern as the folded view spells it. Its ASCII stays, since in escapes the case of a letter has a meaning. */
function foldPattern(pattern: string): string {
  return pattern.replace(/[^ -~]/gu, toFolded);
}
