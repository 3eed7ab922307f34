import {
  CharSetPool,
  compareMatches,
  compilePattern,
  type PatternCode,
  type PatternMatch,
  type PatternMatcher,
  PatternSet,
  type PatternSetOptions,
  type PatternSource,
  type PatternStream,
} from '../pattern-engine/index.ts';
import { toFolded, type View } from '../views/index.ts';
import type { Rule } from './rule.ts';
import { SentenceMatcher } from './sentence-matcher.ts';

/** Compiled patterns of rules, by `patternKey`: a rule that has changed since has no entry. */
export type RuleCodes = Readonly<Record<string, PatternCode>>;

/** A set of rules whose subsets inspect texts; their patterns are compiled once. */
export class RuleLibrary {
  private readonly rules: readonly Rule[];
  private readonly codes: RuleCodes;
  private readonly options: PatternSetOptions | undefined;
  private readonly views = new Map<View, ViewLibrary>();

  /** `codes`: compiled patterns, by `patternKey`. A rule without one is compiled when its view is first read. */
  constructor(rules: readonly Rule[], codes: RuleCodes = {}, options?: PatternSetOptions) {
    this.rules = rules;
    this.codes = codes;
    this.options = options;
  }

  /** Some of the library's rules, all of this view. */
  compiled(rules: readonly Rule[], view: View): CompiledRules {
    let library = this.views.get(view);
    if (library === undefined) {
      const reading = this.rules.filter((rule) => isReadIn(view, rule));
      library = new ViewLibrary(reading, patternsOf(reading, this.codes, this.options));
      this.views.set(view, library);
    }
    return library.compiled(rules);
  }
}

class ViewLibrary {
  private readonly rules: readonly Rule[];
  private readonly patterns: PatternSet;

  /** `patterns` are those of the rules, in their order. */
  constructor(rules: readonly Rule[], patterns: PatternSet) {
    this.rules = rules;
    this.patterns = patterns;
  }

  /** Of these rules, those with patterns must be in the library. */
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

function isReadIn(view: View, rule: Rule): boolean {
  return rule.view === view && rule.patterns.length > 0;
}

function patternsOf(rules: readonly Rule[], codes: RuleCodes, options: PatternSetOptions | undefined): PatternSet {
  const patterns = rules.map((rule) => {
    const key = patternKey(rule);
    return Object.hasOwn(codes, key) ? { code: codes[key] as PatternCode } : patternSource(rule);
  });
  return new PatternSet(patterns, options);
}

/** Compiles the patterns of rules to codes for a library. */
export function compileRules(rules: readonly Rule[]): RuleCodes {
  const pool = new CharSetPool();
  const patterned = rules.filter(({ patterns }) => patterns.length > 0);
  return Object.fromEntries(patterned.map((rule) => [patternKey(rule), compilePattern(patternSource(rule), pool)]));
}

/** Rules that match one view together: the alternatives of a rule are one pattern. */
export class CompiledRules {
  readonly patterns: PatternMatcher;
  private readonly rules: readonly Rule[];

  /** `rules` are in the order of the patterns' numbers. */
  constructor(rules: readonly Rule[], patterns: PatternMatcher) {
    this.rules = rules;
    this.patterns = patterns;
  }

  /** The rule of a match. */
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

/** The pattern and view of a rule, unfolded: folding would take a start longer than linking all rules. */
export function patternKey({ view, patterns, ignoreCase = false }: Rule): string {
  return `${view === 'folded' ? 'folded ' : ''}${ignoreCase ? '(?i)' : ''}${anyOf(patterns)}`;
}

function anyOf(patterns: readonly string[]): string {
  return patterns.map((pattern) => `(?:${pattern})`).join('|');
}

/** A pattern as the folded view spells it. ASCII is kept, since the case of a letter has a meaning in escapes. */
function foldPattern(pattern: string): string {
  return pattern.replace(/[^ -~]/gu, toFolded);
}

/** Joins two matchers; the patterns of the second are numbered from `firstOfSecond` on. */
export function joined(first: PatternMatcher, second: PatternMatcher, firstOfSecond: number): PatternMatcher {
  return {
    stream: () => new JoinedStream(first.stream(), second.stream(), firstOfSecond),
    watch: () => new JoinedStream(first.watch(), second.watch(), firstOfSecond),
  };
}

class JoinedStream implements PatternStream {
  private readonly first: PatternStream;
  private readonly second: PatternStream;
  private readonly firstOfSecond: number;

  constructor(first: PatternStream, second: PatternStream, firstOfSecond: number) {
    this.first = first;
    this.second = second;
    this.firstOfSecond = firstOfSecond;
  }

  get settled(): number {
    return Math.min(this.first.settled, this.second.settled);
  }

  get length(): number {
    return this.first.length;
  }

  push(text: string): PatternMatch[] {
    return this.merged(this.first.push(text), this.second.push(text));
  }

  end(text?: string): PatternMatch[] {
    return this.merged(this.first.end(text), this.second.end(text));
  }

  private merged(ours: PatternMatch[], theirs: PatternMatch[]): PatternMatch[] {
    if (theirs.length === 0) return ours;
    const numbered = theirs.map((match) => ({ ...match, pattern: this.firstOfSecond + match.pattern }));
    return [...ours, ...numbered].sort(compareMatches);
  }
}
