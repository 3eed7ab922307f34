import {
  JUDGED_CATEGORIES,
  MODERATION_CATEGORIES,
  MODERATION_OF_TOXICITY,
  type ModerationCategory,
  type ModerationResult,
} from '../../kernel/model/index.ts';
import type { Finding } from '../matching/index.ts';

type ByCategory<Value> = Record<ModerationCategory, Value>;

/** `acting`: findings on which the policy acts; their categories are flagged. */
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

/** 0..1 for each category, from the findings of one text. */
export function categoryScores(findings: readonly Finding[]): Record<ModerationCategory, number> {
  const scores = Object.fromEntries(MODERATION_CATEGORIES.map((category) => [category, 0]));
  for (const { rule, score } of findings) {
    if (rule.type !== 'toxicity') continue;
    for (const category of MODERATION_OF_TOXICITY[rule.category] ?? []) {
      scores[category] = Math.max(scores[category] as number, score);
    }
  }
  return scores as Record<ModerationCategory, number>;
}
