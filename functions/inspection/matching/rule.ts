import type { Action, Severity, Surface, ThreatType } from '../../kernel/model/index.ts';
import type { PlainWords, View } from '../views/index.ts';

/**
 * Signals about how an attack was written, for rules without patterns. `invisible`: the attack was found only after removing invisible
 * characters. `lookalike`: only after replacing letters of other scripts in Latin words, or styled forms, by the letters that they imitate.
 * `encoded`: only after decoding an encoding or a cipher. `respelled`: only after correcting words that are spaced out, split, joined,
 * reversed or in leetspeak. The last two are late: they are known after the text was read. Of whole requests: `assembled`: the last message
 * acts on pieces in earlier ones; `staged`: responses that the caller made up as examples.
 */
export type Signal = 'invisible' | 'lookalike' | 'encoded' | 'respelled' | 'assembled' | 'staged';

/** Whether a signal is only known once the text that it covers may have been released. */
export function isLateSignal(signal: Signal | undefined): boolean {
  return signal === 'encoded' || signal === 'respelled';
}

/** The context of a match, in the view's text. */
export interface MatchContext {
  /** Up to 64 characters before the match, 256 for a rule with cues. There is no `after`, since a stream would have to wait for it. */
  readonly before: string;
  /** Number of earlier matches of the rule in the text, so that slow checks can limit themselves. */
  readonly earlier: number;
  /** Whether the text is by a third party, and so contains no earlier words of the user to take back. */
  readonly isThirdParty?: true;
}

/** Words of which a sentence must contain one to be a candidate. */
export interface SentenceCues {
  /** Rules with the same finder share one pass over the text. */
  readonly words: WordFinder;
  /** Kinds of words that count, as the finder names them. */
  readonly kinds: ReadonlySet<string>;
}

/** Finds words, in time linear in the text. */
export interface WordFinder {
  /**
   * Calls `report` for each word or phrase of a text, in order, with its kind and offset. None spans two sentences. `words` are the text's
   * plain words.
   */
  eachIn(text: string, words: PlainWords, report: (kind: string, start: number) => void): void;
}

/**
 * A detection rule: data, with its examples in the same file. A weak pattern finds candidates in one pass over the text; `check` drops or
 * rescores each.
 */
export interface Rule {
  /** `family/thing`: public, never reused. */
  readonly id: string;
  readonly type: ThreatType;
  /** A finer kind within the type, such as `instruction_override` or `email`. */
  readonly category: string;
  readonly severity: Severity;
  /** 0..1: probability that a match is of the type. From 0.85 on near-certain, below 0.5 a hint. */
  readonly score: number;
  readonly view: View;
  /**
   * Alternatives in the syntax of inspection/pattern-engine: no look-around, linear time. Together they find the leftmost-longest matches without
   * overlap; a candidate that `check` drops still hides those that overlap it.
   */
  readonly patterns: readonly string[];
  /** Ignores the case of ASCII letters; not needed in `folded`. */
  readonly ignoreCase?: boolean;
  /**
   * Replaces patterns: candidates are sentences with one of these words, from that word to the end of the sentence or a maximum length. Only
   * in the `folded` view.
   */
  readonly cues?: SentenceCues;
  /** Replaces patterns: the rule is reported when the inspector detects this signal for a finding of an attack type. */
  readonly signal?: Signal;
  readonly surfaces: readonly Surface[];
  /** The rule counts nowhere else than in tool definitions, or not there: its matches are common in the other texts. */
  readonly inDefinitions?: 'only' | 'never';
  /** Returns the score of this candidate, or undefined to drop it (a failed checksum, a placeholder). Pure and fast. */
  readonly check?: (match: string, context: MatchContext) => number | undefined;
  /** Finds the values that documentation publishes and `check` drops, in order. Only the guard and scan search for them. */
  readonly documented?: (text: string) => readonly { readonly start: number; readonly end: number }[];
  /** For a classifier's rule: whether a sentence withdraws its writer's earlier words, which is no override. Pure and fast. */
  readonly withdrawsOwnWords?: (sentence: string) => boolean;
  /** For a classifier's rule: whether a sentence forbids to forget or ignore earlier text. Pure and fast. */
  readonly forbidsForgetting?: (sentence: string) => boolean;
  /** The text of `detected_threats[].message`. */
  readonly message: string;
  /** OWASP Top 10 for LLM applications 2025, such as `LLM01:2025`. */
  readonly owasp: string;
  /** MITRE ATLAS technique, such as `AML.T0051`, or null if none fits. */
  readonly atlas: string | null;
  /**
   * The rule scores a stretch of a response once it is complete. A stream does not wait for that: a block cuts the response after the
   * stretch, and a redaction comes too late.
   */
  readonly scoresAfterRelease?: true;
  /** Replaces the policy's action for the type: for test texts and custom rules. */
  readonly forcedAction?: Action;
}

/** Texts that must trigger the rule and no other rule of its type, and near misses that must not, each with its reason. */
export interface RuleExamples {
  readonly positives: readonly string[];
  readonly negatives: readonly { readonly text: string; readonly reason: string }[];
  /** Rules of the same type that the positives also trigger, on purpose. */
  readonly alongside?: readonly string[];
}
