import type { Finding } from '../finding.ts';
import type { Keyword, Topic } from './topic.ts';

/** Keywords count together where they begin no further apart, in UTF-16 code units. */
const WINDOW_UNITS = 300;

/** Adds up the different keywords of one topic in one text. */
export class TopicTracker {
  private readonly topic: Topic;
  /** By keyword, where it stood last. */
  private readonly recent = new Map<Keyword['word'], { readonly start: number; readonly points: number }>();

  constructor(topic: Topic) {
    this.topic = topic;
  }

  /**
   * Takes what the topic's finder matched, in order. The finding stands at the keyword with which the topic is clear, so
   * that nothing before it ever has to wait; then the count begins anew.
   */
  add({ start, end }: Finding, text: string): Finding | undefined {
    const { word, points } = this.topic.keywordOf(text);
    for (const [other, place] of this.recent) if (place.start < start - WINDOW_UNITS) this.recent.delete(other);
    this.recent.set(word, { start, points });
    const total = [...this.recent.values()].reduce((sum, place) => sum + place.points, 0);
    if (total < this.topic.threshold) return undefined;
    this.recent.clear();
    const { rule } = this.topic;
    return { rule, score: rule.score, start, end, decodedFrom: [] };
  }
}
