import type { Finding } from '../inspect/finding.ts';
import { categoryScores, JUDGED_CATEGORIES, MODERATION_CATEGORIES, type ModerationCategory } from './categories.ts';

type ByCategory<Value> = Record<ModerationCategory, Value>;

/** What one text, or several together, is told as, by OpenAI's categories. */
export interface ModerationResult {
  readonly flagged: boolean;
  readonly categories: ByCategory<boolean>;
  /** 0..1 */
  readonly category_scores: ByCategory<number>;
  /** Empty for categories that our engine does not judge. */
  readonly category_applied_input_types: ByCategory<'text'[]>;
}

/** `acting`: those of the findings that the policy would not let pass; their categories are flagged. */
export function moderationResult(found: readonly Finding[], acting: readonly Finding[]): ModerationResult {
  const [scores, acted] = [categoryScores(found), categoryScores(acting)];
  const of = <Value>(value: (category: ModerationCategory) => Value) =>
    Object.fromEntries(MODERATION_CATEGORIES.map((category) => [category, value(category)])) as ByCategory<Value>;
  const categories = of((category) => acted[category] > 0);
  return {
    flagged: Object.values(categories).includes(true),
    categories,
    category_scores: scores,
    category_applied_input_types: of((category) => (JUDGED_CATEGORIES.includes(category) ? ['text'] : [])),
  };
}
