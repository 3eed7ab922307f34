import * as z from 'zod';
import { finishReason, securityInfoSchema, usageSchema } from '../openai-chat/chat-response.ts';

/** A whole text completion, and the data of one event of a stream: both have the same form. */
export const completionSchema = z
  .looseObject({
    id: z.string(),
    object: z.literal('text_completion'),
    created: z.int().meta({ description: 'Unix seconds.' }),
    model: z.string(),
    choices: z.array(
      z.looseObject({
        text: z.string(),
        index: z.int().min(0),
        logprobs: z.looseObject({}).nullish(),
        finish_reason: finishReason.nullable(),
      }),
    ),
    usage: usageSchema.nullish(),
    svc: securityInfoSchema
      .optional()
      .meta({ description: 'In whole answers, and in chunks that hold a finish_reason.' }),
  })
  .meta({ id: 'Completion', description: 'A text completion, or a chunk of one.' });
