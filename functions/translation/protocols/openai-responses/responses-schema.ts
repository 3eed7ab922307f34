import * as z from 'zod';
import { moderationFieldSchema, responsesModerationSchema, securityInfoSchema } from '../../../kernel/model/index.ts';
import { addIssues, checkedByType } from '../bodies/request-body.ts';
import { PROMPT_MODEL, typeOfItem } from './responses-names.ts';

const inputText = z.looseObject({ type: z.literal('input_text'), text: z.string() });
const outputText = z.looseObject({ type: z.literal('output_text'), text: z.string() });
const refusal = z.looseObject({ type: z.literal('refusal'), refusal: z.string() });
const inputImage = z.looseObject({
  type: z.literal('input_image'),
  image_url: z.string().nullish(),
  file_id: z.string().nullish(),
  detail: z.string().nullish(),
});
const inputFile = z.looseObject({
  type: z.literal('input_file'),
  file_data: z.string().nullish(),
  file_id: z.string().nullish(),
  file_url: z.string().nullish(),
  filename: z.string().nullish(),
});
const inputAudio = z.looseObject({
  type: z.literal('input_audio'),
  input_audio: z.looseObject({ data: z.string(), format: z.string() }),
});

/** Parts that `ChatRequest` can represent; all others pass to a provider of the same protocol. */
const part = checkedByType({
  input_text: inputText,
  output_text: outputText,
  refusal,
  input_image: inputImage,
  input_file: inputFile,
  input_audio: inputAudio,
});
const parts = z.union([z.string(), z.array(part)], { error: 'must be a string or an array of content parts' });

const message = z.looseObject({
  role: z.enum(['user', 'assistant', 'system', 'developer'], {
    error: 'role must be one of user, assistant, system, developer',
  }),
  content: parts,
});
const functionCall = z.looseObject({ call_id: z.string(), name: z.string(), arguments: z.string() });
const customCall = z.looseObject({ call_id: z.string(), name: z.string(), input: z.string() });
const callOutput = z.looseObject({ call_id: z.string(), output: parts });
const reasoning = z.looseObject({
  summary: z.array(z.looseObject({ type: z.string() })),
  content: z.array(z.looseObject({ type: z.string() })).nullish(),
});
const reference = z.looseObject({ id: z.string() });

const ITEMS: Readonly<Record<string, z.ZodType>> = {
  message,
  function_call: functionCall,
  function_call_output: callOutput,
  custom_tool_call: customCall,
  custom_tool_call_output: callOutput,
  reasoning,
  item_reference: reference,
};

/** An item of a known type must have that type's fields; the provider validates unknown types. */
const item = z.looseObject({ type: z.string().nullish() }).superRefine((value, context) => {
  const type = typeOfItem(value);
  addIssues(Object.hasOwn(ITEMS, type) ? ITEMS[type] : undefined, value, context);
});

const functionTool = z.looseObject({
  name: z.string(),
  description: z.string().nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
  strict: z.boolean().nullish(),
});
const customTool = z.looseObject({ name: z.string(), description: z.string().nullish() });
const tool = checkedByType({ function: functionTool, custom: customTool });

const format = checkedByType({
  json_schema: z.looseObject({ name: z.string(), schema: z.record(z.string(), z.unknown()) }),
});

