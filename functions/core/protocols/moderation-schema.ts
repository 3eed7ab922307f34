import * as z from 'zod';
import { moderationResultSchema } from '../moderation/moderation-result.ts';
import { securityInfoSchema } from './openai-chat/chat-response.ts';

const part = z.discriminatedUnion(
  'type',
  [
    z.looseObject({ type: z.literal('text'), text: z.string() }),
    z.looseObject({ type: z.literal('image_url'), image_url: z.looseObject({ url: z.string() }) }),
  ],
  { error: 'type must be text or image_url' },
);

/** A text, several, or the parts of one message. */
export const moderationRequestSchema = z
  .strictObject({
    input: z.union([z.string(), z.array(z.string()).min(1).max(2048), z.array(part).min(1).max(2048)], {
      error: 'must be a string, an array of strings, or an array of parts',
    }),
    /** Answered again; our own engine judges whatever it says. */
    model: z.string().max(256).optional(),
  })
  .meta({ id: 'ModerationRequest', description: "As OpenAI documents it; answered by the gateway's own engine." });
export type ModerationRequest = z.infer<typeof moderationRequestSchema>;

export const moderationResponseSchema = z
  .object({
    id: z.string(),
    model: z.string(),
    results: z.array(moderationResultSchema),
    svc: securityInfoSchema.meta({ description: 'Attacks too, which OpenAI has no category for.' }),
  })
  .meta({ id: 'ModerationResponse', description: 'One result for each text; the parts of a message have one.' });
export type ModerationResponse = z.infer<typeof moderationResponseSchema>;
