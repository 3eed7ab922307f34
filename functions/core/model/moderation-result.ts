import * as z from 'zod';
import { MODERATION_CATEGORIES } from '../moderation/categories.ts';

const of = <Schema extends z.ZodType>(schema: Schema) => z.record(z.enum(MODERATION_CATEGORIES), schema);

/** What a text is told as, by OpenAI's categories. */
export const moderationResultSchema = z.object({
  flagged: z.boolean(),
  categories: of(z.boolean()),
  category_scores: of(z.number().min(0).max(1)),
  category_applied_input_types: of(z.array(z.literal('text'))).meta({
    description: 'Empty for categories that the engine does not judge.',
  }),
});

const ofModel = moderationResultSchema.extend({ type: z.literal('moderation_result'), model: z.string() });
const side = z.object({ type: z.literal('moderation_results'), model: z.string(), results: z.array(ofModel) });

/** `moderation` in the answer to a chat completion that asked for it. */
export const chatModerationSchema = z
  .object({ input: side, output: side })
  .meta({ id: 'ChatModeration', description: "As OpenAI tells it, by the gateway's own engine: one result a side." });

/** `moderation` in the answer to a request for a response that asked for it. */
export const responsesModerationSchema = z.object({ input: ofModel, output: ofModel }).meta({
  id: 'ResponsesModeration',
  description: "As OpenAI tells it, by the gateway's own engine: a result a side.",
});
