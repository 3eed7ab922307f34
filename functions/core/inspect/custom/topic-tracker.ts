import type { Finding } from '../finding.ts';
import type { Rule } from '../rule.ts';

/** Keywords count together where they begin no further apart, in UTF-16 code units. */
const WINDOW_UNITS = 300;

/** A banned topic as it is told, and the points from which on it is. */
export interface Topic {
  readonly rule: Rule;
  readonly threshold: number;
}

/** What a keyword is worth to its topic. */
export interface Keyword {
  readonly topic: Topic;
  readonly points: number;
}

/** Adds up the different keywords of one topic in one text. */
export class TopicTracker {
  private readonly topic: Topic;
  /** By keyword, where it stood last. */
  private readonly recent = new Map<Rule, { readonly start: number; readonly points: number }>();
  private readUpTo = 0;

  constructor(topic: Topic) {
    this.topic = topic;
  }

  /**
   * Takes the keywords in the order of their starts, longer ones first. The finding stands at the keyword with which the
   * topic is clear, so that nothing before it ever has to wait; then the count begins anew.
   */
  add({ rule: keyword, start, end }: Finding, points: number): Finding | undefined {
    // A keyword within another one says nothing more.
    if (start < this.readUpTo) return undefined;
    this.readUpTo = end;
    for (const [other, place] of this.recent) if (place.start < start - WINDOW_UNITS) this.recent.delete(other);
    this.recent.set(keyword, { start, points });
    const total = [...this.recent.values()].reduce((sum, place) => sum + place.points, 0);
    if (total < this.topic.threshold) return undefined;
    this.recent.clear();
    const { rule } = this.topic;
    return { rule, score: rule.score, start, end, decodedFrom: [] };
  }
}
