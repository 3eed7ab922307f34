import type { Surface } from '../../kernel/model/index.ts';
import { compareFindings, type Finding, type Rule, TextStream } from '../matching/index.ts';
import { TextWindow } from '../views/index.ts';
import type { PolicyRules } from './policy-rules.ts';
import { type Topic, TopicTracker } from './topic.ts';

/**
 * Applies a policy's rules to one text that arrives in pieces: adds their findings to those of the built-in rules and removes allowed
 * ones. Any split of the text has the same result.
 */
export class RuleLayer {
  private readonly rules: PolicyRules;
  private readonly surface: Surface;
  private readonly stream: TextStream;
  private readonly acts: boolean;
  private readonly allowsMatches: boolean;
  /** The text in which keywords may still be found; only if there are topics. */
  private readonly window: TextWindow | undefined;
  private readonly trackers = new Map<Topic, TopicTracker>();
  private readonly ranges = new Map<Rule, AllowedRanges>();
  /** Findings that may still be allowed, or that follow a keyword that is not final yet. */
  private waiting: Finding[] = [];

  constructor(rules: PolicyRules, surface: Surface) {
    const plan = rules.plan(surface);
    this.rules = rules;
    this.surface = surface;
    this.stream = new TextStream(plan, { plan, attacks: plan, classify: () => [] });
    this.acts = rules.actsOn(surface);
    this.allowsMatches = rules.allowsMatches(surface);
    this.window = rules.hasTopics ? new TextWindow() : undefined;
  }

  /** Takes a piece and the findings of the built-in rules in it; returns the findings to report. */
  read(piece: string, found: readonly Finding[], last: boolean): Finding[] {
    this.window?.push(piece);
    const own = last ? this.stream.end(piece) : this.stream.push(piece);
    return this.take([...found, ...own], last ? Number.POSITIVE_INFINITY : this.stream.settled);
  }

  /** Returns the remaining findings when no more text is read. */
  catchUp(found: readonly Finding[]): Finding[] {
    return this.take([...found, ...this.stream.catchUp()], this.stream.settled);
  }

  private take(found: readonly Finding[], certain: number): Finding[] {
    const ready: Finding[] = [];
    const waiting: Finding[] = [];
    for (const finding of [...this.waiting, ...found]) {
      (finding.start < certain || !this.mustWait(finding) ? ready : waiting).push(finding);
    }
    this.waiting = waiting;
    const reported = ready.sort((a, b) => this.compare(a, b)).flatMap((finding) => this.apply(finding));
    this.window?.forget(this.stream.settled);
    return reported;
  }

  /** Raw offset before which no acting or allowing match is found any more; Infinity if there are no such rules. */
  get settled(): number {
    return this.acts ? this.stream.settled : Number.POSITIVE_INFINITY;
  }

  private mustWait({ rule }: Finding): boolean {
    return this.allowsMatches || this.rules.topicOf(rule) !== undefined;
  }

  /** By start; allow list matches first, then longer ones. */
  private compare(a: Finding, b: Finding): number {
    const allows = Number(this.rules.isMatcher(b.rule)) - Number(this.rules.isMatcher(a.rule));
    return a.start - b.start || allows || b.end - a.end || compareFindings(a, b);
  }

  private apply(finding: Finding): Finding[] {
    const { rule, start, end, decodedFrom } = finding;
    const topic = this.rules.topicOf(rule);
    if (topic === undefined && !this.rules.isMatcher(rule)) return this.unlessAllowed(finding);
    // Findings in decoded text neither allow anything nor count for a topic: they arrive late and out of order.
    if (decodedFrom.length > 0) return [];
    if (topic === undefined) {
      this.rangesOf(rule).add(start, end);
      return [];
    }
    const found = this.trackerOf(topic).add(finding, this.window?.slice(start, end) ?? '');
    return found === undefined ? [] : this.unlessAllowed(found);
  }

  private unlessAllowed(finding: Finding): Finding[] {
    const covers = (matcher: Rule) => this.ranges.get(matcher)?.covers(finding.start, finding.end) ?? false;
    return this.rules.isAllowed(finding, this.surface, covers) ? [] : [finding];
  }

  private trackerOf(topic: Topic): TopicTracker {
    let tracker = this.trackers.get(topic);
    if (tracker === undefined) {
      tracker = new TopicTracker(topic);
      this.trackers.set(topic, tracker);
    }
    return tracker;
  }

  private rangesOf(matcher: Rule): AllowedRanges {
    let ranges = this.ranges.get(matcher);
    if (ranges === undefined) {
      ranges = new AllowedRanges();
      this.ranges.set(matcher, ranges);
    }
    return ranges;
  }
}

/** Older ranges are dropped: an encoded run, reported late, starts at most this far back. */
const KEPT_UNITS = 1 << 17;

/** The matches of one allow list entry in a text: ordered ranges without overlap. */
class AllowedRanges {
  private starts: number[] = [];
  private ends: number[] = [];

  add(start: number, end: number): void {
    this.starts.push(start);
    this.ends.push(end);
    if ((this.starts[0] as number) < start - 2 * KEPT_UNITS) this.forget(start - KEPT_UNITS);
  }

  /** Whether [start, end) is within one of the ranges. */
  covers(start: number, end: number): boolean {
    let low = 0;
    let high = this.starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.starts[middle] as number) <= start) low = middle + 1;
      else high = middle;
    }
    return low > 0 && (this.ends[low - 1] as number) >= end;
  }

  private forget(before: number): void {
    const kept = this.starts.findIndex((start) => start >= before);
    this.starts = this.starts.slice(kept);
    this.ends = this.ends.slice(kept);
  }
}
