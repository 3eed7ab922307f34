import type { Surface } from '../../model/threat.ts';
import type { Rule } from '../rule.ts';

/** A text for an outside detector. */
export interface OutsideText {
  readonly text: string;
  /** `output` is an answer; everything else is input. */
  readonly surface: Surface;
}

/** What a detector found, in our own terms; holds nothing of the text. */
export interface OutsideFinding {
  readonly rule: Rule;
  /** 0..1, on the scale of our own scores. */
  readonly score: number;
  /** Half-open, in UTF-16 code units of the text as given; the whole text where the detector returns no range. */
  readonly start: number;
  readonly end: number;
}

/**
 * Why there is no judgement. `refused`: our call was wrong or may not be made; `failed`: the other side's fault;
 * `unreadable`: a response that cannot be parsed; `too_large`: more text than one request may have judged.
 */
export type OutsideFailureReason =
  | 'timeout'
  | 'unreachable'
  | 'throttled'
  | 'refused'
  | 'failed'
  | 'unreadable'
  | 'too_large';

export type OutsideVerdict =
  | { readonly findings: readonly OutsideFinding[] }
  /** `detail` is for an operator's log, such as `status 403`; it quotes neither text nor answer. */
  | { readonly failure: OutsideFailureReason; readonly detail?: string };

/** A detector run by a third party: slow, paid for, and sometimes unavailable. */
export interface OutsideDetector {
  /** As records name it: `bedrock_guardrails`. */
  readonly name: string;
  /** The longest text of one judgement, UTF-16 code units. */
  readonly maxChars: number;
  /** Returns a judgement for each text, in order, each as soon as available. None rejects; `signal` ends the calls early. */
  judge(texts: readonly OutsideText[], signal: AbortSignal): readonly Promise<OutsideVerdict>[];
}

/** Returns the rule that reports findings of an outside detector: without patterns, since the detector gives the score. */
export function outsideRule(
  fields: Pick<Rule, 'id' | 'type' | 'category' | 'severity' | 'message' | 'owasp' | 'atlas'>,
): Rule {
  return { ...fields, score: 1, view: 'exact', patterns: [], surfaces: ['user', 'tool', 'output'] };
}
