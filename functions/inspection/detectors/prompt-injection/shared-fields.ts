/** Fields of all rules for prompt injection. */
export const SHARED = {
  type: 'prompt_injection',
  severity: 'high',
  view: 'folded',
  surfaces: ['user', 'system'],
  owasp: 'LLM01:2025',
  atlas: 'AML.T0051.000',
} as const;
