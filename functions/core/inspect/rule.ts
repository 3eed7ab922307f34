import type { Action, Severity, Surface, ThreatType } from '../model/threat.ts';
import type { PlainWords } from './views/plain-words.ts';

/**
 * The text that a pattern reads. `exact`: invisible characters gone, compatibility forms and escapes resolved, case kept.
 * `folded`: the same in lower case, with look-alike letters and accents folded to plain ASCII letters; letters in a
 * pattern that reads it are folded the same way, so that it is written as the language writes it, in lower case. `raw`:
 * as sent; a rule that reads it must need a character outside ASCII, since it is not shown a text that is all ASCII.
 */
export type View = (typeof VIEWS)[number];
export const VIEWS = ['raw', 'exact', 'folded'] as const;

/**
 * What the inspector itself notices about how an attack was written, for rules without patterns. `invisible`: an attack
 * was found only once invisible characters were taken out of it. `lookalike`: only once letters of other scripts, mixed
 * into Latin words, or styled forms were read as the Latin letters that they imitate. `encoded`: only once an encoding or a
 * cipher was undone. `respelled`: only once words that are spaced out, cut up, run together, reversed or in leetspeak were
 * put right; these two come late: the text has been read by then. Of whole requests: `assembled`: the last message acts on
 * what earlier ones gave in pieces; `staged`: answers that the caller made up as examples.
 */
export type Signal = 'invisible' | 'lookalike' | 'encoded' | 'respelled' | 'assembled' | 'staged';

/** Whether a signal is only known once text that it covers may have left. */
export function isLateSignal(signal: Signal | undefined): boolean {
  return signal === 'encoded' || signal === 'respelled';
}

/** What lies around a match, in the view's text. */
export interface MatchContext {
  /** Up to 64 characters before the match, 256 for a rule with cues. There is no `after`: a stream would have to wait for it. */
  readonly before: string;
  /** How many matches of the rule precede it in the text: slow checks limit themselves by it. */
  readonly earlier: number;
  /** The text is of a third party: it has no words of the user's own to take back. */
  readonly isThirdPartys?: true;
}

/** Words of which a sentence must have one to be a candidate. */
export interface SentenceCues {
  /** Rules that share it share the reading. */
  readonly words: WordFinder;
  /** What words are to be, as the finder calls it. */
  readonly kinds: ReadonlySet<string>;
}

/** Knows words, in time linear in the text. */
export interface WordFinder {
  /**
   * Calls `report` for each word or phrase of a text, in order, with its kind and offset. None spans two sentences. `words`
   * are the text's plain words.
   */
  eachIn(text: string, words: PlainWords, report: (kind: string, start: number) => void): void;
}

/**
 * A detection rule: data, its examples in the same file. A weak pattern finds candidates in one pass over
 * the text; `check`, where there is one, drops or rescores each.
 */
export interface Rule {
  /** `family/thing`: public, never reused. */
  readonly id: string;
  readonly type: ThreatType;
  /** A finer kind within the type, such as `instruction_override` or `email`. */
  readonly category: string;
  readonly severity: Severity;
  /** 0..1: probability that a match is of the type. From 0.85 on almost certainly, below 0.5 a hint. */
  readonly score: number;
  readonly view: View;
  /**
   * Alternatives in the syntax of core/pattern-engine: no look-around, linear time. Together they find the leftmost, then
   * longest, matches that do not overlap; a candidate that `check` drops still hides those that overlap it.
   */
  readonly patterns: readonly string[];
  /** Ignores the case of ASCII letters; needless in `folded`. */
  readonly ignoreCase?: boolean;
  /**
   * In the place of patterns: the rule's candidates are sentences that hold one of these words, from that word on to the end,
   * or to where it has been far from it. Of the `folded` view only.
   */
  readonly cues?: SentenceCues;
  /** In place of patterns: the rule is reported when the inspector detects this about a finding of an attack type. */
  readonly signal?: Signal;
  readonly surfaces: readonly Surface[];
  /** The rule does not count in tool definitions, where what it looks for is usual. */
  readonly notInDefinitions?: true;
  /** Returns the score of this candidate, or undefined to drop it (a failed checksum, a placeholder). Pure and fast. */
  readonly check?: (match: string, context: MatchContext) => number | undefined;
  /** Of a classifier's rule: whether a sentence withdraws its writer's own earlier words, which is no override. Pure and fast. */
  readonly takesBack?: (sentence: string) => boolean;
  /** The same: whether it forbids to forget or ignore earlier text. */
  readonly keepsTo?: (sentence: string) => boolean;
  /** The sentence a person reads in `detected_threats[].message`. */
  readonly message: string;
  /** OWASP Top 10 for LLM applications 2025, such as `LLM01:2025`. */
  readonly owasp: string;
  /** MITRE ATLAS technique, such as `AML.T0051`, or null where none fits. */
  readonly atlas: string | null;
  /**
   * The rule judges a stretch of an answer once it has come, and in a stream nothing waits for that: a block cuts what follows
   * the stretch (decisions, section 3), and a redaction comes too late.
   */
  readonly judgesAfter?: true;
  /** Takes the place of the policy's action by type: for the fixed test texts of decisions section 3 and a policy's own rules. */
  readonly forcedAction?: Action;
}

/** Beside each rule: texts that must trigger it and no other rule of its type, and near misses that must not, each with its reason. */
export interface RuleExamples {
  readonly positives: readonly string[];
  readonly negatives: readonly { readonly text: string; readonly reason: string }[];
  /** Rules of the same type that the positives trigger too, where that is meant. */
  readonly alongside?: readonly string[];
}
