/** What all rules of this family have in common. */
export const SHARED = {
  type: 'secret',
  severity: 'high',
  view: 'exact',
  surfaces: ['system', 'user', 'tool', 'output'],
  owasp: 'LLM02:2025',
  atlas: 'AML.T0057',
} as const;
