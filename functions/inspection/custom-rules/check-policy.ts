import type * as z from 'zod';
import type { Allowed, BannedTopic, CustomRule, CustomSettings, PolicySettings } from '../../kernel/model/index.ts';
import { patternSource, type Rule } from '../matching/index.ts';
import { PatternBudget, type PatternLimits, type PatternSource, PatternSyntaxError } from '../pattern-engine/index.ts';
import { MAX_MATCH_LENGTH, PolicyRules } from './policy-rules.ts';
import { RuleLayer } from './rule-layer.ts';
import { keywordPattern, literalPattern, literalView, surfacesOf, toRule } from './to-rule.ts';
import { keywordsOf, thresholdOf, toTopic } from './topic.ts';

/** A thread costs about 10 ns a character: time on the worst text is bounded like memory. */
const PATTERN_LIMITS: PatternLimits = {
  maxStates: 2_000,
  maxThreads: 250,
  maxSets: 300,
  maxMatchLength: MAX_MATCH_LENGTH,
};
const WORD_LIMITS: PatternLimits = { ...PATTERN_LIMITS, maxStates: 20_000, maxThreads: 100, maxSets: 500 };

/** A fault of settings that have the right form, and its place. */
export interface SettingsFault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/**
 * Adds an issue for the first fault of a policy's rules, allowances and topics, and of its shadow's: a refused pattern
 * or a failed example. For `superRefine` of schemas that take a policy from a client; `path` is the policy's place in
 * them.
 */
export function checkPolicy(
  settings: PolicySettings | undefined,
  context: z.RefinementCtx,
  path: readonly PropertyKey[] = [],
): void {
  if (settings === undefined) return;
  const fault = findFault(settings) ?? findFault(settings.shadow ?? {}, ['shadow']);
  if (fault) context.addIssue({ code: 'custom', path: [...path, ...fault.path], message: fault.message });
}

/** The first fault of a policy's custom rules, with its place; undefined where there is none. */
export function findFault(settings: CustomSettings, path: SettingsFault['path'] = []): SettingsFault | undefined {
  try {
    new SettingsCheck().all(settings);
    return undefined;
  } catch (error) {
    if (error instanceof FaultFound) return { ...error.fault, path: [...path, ...error.fault.path] };
    throw error;
  }
}

class FaultFound extends Error {
  readonly fault: SettingsFault;

  constructor(path: SettingsFault['path'], message: string) {
    super(message);
    this.fault = { path, message };
  }
}

type Path = SettingsFault['path'];

/** Counts the cost of all patterns together, so that one key cannot starve the others. */
class SettingsCheck {
  private readonly patternBudget = new PatternBudget(PATTERN_LIMITS);
  private readonly wordBudget = new PatternBudget(WORD_LIMITS);
  private readonly names = new Set<string>();

  all({ rules = [], allow = [], bannedTopics = [] }: CustomSettings): void {
    for (const [at, rule] of rules.entries()) this.rule(rule, ['rules', at]);
    for (const [at, allowed] of allow.entries()) this.allowed(allowed, ['allow', at]);
    for (const [at, topic] of bannedTopics.entries()) this.topic(topic, ['bannedTopics', at]);
    // Last, when everything is known to be small enough to compile.
    for (const [at, rule] of rules.entries()) checkExamples(rule, ['rules', at]);
  }

  private rule(rule: CustomRule, path: Path): void {
    const { id, pattern, literals, ignoreCase = false, wholeWord } = rule;
    this.unique(`rule ${id}`, [...path, 'id']);
    if ((pattern === undefined) === (literals === undefined)) {
      throw new FaultFound([...path, 'pattern'], "a rule has either 'pattern' or 'literals'");
    }
    if (pattern !== undefined) {
      if (wholeWord !== undefined) throw new FaultFound([...path, 'wholeWord'], 'applies to literals only');
      this.pattern({ source: pattern, ignoreCase }, [...path, 'pattern']);
    }
    for (const [at, literal] of (literals ?? []).entries()) {
      this.visible(literalPattern(literal, literalView(ignoreCase)), [...path, 'literals', at]);
    }
    if (literals !== undefined) this.words(toRule(rule), [...path, 'literals']);
  }

  private allowed({ literal, pattern, ignoreCase = false, rules }: Allowed, path: Path): void {
    if (literal !== undefined && pattern !== undefined) {
      throw new FaultFound([...path, 'pattern'], "an entry has 'literal' or 'pattern', not both");
    }
    if (literal === undefined && pattern === undefined && rules === undefined) {
      throw new FaultFound([...path, 'literal'], "an entry has 'literal', 'pattern' or 'rules'");
    }
    if (pattern !== undefined) this.pattern({ source: pattern, ignoreCase }, [...path, 'pattern']);
    if (literal !== undefined) {
      const source = literalPattern(literal, literalView(ignoreCase));
      this.visible(source, [...path, 'literal']);
      spend(this.wordBudget, { source }, [...path, 'literal']);
    }
  }

  private topic(topic: BannedTopic, path: Path): void {
    this.unique(`topic ${topic.name}`, [...path, 'name']);
    const keywords = keywordsOf(topic);
    if (keywords.length === 0) throw new FaultFound([...path, 'keywords'], 'the name is not a family: give keywords');
    if (keywords.reduce((sum, { points }) => sum + points, 0) < thresholdOf(topic)) {
      throw new FaultFound([...path, 'threshold'], 'all keywords together do not reach it');
    }
    for (const [at, word] of (topic.keywords ?? []).entries()) {
      this.visible(keywordPattern(word), [...path, 'keywords', at]);
    }
    this.words(toTopic(topic).finder, [...path, 'keywords']);
  }

  private unique(name: string, path: Path): void {
    if (this.names.has(name)) throw new FaultFound(path, 'is there twice');
    this.names.add(name);
  }

  private visible(source: string, path: Path): void {
    if (source === '') throw new FaultFound(path, 'contains no visible characters');
  }

  /** Words are counted in their compiled form, which shares common beginnings. */
  private words(rule: Rule, path: Path): void {
    spend(this.wordBudget, patternSource(rule), path);
  }

  private pattern(source: PatternSource, path: Path): void {
    spend(this.patternBudget, source, path);
  }
}

function spend(budget: PatternBudget, source: PatternSource, path: Path): void {
  try {
    budget.add(source);
  } catch (error) {
    if (!(error instanceof PatternSyntaxError)) throw error;
    throw new FaultFound(path, `is refused at character ${error.offset + 1}: ${error.problem}`);
  }
}

/** Tests a rule on its examples alone, without the policy's allowances. */
function checkExamples(rule: CustomRule, path: Path): void {
  const { match = [], noMatch = [] } = rule.tests ?? {};
  if (match.length + noMatch.length === 0) return;
  const [surface = 'user'] = surfacesOf(rule.surfaces);
  const alone = new PolicyRules({ rules: [rule] });
  const finds = (text: string) => new RuleLayer(alone, surface).read(text, [], true).length > 0;
  for (const [kind, texts, expected] of [['match', match, true] as const, ['noMatch', noMatch, false] as const]) {
    const failed = texts.findIndex((text) => finds(text) !== expected);
    if (failed >= 0) {
      const message = expected ? 'the rule does not match this text' : 'the rule matches this text';
      throw new FaultFound([...path, 'tests', kind, failed], message);
    }
  }
}
