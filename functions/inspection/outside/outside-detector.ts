import type { Surface } from '../../kernel/model/index.ts';
import type { Rule } from '../matching/index.ts';

/** A text for an outside detector. */
export interface OutsideText {
  readonly text: string;
  /** `output` for a response; everything else is input. */
  readonly surface: Surface;
}

/** A text with the scores of the built-in inspection; 0 without findings. */
export interface ScoredText extends OutsideText {
  /** The highest score of the built-in findings in the text. */
  readonly score: number;
  /** The same of attacks only: personal data is no sign of one. */
  readonly attackScore: number;
}

/** The request whose texts are inspected. */
export interface AskingRequest {
  /** The cache is separate for each sender: response times must not reveal what others have sent. */
  readonly sender: string;
  /** Aborted when the caller disconnects, or the request is refused. */
  readonly signal: AbortSignal;
  /** Resolves once the request is admitted, and rejects if it is refused: a detector that is billed by the text waits for it. */
  readonly admitted: Promise<unknown>;
  /** Adds to the cost in the request's record, in billionths of a US dollar; negative if less was used than added before. */
  addCost(nanoUsd: number): void;
}

/** A finding mapped to our rules; contains no text. */
export interface OutsideFinding {
  readonly rule: Rule;
  /** 0..1, on the scale of the built-in rules. */
  readonly score: number;
  /** Half-open, in UTF-16 code units of the text as passed; the whole text if the detector returns no range. */
  readonly start: number;
  readonly end: number;
}

/**
 * Why there is no verdict. `refused`: our call was wrong or not permitted; `failed`: an error of the detector; `unreadable`: a response that
 * cannot be parsed; `too_large`: more text than the limit of one request.
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
  /** `detail` is for an operator's log, such as `status 403`; it quotes neither the text nor the response. */
  | { readonly failure: OutsideFailureReason; readonly detail?: string };

/** A third-party detector: slow, paid, and sometimes unavailable. */
export interface OutsideDetector {
  /** Its name in records: `bedrock_guardrails`. */
  readonly name: string;
  /** The longest text of one call, in UTF-16 code units. */
  readonly maxChars: number;
  /** Whether a missing verdict is only recorded; else the policy decides. */
  readonly isOptional?: boolean;
  /** Whether a text is worth a call; absent if the setting decides. */
  readonly needs?: ((text: ScoredText) => boolean) | undefined;
  /** Returns a promise for each text, in order. None rejects; `signal` ends the calls early. */
  inspect(
    texts: readonly OutsideText[],
    signal: AbortSignal,
    request: Pick<AskingRequest, 'admitted' | 'addCost'>,
  ): readonly Promise<OutsideVerdict>[];
}

/** Returns a rule for findings of an outside detector: without patterns, since the detector returns the score. */
export function outsideRule(
  fields: Pick<Rule, 'id' | 'type' | 'category' | 'severity' | 'message' | 'owasp' | 'atlas'>,
): Rule {
  return { ...fields, score: 1, view: 'exact', patterns: [], surfaces: ['user', 'tool', 'output'] };
}
