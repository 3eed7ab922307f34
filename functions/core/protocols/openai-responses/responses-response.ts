import * as z from 'zod';
import { responsesModerationSchema } from '../../moderation/moderation-result.ts';
import { securityInfoSchema } from '../openai-chat/chat-response.ts';

/** What the Responses API answers with, for the OpenAPI document and tests. Answers are never parsed by these. */
const count = z.int().min(0);
const usage = z.looseObject({
  input_tokens: count,
  input_tokens_details: z.looseObject({ cached_tokens: count }),
  output_tokens: count,
  output_tokens_details: z.looseObject({ reasoning_tokens: count }),
  total_tokens: count,
});

export const responseSchema = z
  .looseObject({
    id: z.string(),
    object: z.literal('response'),
    created_at: z.int(),
    status: z.string().meta({
      description: '`completed`, `incomplete`, `failed` or, in the first events of a stream, `in_progress`.',
    }),
    incomplete_details: z.looseObject({ reason: z.string() }).nullable().meta({
      description: '`max_output_tokens`, or `content_filter` where the gateway cut the answer.',
    }),
    error: z.looseObject({ code: z.string(), message: z.string() }).nullable(),
    model: z.string(),
    output: z.array(z.looseObject({ type: z.string() })),
    usage: usage.nullish().meta({ description: 'Not there where nothing is known.' }),
    moderation: responsesModerationSchema.nullish().meta({
      description: 'Where the request asked for it: in whole answers, and in the event that ends a stream.',
    }),
    svc: securityInfoSchema.optional().meta({ description: 'In whole answers, and in the event that ends a stream.' }),
  })
  .meta({ id: 'Response', description: 'A response of the Responses API.' });

export const responseEventSchema = z
  .looseObject({
    type: z.string(),
    sequence_number: count,
    response: responseSchema.optional().meta({ description: 'In events that tell the response as a whole.' }),
  })
  .meta({
    id: 'ResponseEvent',
    description: "The data of one event of a streamed response, as OpenAI's API has them.",
  });
