import type { CompiledRules } from './compiled-rules.ts';
import type { PatternMatch, PatternStream } from './pattern/pattern-set.ts';
import type { Rule } from './rule.ts';
import type { ViewPlan } from './stream-plan.ts';
import { TextWindow } from './text-window.ts';
import { isAscii, TextView } from './view/text-view.ts';

/** View text before a match that its check may read. */
const CONTEXT_UNITS = 64;

/** A match that its rule's check has confirmed, in offsets of the raw text. */
export interface RuleHit {
  readonly rule: Rule;
  readonly score: number;
  readonly start: number;
  readonly end: number;
  /** As in Finding. */
  readonly cutsAt?: number;
}

/** A text of one view with the rules that read it, as it arrives in pieces. */
export class ViewReader {
  private readonly view: TextView;
  private readonly window = new TextWindow();
  private readonly scanners: readonly { readonly rules: CompiledRules; readonly stream: PatternStream }[];
  private readonly holding: PatternStream | undefined;
  private readonly isRaw: boolean;
  private isNew = true;

  constructor(plan: ViewPlan) {
    this.view = new TextView(plan.view);
    this.isRaw = plan.view === 'raw';
    const open = (rules: CompiledRules | undefined) =>
      rules === undefined ? [] : [{ rules, stream: rules.patterns.stream() }];
    const holding = open(plan.holding);
    this.holding = holding[0]?.stream;
    this.scanners = [...holding, ...open(plan.watching)];
  }

  /** The hits that have become final. */
  read(piece: string, last: boolean): RuleHit[] {
    // What rules of this view look for is not in a whole text that is all ASCII.
    if (last && this.isRaw && this.isNew && isAscii(piece)) return [];
    this.isNew = false;
    const text = last ? this.view.push(piece) + this.view.end() : this.view.push(piece);
    this.window.push(text);
    const hits: RuleHit[] = [];
    for (const { rules, stream } of this.scanners) {
      for (const match of last ? stream.end(text) : stream.push(text)) {
        const hit = this.judge(rules.ruleOf(match), match);
        if (hit !== undefined) hits.push(hit);
      }
    }
    this.forget();
    return hits;
  }

  /** Raw offset before which no later hit of a holding rule starts or covers anything; Infinity where none holds. */
  get settled(): number {
    return this.holding === undefined ? Number.POSITIVE_INFINITY : this.view.positions.rawStart(this.holding.settled);
  }

  /** Raw offset before which no later hit of any rule starts. */
  get seen(): number {
    return this.view.positions.rawStart(this.viewSeen());
  }

  private judge(rule: Rule, match: PatternMatch): RuleHit | undefined {
    const score = this.score(rule, match);
    if (score === undefined) return undefined;
    const { positions } = this.view;
    return { rule, score, start: positions.rawStart(match.start), end: positions.rawEnd(match.end) };
  }

  private score(rule: Rule, match: PatternMatch): number | undefined {
    if (rule.check === undefined) return rule.score;
    const before = this.window.slice(Math.max(0, match.start - CONTEXT_UNITS), match.start);
    return rule.check(this.window.slice(match.start, match.end), { before });
  }

  private viewSeen(): number {
    return Math.min(...this.scanners.map(({ stream }) => stream.settled));
  }

  private forget(): void {
    const seen = this.viewSeen();
    this.window.forget(Math.max(0, seen - CONTEXT_UNITS));
    this.view.positions.forget(seen);
  }
}