/** The fields of a Responses API request that the gateway reads; every other field passes unchanged. */
export const responsesRequestSchema = z
  .looseObject({
    model: z
      .string()
      .min(1)
      .max(256)
      .nullish()
      .meta({ description: 'Optional with `prompt`: the stored prompt names one.' }),
    input: z.union([z.string(), z.array(item).min(1)], { error: 'must be a string or an array of items' }).nullish(),
    instructions: z.string().nullish(),
    stream: z.boolean().nullish(),
    background: z.boolean().nullish(),
    store: z.boolean().nullish(),
    previous_response_id: z.string().min(1).max(256).nullish(),
    conversation: z.union([z.string(), z.looseObject({ id: z.string() })]).nullish(),
    prompt: z.looseObject({ id: z.string() }).nullish(),
    include: z.array(z.string()).nullish(),
    max_output_tokens: z.int().min(1).nullish(),
    temperature: z.number().min(0).max(2).nullish(),
    top_p: z.number().min(0).max(1).nullish(),
    top_logprobs: z.int().min(0).max(20).nullish(),
    tools: z.array(tool).max(512).nullish(),
    tool_choice: z.union([z.enum(['auto', 'none', 'required']), z.looseObject({ type: z.string() })]).nullish(),
    parallel_tool_calls: z.boolean().nullish(),
    text: z.looseObject({ format: format.nullish(), verbosity: z.string().nullish() }).nullish(),
    reasoning: z.looseObject({ effort: z.string().nullish() }).nullish(),
    metadata: z.record(z.string(), z.unknown()).nullish(),
    truncation: z.string().nullish(),
    user: z.string().nullish(),
    moderation: moderationFieldSchema.nullish(),
  })
  .meta({ id: 'ResponsesRequest', description: 'As OpenAI documents it; fields not listed here are passed on.' });

export type ResponsesRequest = z.infer<typeof responsesRequestSchema>;

/** The model of a request; of its stored prompt if it names none. */
export function modelOf({ model, prompt }: Pick<ResponsesRequest, 'model' | 'prompt'>): string {
  return model ?? `openai/${PROMPT_MODEL}${prompt?.id ?? ''}`;
}
export type ResponsesItem = z.infer<typeof item>;
export type ResponsesPart = z.infer<typeof part>;
export type ResponsesTool = z.infer<typeof tool>;
export type MessageItem = z.infer<typeof message>;
export type FunctionCallItem = z.infer<typeof functionCall>;
export type CustomCallItem = z.infer<typeof customCall>;
export type ReasoningItem = z.infer<typeof reasoning>;
export type CallOutputItem = z.infer<typeof callOutput>;
export type CustomTool = z.infer<typeof customTool>;
export type FunctionTool = z.infer<typeof functionTool>;

/** Responses of the Responses API, for the OpenAPI document and tests. Provider responses are never parsed with these. */
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
      description: '`max_output_tokens`, or `content_filter` if the gateway cut the response.',
    }),
    error: z.looseObject({ code: z.string(), message: z.string() }).nullable(),
    model: z.string(),
    output: z.array(z.looseObject({ type: z.string() })),
    usage: usage.nullish().meta({ description: 'Absent if nothing is known.' }),
    moderation: responsesModerationSchema.nullish().meta({
      description: 'If the request asked for it: in whole responses, and in the event that ends a stream.',
    }),
    svc: securityInfoSchema
      .optional()
      .meta({ description: 'In whole responses, and in the event that ends a stream.' }),
  })
  .meta({ id: 'Response', description: 'A response of the Responses API.' });

export const responseEventSchema = z
  .looseObject({
    type: z.string(),
    sequence_number: count,
    response: responseSchema.optional().meta({ description: 'In events that contain the whole response.' }),
  })
  .meta({
    id: 'ResponseEvent',
    description: "The data of one event of a streamed response, as in OpenAI's API.",
  });

const svc = { svc: securityInfoSchema.optional() };

export const responseDeletionSchema = z
  .looseObject({ id: z.string(), object: z.string(), deleted: z.boolean(), ...svc })
  .meta({ id: 'ResponseDeletion', description: 'A deleted response.' });

export const inputItemListSchema = z
  .looseObject({
    object: z.literal('list'),
    data: z.array(z.looseObject({ type: z.string() })),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
    has_more: z.boolean(),
    ...svc,
  })
  .meta({ id: 'ResponseInputItems', description: 'A page of the input of a response.' });

export const compactedResponseSchema = z
  .looseObject({
    id: z.string(),
    object: z.literal('response.compaction'),
    created_at: z.int(),
    output: z.array(z.looseObject({ type: z.string() })),
    usage,
    ...svc,
  })
  .meta({ id: 'CompactedResponse', description: 'A compacted conversation.' });

export const inputTokenCountSchema = z
  .looseObject({ object: z.literal('response.input_tokens'), input_tokens: count, ...svc })
  .meta({ id: 'ResponseInputTokens', description: 'The number of input tokens.' });
