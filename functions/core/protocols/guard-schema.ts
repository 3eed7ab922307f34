import * as z from 'zod';
import { policySchema } from '../model/policy.ts';
import { chatRequestSchema } from './openai-chat/chat-request-schema.ts';
import { securityInfoSchema } from './openai-chat/chat-response.ts';

/** A request to inspect something without a provider: a text, a conversation, or an answer. */
export const guardRequestSchema = z
  .strictObject({
    input: z.string().optional(),
    /** Who wrote `input`. */
    as: z.enum(['user', 'tool', 'system']).optional(),
    messages: chatRequestSchema.shape.messages.optional(),
    tools: chatRequestSchema.shape.tools,
    output: z.string().optional(),
    /** The system prompt that `output` was written under. */
    system: z.string().optional(),
    policy: policySchema.optional(),
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
    description:
      'What was found. Where the action is `redact`, what was sent stands beside it with its redactions made.',
  });
export type GuardResult = z.infer<typeof guardResultSchema>;
