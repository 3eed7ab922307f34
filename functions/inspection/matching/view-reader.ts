import type { PatternMatch, PatternStream } from '../pattern-engine/index.ts';
import { type PositionMap, type TextViews, TextWindow, type View } from '../views/index.ts';
import type { RuleHit } from './finding.ts';
import type { Rule } from './rule.ts';
import type { CompiledRules } from './rule-library.ts';

/** View text before a match that its check may read. */
const CONTEXT_UNITS = 64;

/** The same for rules on sentences, whose subject may be far ahead. */
const SENTENCE_CONTEXT_UNITS = 256;

/** Matches the rules of one view against a text that arrives in pieces. */
export class ViewReader {
  readonly view: View;
  private readonly rules: CompiledRules;
  private readonly stream: PatternStream;
  private readonly positions: PositionMap;
  private readonly window = new TextWindow();
  private readonly checked = new Map<Rule, number>();

  /** `holds`: whether the exact settled offset is needed. */
  constructor(view: View, rules: CompiledRules, views: TextViews, holds: boolean) {
    this.view = view;
    this.rules = rules;
    this.stream = holds ? rules.patterns.stream() : rules.patterns.watch();
    this.positions = views.positions(view);
  }

  /** The hits that have become final with the next piece of the view's text. */
  read(text: string, last: boolean): RuleHit[] {
    this.window.push(text);
    const hits: RuleHit[] = [];
    for (const match of last ? this.stream.end(text) : this.stream.push(text)) {
      const hit = this.check(this.rules.ruleOf(match), match);
      if (hit !== undefined) hits.push(hit);
    }
    if (!last) this.window.forget(this.needed);
    return hits;
  }

  /** Raw offset before which no later hit starts or covers anything. */
  get settled(): number {
    return this.positions.rawStart(this.stream.settled);
  }

  /** View offset from which text and positions are still needed. */
  get needed(): number {
    return Math.max(0, this.stream.settled - SENTENCE_CONTEXT_UNITS);
  }

  private check(rule: Rule, match: PatternMatch): RuleHit | undefined {
    const score = this.score(rule, match);
    if (score === undefined) return undefined;
    const { positions } = this;
    return { rule, score, start: positions.rawStart(match.start), end: positions.rawEnd(match.end) };
  }

  private score(rule: Rule, match: PatternMatch): number | undefined {
    if (rule.check === undefined) return rule.score;
    const contextUnits = rule.cues === undefined ? CONTEXT_UNITS : SENTENCE_CONTEXT_UNITS;
    const before = this.window.slice(Math.max(0, match.start - contextUnits), match.start);
    const earlier = this.checked.get(rule) ?? 0;
    this.checked.set(rule, earlier + 1);
    return rule.check(this.window.slice(match.start, match.end), { before, earlier });
  }
}
