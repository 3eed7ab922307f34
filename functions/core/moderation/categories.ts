import type { Finding } from '../inspect/finding.ts';

/** OpenAI's categories: https://platform.openai.com/docs/guides/moderation */
export const MODERATION_CATEGORIES = [
  'harassment',
  'harassment/threatening',
  'hate',
  'hate/threatening',
  'illicit',
  'illicit/violent',
  'self-harm',
  'self-harm/intent',
  'self-harm/instructions',
  'sexual',
  'sexual/minors',
  'violence',
  'violence/graphic',
] as const;
export type ModerationCategory = (typeof MODERATION_CATEGORIES)[number];

/** Our categories of toxicity in OpenAI's words. What stands in none of them is not judged, and scores 0. */
const BY_RULE: Readonly<Record<string, readonly ModerationCategory[]>> = {
  insult: ['harassment'],
  threat: ['harassment', 'harassment/threatening', 'violence'],
  hate: ['hate', 'harassment'],
  sexual_harassment: ['harassment', 'sexual'],
  harmful_request: ['illicit'],
};

/** The categories that our engine judges. */
export const JUDGED_CATEGORIES: readonly ModerationCategory[] = MODERATION_CATEGORIES.filter((category) =>
  Object.values(BY_RULE).some((judged) => judged.includes(category)),
);

/** 0..1 for each category, from what was found in one text. */
export function categoryScores(findings: readonly Finding[]): Record<ModerationCategory, number> {
  const scores = Object.fromEntries(MODERATION_CATEGORIES.map((category) => [category, 0]));
  for (const { rule, score } of findings) {
    if (rule.type !== 'toxicity') continue;
    for (const category of BY_RULE[rule.category] ?? []) {
      scores[category] = Math.max(scores[category] as number, score);
    }
  }
  return scores as Record<ModerationCategory, number>;
}
