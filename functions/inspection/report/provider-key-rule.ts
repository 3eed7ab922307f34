import type { Rule } from '../matching/index.ts';

export const PROVIDER_KEY_RULE: Rule = {
  id: 'secret/provider-key',
  type: 'secret',
  category: 'provider_key',
  severity: 'critical',
  score: 1,
  view: 'folded',
  patterns: [],
  surfaces: ['output'],
  message: 'The response contained a key of the gateway for a provider.',
  owasp: 'LLM02:2025',
  atlas: 'AML.T0057',
  forcedAction: 'redact',
};

/** The place of a key that was removed before the response was read. */
export const WHOLE_RESPONSE = 'response';
