import * as z from 'zod';
import { ERRORS, type ErrorCode } from '../../../kernel/errors/index.ts';

import { chatModerationSchema, securityInfoSchema } from '../../../kernel/model/index.ts';

/**
 * Responses of chat completions, for the OpenAPI document and for tests. Provider responses are never parsed with these. Providers may add
 * members, so every object of the protocol is open.
 */
const count = z.int().min(0);

export const usageSchema = z
  .looseObject({
    prompt_tokens: count,
    completion_tokens: count,
    total_tokens: count,
    prompt_tokens_details: z.looseObject({ cached_tokens: count.optional() }).nullish(),
    completion_tokens_details: z.looseObject({ reasoning_tokens: count.optional() }).nullish(),
  })
  .meta({ id: 'Usage', description: 'Token counts as the provider reports them; absent where it reports none.' });

const functionCall = z.looseObject({ name: z.string(), arguments: z.string() });
const toolCall = z.looseObject({
  id: z.string(),
  type: z.string(),
  function: functionCall.optional(),
  custom: z.looseObject({ name: z.string(), input: z.string() }).optional(),
});

/** Values that a provider may extend must stay open: a client that refuses a new one breaks. */
export const finishReason = z
  .string()
  .meta({ description: 'stop, length, tool_calls, content_filter, or another reason from the provider.' });

/** The response if `stream` is false or absent. */
export const chatCompletionSchema = z
  .looseObject({
    id: z.string(),
    object: z.literal('chat.completion'),
    created: z.int().meta({ description: 'Unix seconds.' }),
    model: z.string(),
    choices: z.array(
      z.looseObject({
        index: count,
        message: z.looseObject({
          role: z.literal('assistant'),
          content: z.string().nullish(),
          refusal: z.string().nullish(),
          tool_calls: z.array(toolCall).optional(),
        }),
        logprobs: z.looseObject({}).nullish(),
        finish_reason: finishReason,
      }),
    ),
    usage: usageSchema.optional(),
    moderation: chatModerationSchema.optional().meta({ description: 'If the request asked for it.' }),
    svc: securityInfoSchema,
  })
  .meta({ id: 'ChatCompletion', description: 'A whole response.' });

/** The data of one event of a streamed response. */
export const chatCompletionChunkSchema = z
  .looseObject({
    id: z.string().meta({ description: 'The same in all chunks.' }),
    object: z.literal('chat.completion.chunk'),
    created: z.int().meta({ description: 'Unix seconds.' }),
    model: z.string(),
    choices: z
      .array(
        z.looseObject({
          index: count,
          delta: z.looseObject({
            role: z.string().optional(),
            content: z.string().nullish(),
            refusal: z.string().nullish(),
            tool_calls: z
              .array(
                z.looseObject({
                  index: count,
                  id: z.string().optional(),
                  type: z.string().optional(),
                  function: functionCall.partial().optional(),
                }),
              )
              .optional(),
          }),
          logprobs: z.looseObject({}).nullish(),
          finish_reason: finishReason.nullable(),
        }),
      )
      .meta({ description: 'Empty in the chunks that report usage and moderation.' }),
    usage: usageSchema.nullish(),
    moderation: chatModerationSchema.optional().meta({ description: 'In a separate chunk, the last.' }),
    svc: securityInfoSchema.optional().meta({ description: 'In chunks that have a finish_reason.' }),
  })
  .meta({ id: 'ChatCompletionChunk', description: 'The data of one event of a stream.' });

const CODES = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];
const TYPES = [...new Set(Object.values(ERRORS).map(({ type }) => type))] as [string, ...string[]];

/** The body of every response with status 400 or higher, and of the event that ends a failed stream. */
export const errorResponseSchema = z
  .looseObject({
    error: z.looseObject({
      message: z.string(),
      type: z
        .string()
        .meta({ description: `One of ${TYPES.join(', ')}; the provider's own type if its error is passed on.` }),
      param: z.string().nullable().meta({ description: 'The invalid field, such as `messages[2].content`.' }),
      code: z
        .string()
        .nullable()
        .meta({
          description: `One of ${CODES.join(', ')}; the provider's own code, or null, if its error is passed on.`,
        }),
      details: z
        .object({
          limit: z.number(),
          remaining: z.literal(0),
          resetTime: z.iso.datetime().meta({ description: 'When the next request would be accepted.' }),
        })
        .optional()
        .meta({ description: 'Only if a limit or budget of the key is exceeded.' }),
      svc: securityInfoSchema
        .optional()
        .meta({ description: 'The same as beside `error`: SDKs expose only this object.' }),
    }),
    svc: securityInfoSchema.optional().meta({
      description: "If the request was blocked, or if a provider's error is passed on and there are findings.",
    }),
  })
  .meta({ id: 'ErrorResponse', description: "OpenAI's error format." });
