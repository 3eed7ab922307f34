import type { CallOrigin } from './origin.ts';

/**
 * Why a score differs from that of the rule or classifier (docs/detection.md). Reasons up to `unconfirmed` lower it; `tool`,
 * `corroborated` and `session` raise it; `joined` means that no single text shows it, `delegated`
 * that the user left it to a document what to do.
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
  'quoted',
  'narrated',
  'forbidding',
  'about_model',
  'own_words',
  'unconfirmed',
  'tool',
  'joined',
  'corroborated',
  'session',
  'delegated',
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

/** A reported finding, without any of the text. */
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
  /** Why the score differs from the rule's; absent if it does not. */
  readonly reasons?: readonly Reason[] | undefined;
  /** Of a tool call. */
  readonly origin?: CallOrigin | undefined;
  /** The id of the policy's rule for tools that a call violates. */
  readonly policyRule?: string | undefined;
}

/** An entry of `svc.detected_threats`, for the caller only. */
export interface ShownThreat extends DetectedThreat {
  /** A masked excerpt, if the policy enables it. */
  readonly evidence?: string | undefined;
  /** A value that documentation publishes: score 0, action `allow`, in no record and no count. */
  readonly example?: true | undefined;
}

export interface Coverage {
  readonly input: readonly string[];
  readonly output: readonly string[];
  readonly skipped: readonly string[];
}

/** What a translation to the provider's API dropped or adjusted, or the policy removed; or that the policy only flags. */
export interface Warning {
  readonly code: 'field_dropped' | 'field_adjusted' | 'policy_observed' | 'tag_ignored';
  /** As the caller wrote it: `messages[0].content[1].cache_control`; a header for `tag_ignored`. Empty for `policy_observed`. */
  readonly field: string;
  readonly message: string;
}

/** A tool call that waits for an approval. */
export interface AskedApproval {
  readonly id: string;
  /** Name of the tool. */
  readonly call: string;
  readonly expiresAt: string;
}

/** The `svc` object of a response. */
export interface SecurityInfo {
  readonly threat_score: number;
  readonly detected_threats: readonly ShownThreat[];
  readonly processing_time_ms: number;
  readonly action: Action;
  readonly request_id: string;
  readonly session_id: string | null;
  readonly coverage: Coverage;
  /** Absent if there are none. */
  readonly approvals?: readonly AskedApproval[] | undefined;
  /** Absent if there are none. */
  readonly warnings?: readonly Warning[] | undefined;
}

/** Types of threat: attack types raise `threat_score`, content types have only their own scores. */
export const ATTACK_TYPES = [
  'prompt_injection',
  'indirect_injection',
  'jailbreak',
  'system_prompt_leak',
  'malicious_url',
  'data_exfiltration',
  'code_injection',
  'obfuscation',
  'denial_of_wallet',
  'tool_misuse',
] as const;
export const CONTENT_TYPES = ['pii', 'secret', 'toxicity'] as const;
export const THREAT_TYPES = [...ATTACK_TYPES, ...CONTENT_TYPES] as const;

export type ThreatType = (typeof THREAT_TYPES)[number];
export type Severity = 'low' | 'medium' | 'high' | 'critical';

/** From mildest to strongest; policies also have `off`. `ask`: a tool call waits for the approval of a person. */
export const ACTIONS = ['allow', 'flag', 'redact', 'ask', 'block'] as const;
export type Action = (typeof ACTIONS)[number];

export function strongerAction(a: Action, b: Action): Action {
  return ACTIONS.indexOf(b) > ACTIONS.indexOf(a) ? b : a;
}

export const SURFACES = ['system', 'user', 'tool', 'output'] as const;

/** Who wrote a text, which decides the rules that inspect it: `system` the operator, `tool` third parties, `output` the model. */
export type Surface = (typeof SURFACES)[number];

const ATTACKS: ReadonlySet<ThreatType> = new Set(ATTACK_TYPES);

/** Whether the found text itself must not be kept. */
export function isPrivate(type: ThreatType): boolean {
  return type === 'pii' || type === 'secret';
}

/** Whether a finding of this type raises `threat_score`. */
export function isAttackType(type: ThreatType): boolean {
  return ATTACKS.has(type);
}
