import type { Allowed, CustomSettings, Surface } from '../../kernel/model/index.ts';
import { type Finding, planStream, type Rule, RuleLibrary, type StreamPlan } from '../matching/index.ts';
import type { PatternSetOptions } from '../pattern-engine/index.ts';
import { allowedSurfaces, toMatcher, toRule } from './to-rule.ts';
import { type Topic, toTopic } from './topic.ts';

/** The longest match of a custom pattern in characters; an open repeat is cut there. */
export const MAX_MATCH_LENGTH = 1024;
/** DFA states of one set: there are many policies, and each may use its full number. */
const OPTIONS: PatternSetOptions = { maxMatchLength: MAX_MATCH_LENGTH, maxStates: 500 };

/** A compiled entry of the allow list. */
interface AllowedEntry {
  readonly matcher: Rule | undefined;
  readonly surfaces: readonly Surface[];
  /** Rule ids and types; undefined for all. */
  readonly rules: ReadonlySet<string> | undefined;
}

/** The rules, topics and allow list of one policy, compiled for each surface on first use. */
export class PolicyRules {
  /** All rules that match text: custom rules, topic finders, and allow list matchers. */
  private readonly rules: readonly Rule[];
  private readonly library: RuleLibrary;
  /** Topics by the rule that finds their keywords. */
  private readonly topics: ReadonlyMap<Rule, Topic>;
  private readonly allowed: readonly AllowedEntry[];
  private readonly matchers: ReadonlySet<Rule>;
  /** Plans by the ids of their rules, since most surfaces use the same rules. */
  private readonly plans = new Map<string, StreamPlan>();

  constructor({ rules = [], allow = [], bannedTopics = [] }: CustomSettings) {
    this.allowed = allow.map(toEntry);
    this.matchers = new Set(this.allowed.flatMap(({ matcher }) => (matcher === undefined ? [] : [matcher])));
    this.topics = new Map(bannedTopics.map(toTopic).map((topic) => [topic.finder, topic]));
    this.rules = [...rules.map(toRule), ...this.topics.keys(), ...this.matchers];
    this.library = new RuleLibrary(this.rules, undefined, OPTIONS);
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
      plan = planStream(reading, mustSettle, this.library);
      this.plans.set(key, plan);
    }
    return plan;
  }

  /** Whether any rule on the surface can change the text, so that text must wait for these rules. */
  actsOn(surface: Surface): boolean {
    return this.rules.some((rule) => {
      const { forcedAction } = this.topics.get(rule)?.rule ?? rule;
      const acts = forcedAction === 'redact' || forcedAction === 'block';
      return rule.surfaces.includes(surface) && (acts || this.matchers.has(rule));
    });
  }

  /** The topic whose keywords the rule finds. */
  topicOf(finder: Rule): Topic | undefined {
    return this.topics.get(finder);
  }

  get hasTopics(): boolean {
    return this.topics.size > 0;
  }

  isMatcher(rule: Rule): boolean {
    return this.matchers.has(rule);
  }

  allowsMatches(surface: Surface): boolean {
    return this.allowed.some(({ matcher, surfaces }) => matcher !== undefined && surfaces.includes(surface));
  }

  /**
   * Whether the finding is suppressed: an entry names its rule or type, or all, and either has no matcher or `covers` returns true for
   * its matcher. Test texts are always reported.
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

/** Finders and matchers have no action, but the order of their matches must be known. */
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

/** Cache limits: entries, and total characters of their settings, which compiled rules grow with. */
const MAX_CACHED = 64;
const MAX_CACHED_CHARS = 128 * 1024;

/** By the settings' JSON, least recently used first. Keys are read again every few seconds, but rules are compiled once. */
const cache = new Map<string, PolicyRules>();
let cachedChars = 0;
const NONE = new PolicyRules({});

/** Returns a function that returns the compiled rules of these settings, cached for recently used policies. */
export function cachedRules({ rules, allow, bannedTopics }: CustomSettings): () => PolicyRules {
  if (rules === undefined && allow === undefined && bannedTopics === undefined) return () => NONE;
  const settings = { rules: rules?.map(({ tests: _, ...rule }) => rule), allow, bannedTopics };
  const key = JSON.stringify(settings);
  return () => {
    const compiled = take(key) ?? new PolicyRules(settings);
    cache.set(key, compiled);
    cachedChars += key.length;
    for (const oldest of cache.keys()) {
      if (oldest === key || (cache.size <= MAX_CACHED && cachedChars <= MAX_CACHED_CHARS)) break;
      take(oldest);
    }
    return compiled;
  };
}

function take(key: string): PolicyRules | undefined {
  const compiled = cache.get(key);
  if (cache.delete(key)) cachedChars -= key.length;
  return compiled;
}
