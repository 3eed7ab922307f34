import * as z from 'zod';
import { moderationResultSchema, policySchema, securityInfoSchema } from '../kernel/model/index.ts';
import { conversationSchema } from '../translation/index.ts';

/** A request to inspect a text, a conversation or a response without a provider. */
export const guardRequestSchema = z
  .strictObject({
    input: z.string().optional().meta({ description: 'A text.' }),
    as: z.enum(['user', 'tool', 'system']).optional().meta({ description: 'The author of `input`. Default `user`.' }),
    messages: conversationSchema.shape.messages
      .optional()
      .meta({ description: 'A conversation, as in chat completions.' }),
    tools: conversationSchema.shape.tools,
    output: z.string().optional().meta({ description: 'The text of a response.' }),
    system: z.string().optional().meta({ description: 'The system prompt of `output`.' }),
    policy: policySchema.optional().meta({ description: 'Replaces the policy of the key for this call.' }),
  })
  .meta({ id: 'GuardRequest', description: 'Exactly one of `input`, `messages` and `output`.' });
export type GuardRequest = z.infer<typeof guardRequestSchema>;

export const guardResultSchema = z
  .object({
    id: z.string(),
    object: z.literal('guard.result'),
    flagged: z.boolean(),
    action: z.enum(['allow', 'flag', 'redact', 'block']),
    svc: securityInfoSchema,
    input: z.string().optional(),
    messages: z.array(z.record(z.string(), z.unknown())).optional(),
    tools: z.array(z.record(z.string(), z.unknown())).optional(),
    output: z.string().optional(),
  })
  .meta({
    id: 'GuardResult',
    description: 'The findings. If the action is `redact`, the result also has the redacted input.',
  });
export type GuardResult = z.infer<typeof guardResultSchema>;

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
    input: z.union([z.string(), z.array(z.string()).min(1), z.array(part).min(1)], {
      error: 'must be a string, an array of strings, or an array of parts',
    }),
    model: z.string().max(256).optional().meta({ description: 'Repeated in the response; it has no effect.' }),
  })
  .meta({ id: 'ModerationRequest', description: "OpenAI's request." });
export type ModerationRequest = z.infer<typeof moderationRequestSchema>;

export const moderationResponseSchema = z
  .object({
    id: z.string(),
    model: z.string(),
    results: z.array(moderationResultSchema),
    svc: securityInfoSchema.meta({ description: 'Has attacks too, for which OpenAI has no category.' }),
  })
  .meta({ id: 'ModerationResponse', description: 'One result per text; the parts of a message have one result.' });
export type ModerationResponse = z.infer<typeof moderationResponseSchema>;
