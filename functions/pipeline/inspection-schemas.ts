import * as z from 'zod';
import {
  ACTIONS,
  detectedThreatSchema,
  moderationResultSchema,
  policySchema,
  securityInfoSchema,
} from '../kernel/model/index.ts';
import { conversationSchema } from '../translation/index.ts';

/** A request to inspect a text, a conversation or a response without a provider. */
export const guardRequestSchema = z
  .strictObject({
    input: z.string().optional().meta({ description: 'A text.' }),
    as: z.enum(['user', 'tool', 'system']).optional().meta({ description: 'The author of `input`. Default `user`.' }),
    messages: conversationSchema.shape.messages.optional().meta({
      description:
        'A conversation, as in chat completions. With `output`: what came before it. Its calls are compared with that, and only `output` is inspected.',
    }),
    tools: conversationSchema.shape.tools,
    output: conversationSchema.shape.output.optional().meta({
      description:
        'A response: its text, or a message of the assistant, as in chat completions, with its `tool_calls`.',
    }),
    system: z
      .string()
      .optional()
      .meta({ description: 'The system prompt of `output`, if `messages` does not have it.' }),
    policy: policySchema.optional().meta({ description: 'Replaces the policy of the key for this call.' }),
  })
  .meta({
    id: 'GuardRequest',
    description: 'Either `input`, `messages` or `output`; `messages` may accompany `output`.',
  });
export type GuardRequest = z.infer<typeof guardRequestSchema>;

const judgedCallSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    action: z.enum(['allow', 'flag', 'ask', 'block']).meta({ description: 'What the policy does with the call.' }),
    findings: z.array(detectedThreatSchema),
  })
  .meta({ id: 'GuardedCall', description: 'A tool call of `output`. Its findings are also in `svc`.' });

export const guardResultSchema = z
  .object({
    id: z.string(),
    object: z.literal('guard.result'),
    flagged: z.boolean(),
    action: z.enum(ACTIONS),
    svc: securityInfoSchema,
    input: z.string().optional(),
    messages: z.array(z.record(z.string(), z.unknown())).optional(),
    tools: z.array(z.record(z.string(), z.unknown())).optional(),
    output: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
    calls: z.array(judgedCallSchema).optional().meta({ description: 'Present if `output` is a message.' }),
  })
  .meta({
    id: 'GuardResult',
    description: 'The findings. If the action is `redact`, the result also has the redacted input or output.',
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
