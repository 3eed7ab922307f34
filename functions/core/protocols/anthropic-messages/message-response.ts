import * as z from 'zod';
import { securityInfoSchema } from '../openai-chat/chat-response.ts';

/** What the Messages API answers with, for the OpenAPI document and tests. Answers are never parsed by these. */
const count = z.int().min(0);
const usage = z.looseObject({
  input_tokens: count,
  output_tokens: count,
  cache_creation_input_tokens: count.nullish(),
  cache_read_input_tokens: count.nullish(),
});
const stopReason = z.string().meta({
  description:
    'Such as `end_turn`, `max_tokens`, `stop_sequence`, `tool_use`; `refusal` where the gateway cut the answer.',
});

export const messageSchema = z
  .looseObject({
    id: z.string(),
    type: z.literal('message'),
    role: z.literal('assistant'),
    model: z.string(),
    content: z.array(z.looseObject({ type: z.string() })),
    stop_reason: stopReason.nullable(),
    stop_sequence: z.string().nullable(),
    usage,
    svc: securityInfoSchema.optional().meta({ description: 'In whole answers.' }),
  })
  .meta({ id: 'Message', description: 'A message of the Messages API.' });

export const messageEventSchema = z
  .looseObject({
    type: z.string(),
    svc: securityInfoSchema.optional().meta({ description: 'In the `message_delta` that holds the `stop_reason`.' }),
  })
  .meta({
    id: 'MessageEvent',
    description: "The data of one event of a streamed message, as Anthropic's API has them.",
  });

export const tokenCountSchema = z
  .looseObject({ input_tokens: count, svc: securityInfoSchema.optional() })
  .meta({ id: 'TokenCount', description: 'How many tokens a request has.' });

export const messagesErrorSchema = z
  .looseObject({
    type: z.literal('error'),
    error: z.looseObject({
      type: z.string(),
      message: z.string(),
      code: z.string().optional().meta({ description: "The gateway's own code." }),
      param: z.string().optional(),
      details: z.looseObject({}).optional(),
    }),
    request_id: z.string(),
    svc: securityInfoSchema.optional(),
  })
  .meta({ id: 'MessagesError', description: "An error in the shape of Anthropic's API, the gateway's fields beside." });
