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
