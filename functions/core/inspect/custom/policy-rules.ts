import type { Surface } from '../../model/threat.ts';
import type { Finding } from '../finding.ts';
import type { PatternSetOptions } from '../pattern/pattern-set.ts';
import type { Rule } from '../rule.ts';
import { planStream, type StreamPlan } from '../stream-plan.ts';
import { keywordPattern } from './literal-pattern.ts';
import type { Allowed, BannedTopic, CustomSettings } from './settings-schema.ts';
import { allowedSurfaces, surfacesOf, toMatcher, toRule, unseen } from './to-rule.ts';
import { isTopicFamily, TOPIC_FAMILIES } from './topic-families.ts';
import type { Keyword, Topic } from './topic-tracker.ts';

/** Characters of a match of a policy's own pattern; an open repeat is cut there. */
export const MAX_MATCH_LENGTH = 1024;
/** DFA states of one set: policies are many, and each may fill its own. */
const OPTIONS: PatternSetOptions = { maxMatchLength: MAX_MATCH_LENGTH, maxStates: 500 };
const DEFAULT_POINTS = 2;

/** An entry of the allow list: what it allows, of which rules. */
interface AllowedEntry {
  readonly matcher: Rule | undefined;
  readonly surfaces: readonly Surface[];
  /** Ids and types; undefined for all. */
  readonly rules: ReadonlySet<string> | undefined;
}

/** The rules, topics and allowances of one policy, compiled for a surface when it is first read. */
export class PolicyRules {
  /** What finds something: the policy's rules, keywords of its topics, matchers of its allow list. */
  private readonly rules: readonly Rule[];
  private readonly keywords: ReadonlyMap<Rule, Keyword>;
  private readonly allowed: readonly AllowedEntry[];
  private readonly matchers: ReadonlySet<Rule>;
  /** By the rules that read a surface, since most surfaces are read by the same ones. */
  private readonly plans = new Map<string, StreamPlan>();

  constructor({ rules = [], allow = [], bannedTopics = [] }: CustomSettings) {
    this.allowed = allow.map(toEntry);
    this.matchers = new Set(this.allowed.flatMap(({ matcher }) => (matcher === undefined ? [] : [matcher])));
    this.keywords = new Map(bannedTopics.flatMap(keywordsOf));
    this.rules = [...rules.map(toRule), ...this.keywords.keys(), ...this.matchers];
  }

  get isEmpty(): boolean {
    return this.rules.length === 0 && this.allowed.length === 0;
  }

  plan(surface: Surface): StreamPlan {
    const numbers = [...this.rules.keys()].filter((at) => this.rules[at]?.surfaces.includes(surface));
    const key = numbers.join();
    let plan = this.plans.get(key);
    if (plan === undefined) {
      const reading = numbers.map((at) => this.rules[at] as Rule);
      plan = planStream(reading, mustSettle, OPTIONS);
      this.plans.set(key, plan);
    }
    return plan;
  }

  /** Whether anything on the surface can change the text, so that it must wait for these rules. */
  actsOn(surface: Surface): boolean {
    return this.rules.some((rule) => {
      const { forcedAction } = this.keywords.get(rule)?.topic.rule ?? rule;
      const acts = forcedAction === 'redact' || forcedAction === 'block';
      return rule.surfaces.includes(surface) && (acts || this.matchers.has(rule));
    });
  }

  keyword(rule: Rule): Keyword | undefined {
    return this.keywords.get(rule);
  }

  isMatcher(rule: Rule): boolean {
    return this.matchers.has(rule);
  }

  allowsMatches(surface: Surface): boolean {
    return this.allowed.some(({ matcher, surfaces }) => matcher !== undefined && surfaces.includes(surface));
  }

  /**
   * Whether the finding is not to be told: some entry names its rule or type, or all, and either has no matcher or
   * `covers` the finding with what its matcher matched. The test texts are always told.
   */
  isAllowed({ rule }: Finding, surface: Surface, covers: (matcher: Rule) => boolean): boolean {
    if (rule.id.startsWith('test-text/')) return false;
    return this.allowed.some(
      ({ matcher, surfaces, rules }) =>
        surfaces.includes(surface) &&
        (rules === undefined || rules.has(rule.id) || rules.has(rule.type)) &&
        (matcher === undefined || covers(matcher)),
    );
  }
}

/** Keywords and allowances, which have no action, count in the order in which they stand in the text: it must be known. */
function mustSettle({ forcedAction }: Rule): boolean {
  return forcedAction !== 'flag';
}

function toEntry(allowed: Allowed, at: number): AllowedEntry {
  return {
    matcher: toMatcher(allowed, at),
    surfaces: allowedSurfaces(allowed),
    rules: allowed.rules && new Set(allowed.rules),
  };
}

/** The words of a topic, with its families' own. */
export function topicWords({ name, families, keywords = [] }: BannedTopic): { word: string; points: number }[] {
  const named = families ?? (isTopicFamily(name) ? [name] : []);
  const all = named.flatMap((family) => [
    ...TOPIC_FAMILIES[family].sure.map((word) => ({ word, points: 2 })),
    ...TOPIC_FAMILIES[family].words.map((word) => ({ word, points: 1 })),
  ]);
  return [...all, ...keywords.map((word) => ({ word, points: 1 }))];
}

export function topicThreshold(topic: BannedTopic): number {
  return topic.threshold ?? DEFAULT_POINTS;
}

function keywordsOf(banned: BannedTopic): (readonly [Rule, Keyword])[] {
  const { name, action } = banned;
  const surfaces = surfacesOf(banned.surfaces);
  const shared = { ...unseen(`topic/${name}`), category: 'banned_topic', view: 'folded', surfaces } as const;
  const message = `The text speaks of ${name}, a topic that the policy bans.`;
  const topic: Topic = {
    rule: { ...shared, severity: 'medium', patterns: [], message, forcedAction: action },
    threshold: topicThreshold(banned),
  };
  return topicWords(banned).map(({ word, points }, at) => {
    const keyword: Rule = { ...shared, id: `${shared.id}#${at}`, patterns: [keywordPattern(word)] };
    return [keyword, { topic, points }] as const;
  });
}
