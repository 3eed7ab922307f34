import { EFFORTS, type Effort } from '../../kernel/model/index.ts';

/** The level for a budget of tokens, by the budgets of Google's API for compatibility (ai.google.dev/gemini-api/docs/openai). */
export function effortOf(budget: number): Exclude<Effort, 'none'> {
  if (budget <= 1_024) return 'low';
  return budget <= 8_192 ? 'medium' : 'high';
}

export function isEffort(value: unknown): value is Effort {
  return EFFORTS.includes(value as Effort);
}
