import type { Action, Environment, Permission, Severity, ThreatType } from '../api/client.ts';

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

/** What a finding of each type says, for who meets it for the first time. */
export const THREAT_REASONS: Readonly<Record<ThreatType, string>> = {
  prompt_injection: 'Text that tries to replace the instructions that the model was given.',
  indirect_injection: 'Instructions inside a document, page or tool result, addressed to the model.',
  jailbreak: 'Text that tries to talk the model out of its limits.',
  system_prompt_leak: 'An attempt to read the system prompt, or an answer that repeats it.',
  malicious_url: 'An address that hides where it leads or carries an attack.',
  data_exfiltration: 'Data on its way out: in an address, an image link or a tool call.',
  code_injection: 'Code or commands that would run where the text is used.',
  obfuscation: 'Text that is encoded or disguised so that it is not recognised.',
  denial_of_wallet: 'A request made to be as expensive as possible.',
  pii: 'Personal data.',
  secret: 'A key, token, password or other credential.',
  toxicity: 'Insults, hate or other toxic language.',
};

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
