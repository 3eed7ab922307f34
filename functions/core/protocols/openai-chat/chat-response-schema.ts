import * as z from 'zod';
import { ERRORS, type ErrorCode } from '../../base/errors.ts';
import {
  type Coverage,
  REASONS,
  type SecurityInfo,
  type ShownThreat,
  THREAT_TYPES,
  type ThreatLocation,
} from '../../model/threat.ts';
import { chatModerationSchema } from '../../moderation/moderation-result.ts';

/**
 * The shapes that chat completions answer with, for the OpenAPI document and for tests that hold an answer against them.
 * Answers are never parsed by these: what a provider adds passes on, and so every object of the protocol stays open.
 */
const ACTIONS = ['allow', 'flag', 'redact', 'block'] as const;
const count = z.int().min(0);
const score = z.number().min(0).max(1);

const threatLocationSchema: z.ZodType<ThreatLocation> = z.object({
  part: z.enum(['input', 'output']),
  message: count.nullable().meta({ description: 'Index of the message in the request; null outside the messages.' }),
  field: z.string().meta({ description: 'Such as `messages[2].content` or `choices[0].content`.' }),
  start: count.meta({ description: 'UTF-16 code units of the text as sent.' }),
  end: count.meta({ description: 'Exclusive.' }),
});

export const detectedThreatSchema: z.ZodType<ShownThreat> = z
  .object({
    type: z.enum(THREAT_TYPES),
    category: z.string().meta({ description: 'A finer kind within the type, such as `email`.' }),
    score,
    severity: z.enum(['low', 'medium', 'high', 'critical']),
    action: z.enum(ACTIONS),
    rule: z.string().meta({ description: 'Public id of the rule, `family/thing`; never reused.' }),
    message: z.string(),
    location: threatLocationSchema,
    owasp: z.string().meta({ description: 'OWASP Top 10 for LLM applications 2025.' }),
    atlas: z.string().nullable().meta({ description: 'MITRE ATLAS technique.' }),
    reasons: z
      .array(z.enum(REASONS))
      .optional()
      .meta({ description: "Why the score is not the rule's own: where it stands, and what else was found." }),
    evidence: z.string().optional().meta({
      description: 'Where the policy asks for it: at most the first and last two characters, and a length class.',
    }),
  })
  .meta({
    id: 'DetectedThreat',
    description: 'A finding. Holds nothing of the text that it stands for, but for `evidence`.',
  });

const coverageSchema: z.ZodType<Coverage> = z.object({
  input: z.array(z.string()),
  output: z.array(z.string()),
  skipped: z.array(z.string()).meta({
    description:
      'What holds no text, such as `messages[1].content[1]: image`, and what was not judged, such as `bedrock_guardrails: timeout`.',
  }),
});

export const securityInfoSchema: z.ZodType<SecurityInfo> = z
  .object({
    threat_score: score.meta({ description: 'The highest score of the attack types, over input and output.' }),
    detected_threats: z
      .array(detectedThreatSchema)
      .meta({ description: 'At most 50; all count for score and action.' }),
    processing_time_ms: z.number().min(0).meta({ description: "The gateway's own time, without the provider's." }),
    action: z.enum(ACTIONS).meta({ description: 'The strongest action taken.' }),
    request_id: z.string(),
    session_id: z.string().nullable(),
    coverage: coverageSchema,
  })
  .meta({ id: 'SecurityInfo', description: 'What the gateway found and did.' });

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

/** Values that a provider may add to must be read as open: a client that refuses a new one breaks. */
export const finishReason = z
  .string()
  .meta({ description: 'stop, length, tool_calls, content_filter, or what the provider says.' });

/** The answer where `stream` is false or absent. */
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
    moderation: chatModerationSchema.optional().meta({ description: 'Where the request asked for it.' }),
    svc: securityInfoSchema,
  })
  .meta({ id: 'ChatCompletion', description: 'A whole answer.' });

/** The data of one event of a streamed answer. */
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
    moderation: chatModerationSchema.optional().meta({ description: 'In a chunk of its own, the last.' }),
    svc: securityInfoSchema.optional().meta({ description: 'In chunks that hold a finish_reason.' }),
  })
  .meta({ id: 'ChatCompletionChunk', description: 'The data of one event of a stream.' });

const CODES = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];
const TYPES = [...new Set(Object.values(ERRORS).map(({ type }) => type))] as [string, ...string[]];

/** The body of every answer with a status of 400 or more, and of the event that ends a stream that failed. */
export const errorResponseSchema = z
  .looseObject({
    error: z.looseObject({
      message: z.string(),
      type: z
        .string()
        .meta({ description: `One of ${TYPES.join(', ')}; a provider's own where its refusal is passed on.` }),
      param: z.string().nullable().meta({ description: 'The field at fault, such as `messages[2].content`.' }),
      code: z
        .string()
        .nullable()
        .meta({
          description: `One of ${CODES.join(', ')}; a provider's own, or null, where its refusal is passed on.`,
        }),
      details: z
        .object({
          limit: z.number(),
          remaining: z.literal(0),
          resetTime: z.iso.datetime().meta({ description: 'When the next request would be admitted.' }),
        })
        .optional()
        .meta({ description: 'Only where a limit of the key, or a budget, is exceeded.' }),
    }),
    svc: securityInfoSchema.optional().meta({
      description: "Where the request was blocked, or a provider's refusal is passed on and something was found.",
    }),
  })
  .meta({ id: 'ErrorResponse', description: "OpenAI's error shape." });
