import type { Rule } from '../rule.ts';

/** How a finding of an outside detector is told: a rule without patterns, whose score the detector gives. */
export function outsideRule(
  told: Pick<Rule, 'id' | 'type' | 'category' | 'severity' | 'message' | 'owasp' | 'atlas'>,
): Rule {
  return { ...told, score: 1, view: 'exact', patterns: [], surfaces: ['user', 'tool', 'output'] };
}
