import type { Rule, RuleExamples } from '../../matching/index.ts';
import { IMITATED_TURN_EXAMPLES, IMITATED_TURN_RULES } from './imitated-turns.ts';
import { INSTRUCTION_OVERRIDE_EXAMPLES, INSTRUCTION_OVERRIDE_RULES } from './instruction-overrides.ts';

/** Rules for user text; `indirect-injection.ts` applies them to tool results. */
export const PROMPT_INJECTION_RULES: readonly Rule[] = [...INSTRUCTION_OVERRIDE_RULES, ...IMITATED_TURN_RULES];

/** A function, so that bundles omit them. */
export function promptInjectionExamples(): Readonly<Record<string, RuleExamples>> {
  return { ...INSTRUCTION_OVERRIDE_EXAMPLES, ...IMITATED_TURN_EXAMPLES };
}
