import type { Action, Environment, Permission, Severity, ThreatType } from '../api/types.ts';

/** What the page calls things, and the order that it shows them in. */
export const THREAT_NAMES: Readonly<Record<ThreatType, string>> = {
  prompt_injection: 'Prompt injection',
  indirect_injection: 'Indirect injection',
  jailbreak: 'Jailbreak',
  system_prompt_leak: 'System prompt leak',
  malicious_url: 'Malicious URL',
  data_exfiltration: 'Data exfiltration',
  code_injection: 'Code injection',
  obfuscation: 'Obfuscation',
  denial_of_wallet: 'Denial of wallet',
  pii: 'Personal data',
  secret: 'Secret',
  toxicity: 'Toxicity',
};
export const THREAT_TYPES = Object.keys(THREAT_NAMES) as ThreatType[];

export const ACTION_NAMES: Readonly<Record<Action, string>> = {
  block: 'Blocked',
  redact: 'Redacted',
  flag: 'Flagged',
  allow: 'Allowed',
};
export const ACTIONS = Object.keys(ACTION_NAMES) as Action[];

export const SEVERITIES: readonly Severity[] = ['critical', 'high', 'medium', 'low'];
export const ENVIRONMENTS: readonly Environment[] = ['Production', 'Staging', 'Development'];

export const PERMISSION_NAMES: Readonly<Record<Permission, string>> = {
  chat_completions: 'Chat, responses, messages',
  completions: 'Completions',
  embeddings: 'Embeddings',
  images: 'Images',
  audio: 'Audio',
  analytics: 'Analytics: read the dashboard',
  admin: 'Admin: everything',
};
export const PERMISSIONS = Object.keys(PERMISSION_NAMES) as Permission[];

/** What the severity of a finding, the state of a key and the like are called: the word itself, capitalised. */
export function capitalised(word: string): string {
  const spaced = word.replaceAll('_', ' ');
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

export function threatName(type: string): string {
  return Object.hasOwn(THREAT_NAMES, type) ? THREAT_NAMES[type as ThreatType] : capitalised(type);
}
