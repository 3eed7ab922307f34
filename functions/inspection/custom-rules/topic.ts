import { type BannedTopic, isTopicFamily, TOPIC_FAMILIES, type TopicFamily } from '../../kernel/model/index.ts';
import type { Finding, Rule } from '../matching/index.ts';
import { alternatives, foldWords, internalRule, keywordPattern, surfacesOf } from './to-rule.ts';

const DEFAULT_THRESHOLD = 2;

/** A keyword of a topic and its points. */
export interface Keyword {
  readonly word: string;
  readonly points: number;
}

/** A banned topic: the rule that finds its keywords, and the rule that is reported once their points reach the threshold. */
export interface Topic {
  readonly finder: Rule;
  readonly rule: Rule;
  readonly threshold: number;
  /** The keyword for a text that the finder matched. */
  readonly keywordOf: (text: string) => Keyword;
}

export function toTopic(banned: BannedTopic): Topic {
  const { name, action } = banned;
  const keywords = keywordsOf(banned);
  const surfaces = surfacesOf(banned.surfaces);
  const shared = { ...internalRule(`topic/${name}`), category: 'banned_topic', view: 'folded', surfaces } as const;
  const message = `The text is about ${name}, a topic that the policy bans.`;
  return {
    finder: { ...shared, patterns: alternatives(keywords.map(({ word }) => keywordPattern(word))) },
    rule: { ...shared, severity: 'medium', patterns: [], message, forcedAction: action },
    threshold: thresholdOf(banned),
    keywordOf: keywordFinder(keywords),
  };
}

export function thresholdOf({ threshold }: BannedTopic): number {
  return threshold ?? DEFAULT_THRESHOLD;
}

/** The keywords of its families, then its own keywords. */
export function keywordsOf(banned: BannedTopic): Keyword[] {
  const own = (banned.keywords ?? []).map((word) => ({ word, points: 1 }));
  return [...familiesOf(banned).flatMap(familyKeywords), ...own];
}

/** The families that a topic names, or the family with the topic's name. */
export function familiesOf({ name, families }: BannedTopic): readonly TopicFamily[] {
  return families ?? (isTopicFamily(name) ? [name] : []);
}

function familyKeywords(family: TopicFamily): Keyword[] {
  const { sure, words } = TOPIC_FAMILIES[family];
  return [...sure.map((word) => ({ word, points: 2 })), ...words.map((word) => ({ word, points: 1 }))];
}

function keywordFinder(keywords: readonly Keyword[]): Topic['keywordOf'] {
  const whole = new Map<string, Keyword>();
  const stems = new Map<string, Keyword>();
  for (const keyword of keywords) {
    const { word } = keyword;
    if (word.endsWith('*')) stems.set(foldWords(word.slice(0, -1)), keyword);
    else whole.set(foldWords(word), keyword);
  }
  return (text) => {
    const folded = foldWords(text);
    let found = whole.get(folded);
    for (let length = folded.length; found === undefined && length > 0; length--)
      found = stems.get(folded.slice(0, length));
    return found ?? { word: folded, points: 1 };
  };
}

/** Keywords count together if their starts are at most this far apart, in UTF-16 code units. */
const WINDOW_UNITS = 300;

/** Sums up the distinct keywords of one topic in one text. */
export class TopicTracker {
  private readonly topic: Topic;
  /** The last place of each keyword. */
  private readonly recent = new Map<Keyword['word'], { readonly start: number; readonly points: number }>();

  constructor(topic: Topic) {
    this.topic = topic;
  }

  /**
   * Takes the finder's matches in order. Reports the keyword that reaches the threshold, so that no earlier text has to wait; then the
   * count restarts.
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
