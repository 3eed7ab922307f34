import * as z from 'zod';

const mode = z.enum(['score', 'block'], { error: 'must be score or block' });
const side = z.strictObject({ mode }).nullish();

/** OpenAI's request field `moderation`; a mode alone stands for both sides. */
export const moderationFieldSchema = z
  .union(
    [
      mode,
      z.strictObject({
        /** Answered again; our own engine judges whatever it says. */
        model: z.string().min(1).max(256).optional(),
        policy: z.strictObject({ input: side, output: side }).nullish(),
      }),
    ],
    { error: "must be OpenAI's object of model and policy, or a mode: score or block" },
  )
  .meta({
    id: 'ModerationField',
    description:
      'Moderates the request and its answer by our own engine: `score` (default) tells what is in them, `block` stops what is flagged.',
  });
export type ModerationField = z.infer<typeof moderationFieldSchema>;
