import type { Action, Permission, ThreatType } from '../api/client.ts';
import type { FormField } from '../api/operations.ts';

/** Names of threat types, in display order. */
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
  tool_misuse: 'Tool misuse',
  pii: 'Personal data',
  secret: 'Secret',
  toxicity: 'Toxicity',
};
export const THREAT_TYPES = Object.keys(THREAT_NAMES) as ThreatType[];

/** What is stored of a request's texts. */
export const CAPTURE_NAMES = {
  none: 'None',
  redacted: 'Without personal data and secrets',
  full: 'Full text, including secrets',
} as const;

/** A short explanation of each threat type. */
export const THREAT_REASONS: Readonly<Record<ThreatType, string>> = {
  prompt_injection: 'Text that tries to replace the instructions of the model.',
  indirect_injection: 'Instructions inside a document, page or tool result, addressed to the model.',
  jailbreak: 'Text that tries to make the model ignore its safety rules.',
  system_prompt_leak: 'An attempt to read the system prompt, or a response that repeats it.',
  malicious_url: 'A URL that hides its destination or contains an attack.',
  data_exfiltration: 'Data sent to a third party in a URL, an image link or a tool call.',
  code_injection: 'Code or commands that may run where the text is used.',
  obfuscation: 'Text that is encoded or disguised to avoid detection.',
  denial_of_wallet: 'A request designed to be as expensive as possible.',
  tool_misuse: 'A tool call that a third party caused rather than the user.',
  pii: 'Data about a person: an e-mail address, a card or id number, an IP address.',
  secret: 'A key, token, password or other credential.',
  toxicity: 'Insults, hate or other toxic language.',
};

/** The strongest first. */
export const ACTION_NAMES: Readonly<Record<Action, string>> = {
  block: 'Blocked',
  ask: 'Asked',
  redact: 'Redacted',
  flag: 'Flagged',
  allow: 'Allowed',
};
export const ACTIONS = Object.keys(ACTION_NAMES) as Action[];

export const PERMISSION_NAMES: Readonly<Record<Permission, string>> = {
  chat_completions: 'Chat',
  completions: 'Completions',
  embeddings: 'Embeddings',
  images: 'Images',
  audio: 'Audio',
  mcp: 'MCP servers',
  batches: 'Batches',
  analytics: 'Analytics',
  approvals: 'Approvals',
  security: 'Security',
  operator: 'Operator',
  admin: 'Admin',
};

/** Of choices in forms and filters; others have their word as name. */
const CHOICE_NAMES: Readonly<Record<string, string>> = { ...THREAT_NAMES, ...ACTION_NAMES, ...PERMISSION_NAMES };

/** What a permission includes beyond its name. */
export const PERMISSION_NOTES: Readonly<Partial<Record<Permission, string>>> = {
  chat_completions: 'chat completions, responses, messages, Gemini',
  analytics: 'read the dashboard',
  approvals: 'read and decide tool calls that wait',
  security: 'policies, marks, captures, audit log',
  operator: 'providers, routes, prices, webhooks, override',
  admin: 'everything',
};

/** The names of a field's choices; an empty one, if it has a name, is first. */
export function choicesOf({ choices = [], choiceLabels = {} }: FormField): { value: string; label: string }[] {
  const all = choiceLabels[''] === undefined ? choices : ['', ...choices];
  return all.map((value) => ({ value, label: choiceLabels[value] ?? CHOICE_NAMES[value] ?? wordsOf(value) }));
}

/** Actions of the audit log keep their form: `key.created`. */
function wordsOf(choice: string): string {
  return choice.includes('.') ? choice : capitalised(choice);
}

/** The period of a limit, in a sentence. */
export function periodName(period: string): string {
  return period === 'calendarMonth' ? 'calendar month' : period;
}

/** What the severity of a finding, the state of a key and the like are called: the word itself, capitalised. */
export function capitalised(word: string): string {
  const spaced = word.replaceAll('_', ' ');
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

export function threatName(type: string): string {
  return Object.hasOwn(THREAT_NAMES, type) ? THREAT_NAMES[type as ThreatType] : capitalised(type);
}

/** A rule, with that of a policy's `tools` which a call violates. */
export function ruleName({
  rule,
  policyRule,
}: {
  readonly rule: string;
  readonly policyRule?: string | undefined;
}): string {
  return policyRule === undefined ? rule : `${rule} (${policyRule})`;
}

/** The characters of a field that a finding is about. */
export function rangeText({ start, end }: { readonly start: number; readonly end: number }): string {
  return end > start ? `characters ${start} to ${end}` : 'all of it';
}

/** Why a blocked request may have a low score. */
export const SCORE_NOTE =
  'It counts attacks. Personal data, secrets, toxicity and custom rules of these types are left out.';
