import type { Action, Severity, ThreatType } from './threat.ts';

/**
 * Why a score differs from what the rule or the classifier gave (docs/detection.md). Those up to `own_words` lower it;
 * `tool`, `corroborated` and `session` raise it; `joined` says that no single text shows it.
 */
export const REASONS = [
  'earlier_turn',
  'definition',
  'assistant',
  'short_text',
  'long_text',
  'repetition',
  'opening',
  'pasted',
  'question',
  'narrated',
  'forbidding',
  'about_model',
  'own_words',
  'tool',
  'joined',
  'corroborated',
  'session',
] as const;
export type Reason = (typeof REASONS)[number];

export interface ThreatLocation {
  readonly part: 'input' | 'output';
  /** Index of the message in the request; null elsewhere. */
  readonly message: number | null;
  /** `messages[2].content` or `choices[0].content`. */
  readonly field: string;
  /** UTF-16 code units of the text as sent. */
  readonly start: number;
  readonly end: number;
}

/** A finding as it is told; holds nothing of the text. */
export interface DetectedThreat {
  readonly type: ThreatType;
  readonly category: string;
  readonly score: number;
  readonly severity: Severity;
  readonly action: Action;
  readonly rule: string;
  readonly message: string;
  readonly location: ThreatLocation;
  readonly owasp: string;
  readonly atlas: string | null;
  /** Why the score is not the rule's own; absent where it is. */
  readonly reasons?: readonly Reason[] | undefined;
}

/** An entry of `svc.detected_threats`: for the caller alone. */
export interface ShownThreat extends DetectedThreat {
  /** A masked excerpt, where the policy asks for it. */
  readonly evidence?: string | undefined;
}

export interface Coverage {
  readonly input: readonly string[];
  readonly output: readonly string[];
  readonly skipped: readonly string[];
}

/** The `svc` object of decisions, section 3. */
export interface SecurityInfo {
  readonly threat_score: number;
  readonly detected_threats: readonly ShownThreat[];
  readonly processing_time_ms: number;
  readonly action: Action;
  readonly request_id: string;
  readonly session_id: string | null;
  readonly coverage: Coverage;
}
