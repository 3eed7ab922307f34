import * as z from 'zod';
import { securityInfoSchema } from '../../../kernel/model/index.ts';
import { addIssues, checkedByType } from '../bodies/request-body.ts';

/** Blocks that `ChatRequest` can represent; all others pass to a provider of the same protocol. */
const textBlock = z.looseObject({ type: z.literal('text'), text: z.string() });
const imageBlock = z.looseObject({ type: z.literal('image'), source: z.looseObject({ type: z.string() }) });
const documentBlock = z.looseObject({ type: z.literal('document'), source: z.looseObject({ type: z.string() }) });
const toolUseBlock = z.looseObject({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: z.record(z.string(), z.unknown()),
});
const thinkingBlock = z.looseObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() });
const IN_RESULTS = { text: textBlock, image: imageBlock, document: documentBlock } as const;
const toolResultBlock = z.looseObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z
    .union([z.string(), z.array(checkedByType(IN_RESULTS))], {
      error: 'must be a string or an array of content blocks',
    })
    .optional(),
  is_error: z.boolean().optional(),
});

const KNOWN = { text: textBlock, image: imageBlock, document: documentBlock, tool_use: toolUseBlock } as const;
const ALSO_KNOWN = { thinking: thinkingBlock, tool_result: toolResultBlock } as const;
const SCHEMAS: Readonly<Record<string, z.ZodType>> = { ...KNOWN, ...ALSO_KNOWN };

/** A block of a known type must have that type's fields; the provider validates unknown types. */
const block = checkedByType(SCHEMAS);

const content = z.union([z.string(), z.array(block).min(1)], {
  error: 'must be a string or an array of content blocks',
});

const message = z.looseObject({
  role: z.enum(['user', 'assistant', 'system'], { error: 'role must be user, assistant or system' }),
  content: z.union([z.string(), z.array(block)], { error: 'must be a string or an array of content blocks' }),
});

/** A tool that the caller defines. */
const customTool = z.looseObject({
  type: z.literal('custom').nullish(),
  name: z.string(),
  description: z.string().optional(),
  input_schema: z.record(z.string(), z.unknown()),
});
/** A tool that Anthropic provides; a toolset has no name. */
const providedTool = z.looseObject({ type: z.string(), name: z.string().optional() });
const tool = z.looseObject({ type: z.string().nullish() }).superRefine((value, context) => {
  const isCustom = value.type == null || value.type === 'custom';
  addIssues(isCustom ? customTool : providedTool, value, context);
});

const fields = {
  model: z.string().min(1).max(256),
  messages: z.array(message).min(1),
  system: content.optional(),
  tools: z.array(tool).max(512).optional(),
  tool_choice: z.looseObject({ type: z.string(), name: z.string().optional() }).optional(),
};

/** The fields of a Messages API request that the gateway reads; every other field passes unchanged. */
export const messagesRequestSchema = z
  .looseObject({
    ...fields,
    max_tokens: z.int().min(1),
    stream: z.boolean().nullish(),
    temperature: z.number().min(0).max(1).nullish(),
    top_p: z.number().min(0).max(1).nullish(),
    stop_sequences: z.array(z.string()).max(8192).nullish(),
    metadata: z.looseObject({ user_id: z.string().nullish() }).nullish(),
  })
  .meta({ id: 'MessagesRequest', description: 'As Anthropic documents it; fields not listed here are passed on.' });

/** The fields of a token counting request, which has no `max_tokens`. */
export const countTokensRequestSchema = z
  .looseObject(fields)
  .meta({ id: 'CountTokensRequest', description: 'As Anthropic documents it.' });

export type MessagesRequest = z.infer<typeof messagesRequestSchema>;
export type CountTokensRequest = z.infer<typeof countTokensRequestSchema>;
export type MessagesMessage = MessagesRequest['messages'][number];
export type MessagesBlock = z.infer<typeof block>;
export type CustomTool = z.infer<typeof customTool>;
export type TextBlock = z.infer<typeof textBlock>;
export type ToolUseBlock = z.infer<typeof toolUseBlock>;
export type ToolResultBlock = z.infer<typeof toolResultBlock>;
export type SourceBlock = z.infer<typeof imageBlock> | z.infer<typeof documentBlock>;

/** Responses of the Messages API, for the OpenAPI document and tests. Provider responses are never parsed with these. */
const count = z.int().min(0);
const usage = z.looseObject({
  input_tokens: count,
  output_tokens: count,
  cache_creation_input_tokens: count.nullish(),
  cache_read_input_tokens: count.nullish(),
});
const stopReason = z.string().meta({
  description:
    'Such as `end_turn`, `max_tokens`, `stop_sequence`, `tool_use`; `refusal` if the gateway cut the response.',
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
    svc: securityInfoSchema.optional().meta({ description: 'In whole responses.' }),
  })
  .meta({ id: 'Message', description: 'A message of the Messages API.' });

export const messageEventSchema = z
  .looseObject({
    type: z.string(),
    svc: securityInfoSchema
      .optional()
      .meta({ description: 'In the `message_delta` event that has the `stop_reason`.' }),
  })
  .meta({
    id: 'MessageEvent',
    description: "The data of one event of a streamed message, as in Anthropic's API.",
  });

export const tokenCountSchema = z
  .looseObject({ input_tokens: count, svc: securityInfoSchema.optional() })
  .meta({ id: 'TokenCount', description: 'The token count of a request.' });

export const messagesErrorSchema = z
  .looseObject({
    type: z.literal('error'),
    error: z.looseObject({
      type: z.string(),
      message: z.string(),
      code: z.string().optional().meta({ description: "The gateway's error code." }),
      param: z.string().optional(),
      details: z.looseObject({}).optional(),
      svc: securityInfoSchema.optional(),
    }),
    request_id: z.string(),
    svc: securityInfoSchema.optional(),
  })
  .meta({ id: 'MessagesError', description: "An error in Anthropic's format, with the gateway's fields." });
