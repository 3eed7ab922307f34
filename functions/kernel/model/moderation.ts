import * as z from 'zod';

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

/** Our categories of toxicity in OpenAI's terms. A category in none of them always scores 0. */
export const MODERATION_OF_TOXICITY: Readonly<Record<string, readonly ModerationCategory[]>> = {
  insult: ['harassment'],
  threat: ['harassment', 'harassment/threatening', 'violence'],
  hate: ['hate', 'harassment'],
  sexual_harassment: ['harassment', 'sexual'],
  harmful_request: ['illicit'],
};

/** The categories that our engine detects. */
export const JUDGED_CATEGORIES: readonly ModerationCategory[] = MODERATION_CATEGORIES.filter((category) =>
  Object.values(MODERATION_OF_TOXICITY).some((judged) => judged.includes(category)),
);

type ByCategory<Value> = Record<ModerationCategory, Value>;

/** The result for one text, or several together, by OpenAI's categories. */
export interface ModerationResult {
  readonly flagged: boolean;
  readonly categories: ByCategory<boolean>;
  /** 0..1 */
  readonly category_scores: ByCategory<number>;
  /** Empty for categories that our engine does not detect. */
  readonly category_applied_input_types: ByCategory<'text'[]>;
}

/** What the field `moderation` requested, in OpenAI's form of one result. */
export interface ModerationReport {
  readonly model: string;
  readonly input: ModerationResult;
  readonly output: ModerationResult;
}

const of = <Schema extends z.ZodType>(schema: Schema) => z.record(z.enum(MODERATION_CATEGORIES), schema);

/** The result for a text, by OpenAI's categories. */
export const moderationResultSchema = z.object({
  flagged: z.boolean(),
  categories: of(z.boolean()),
  category_scores: of(z.number().min(0).max(1)),
  category_applied_input_types: of(z.array(z.literal('text'))).meta({
    description: 'Empty for categories that the engine does not detect.',
  }),
});

const ofModel = moderationResultSchema.extend({ type: z.literal('moderation_result'), model: z.string() });
const side = z.object({ type: z.literal('moderation_results'), model: z.string(), results: z.array(ofModel) });

/** `moderation` in the response to a chat completion that requested it. */
export const chatModerationSchema = z
  .object({ input: side, output: side })
  .meta({ id: 'ChatModeration', description: "OpenAI's form, by the gateway's engine: one result for each side." });

/** `moderation` in the response to a Responses request that requested it. */
export const responsesModerationSchema = z.object({ input: ofModel, output: ofModel }).meta({
  id: 'ResponsesModeration',
  description: "OpenAI's form, by the gateway's engine: a result for each side.",
});

const mode = z.enum(['score', 'block'], { error: 'must be score or block' });
const policySide = z.strictObject({ mode }).nullish();

/** The name of our engine as a moderation model, where the client sends none. */
export const OWN_MODERATION_MODEL = 'svc-moderation';

/** OpenAI's request field `moderation`; a mode alone applies to both sides. */
export const moderationFieldSchema = z
  .union(
    [
      mode,
      z.strictObject({
        /** Returned unchanged; our engine does not depend on it. */
        model: z.string().min(1).max(256).optional(),
        policy: z.strictObject({ input: policySide, output: policySide }).nullish(),
      }),
    ],
    { error: "must be OpenAI's object of model and policy, or a mode: score or block" },
  )
  .meta({
    id: 'ModerationField',
    description:
      'Moderates the request and its response by our own engine: `score` (default) reports scores, `block` blocks what is flagged.',
  });
export type ModerationField = z.infer<typeof moderationFieldSchema>;
