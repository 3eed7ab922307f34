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

/** Kinds of threat, decisions section 3: the attack types raise `threat_score`, the content types have scores of their own. */
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
] as const;
export const CONTENT_TYPES = ['pii', 'secret', 'toxicity'] as const;
export const THREAT_TYPES = [...ATTACK_TYPES, ...CONTENT_TYPES] as const;

export type ThreatType = (typeof THREAT_TYPES)[number];
export type Severity = 'low' | 'medium' | 'high' | 'critical';

/** From mildest to strongest; `off` is a policy's word only. */
export type Action = 'allow' | 'flag' | 'redact' | 'block';

const STRENGTH: Readonly<Record<Action, number>> = { allow: 0, flag: 1, redact: 2, block: 3 };

export function strongerAction(a: Action, b: Action): Action {
  return STRENGTH[b] > STRENGTH[a] ? b : a;
}

export const SURFACES = ['system', 'user', 'tool', 'output'] as const;

/** Who wrote a text: decides which rules judge it. `system` is the operator's own, `tool` the least trusted, `output` the model's. */
export type Surface = (typeof SURFACES)[number];

const ATTACKS: ReadonlySet<ThreatType> = new Set(ATTACK_TYPES);

/** Whether what is found is itself what nobody should keep. */
export function isPrivate(type: ThreatType): boolean {
  return type === 'pii' || type === 'secret';
}

/** Whether a finding of this type raises `threat_score`; content types have scores of their own. */
export function isAttackType(type: ThreatType): boolean {
  return ATTACKS.has(type);
}
