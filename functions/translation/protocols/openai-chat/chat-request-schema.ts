import * as z from 'zod';
import { moderationFieldSchema } from '../../../kernel/model/index.ts';

const textPart = z.looseObject({ type: z.literal('text'), text: z.string() });
const refusalPart = z.looseObject({ type: z.literal('refusal'), refusal: z.string() });
const imagePart = z.looseObject({
  type: z.literal('image_url'),
  image_url: z.looseObject({ url: z.string(), detail: z.string().optional() }),
});
const audioPart = z.looseObject({
  type: z.literal('input_audio'),
  input_audio: z.looseObject({ data: z.string(), format: z.string() }),
});
const filePart = z.looseObject({
  type: z.literal('file'),
  file: z.looseObject({
    file_id: z.string().optional(),
    filename: z.string().optional(),
    file_data: z.string().optional(),
  }),
});
/** Mistral's reasoning: https://docs.mistral.ai/capabilities/reasoning */
const thinkingPart = z.looseObject({
  type: z.literal('thinking'),
  thinking: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]),
});
const part = z.discriminatedUnion('type', [textPart, refusalPart, imagePart, audioPart, filePart, thinkingPart], {
  error: 'type must be one of text, image_url, input_audio, file, refusal, thinking',
});

const content = z.union([z.string(), z.array(part).min(1)], { error: 'must be a string or an array of content parts' });
const nullableContent = z.union([z.string(), z.null(), z.array(part)], {
  error: 'must be a string, null or an array of content parts',
});
const toolCall = z.looseObject({
  id: z.string(),
  type: z.literal('function').optional(),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
});
/** OpenAI's custom tools take text instead of JSON arguments. */
const customToolCall = z.looseObject({
  id: z.string(),
  type: z.literal('custom'),
  custom: z.looseObject({ name: z.string(), input: z.string() }),
});
const name = z.string().optional();
const toolCalls = z.array(z.union([toolCall, customToolCall]));

/** A message of the model, such as a response's. */
const assistantMessage = z.looseObject({
  role: z.literal('assistant'),
  content: nullableContent.optional(),
  name,
  refusal: z.string().nullish(),
  tool_calls: toolCalls.nullish(),
  function_call: z.looseObject({ name: z.string(), arguments: z.string() }).nullish(),
});

/** OpenAI's limit on the calls of one message. */
const MAX_CALLS = 128;
/** A message of one response. */
export const responseMessageSchema = assistantMessage.extend({ tool_calls: toolCalls.max(MAX_CALLS).nullish() });

const message = z.discriminatedUnion(
  'role',
  [
    z.looseObject({ role: z.literal('system'), content, name }),
    z.looseObject({ role: z.literal('developer'), content, name }),
    z.looseObject({ role: z.literal('user'), content, name }),
    assistantMessage,
    z.looseObject({ role: z.literal('tool'), content, tool_call_id: z.string() }),
    z.looseObject({ role: z.literal('function'), content: z.union([z.string(), z.null()]), name: z.string() }),
  ],
  { error: 'role must be one of system, developer, user, assistant, tool, function' },
);

const tool = z.union([
  z.looseObject({
    type: z.literal('function'),
    function: z.looseObject({
      name: z.string(),
      description: z.string().nullish(),
      parameters: z.record(z.string(), z.unknown()).nullish(),
      strict: z.boolean().nullish(),
    }),
  }),
  z.looseObject({
    type: z.literal('custom'),
    custom: z.looseObject({ name: z.string(), description: z.string().nullish() }),
  }),
]);

const toolChoice = z.union([
  z.enum(['auto', 'none', 'required']),
  z.looseObject({ type: z.literal('function'), function: z.looseObject({ name: z.string() }) }),
  z.looseObject({ type: z.literal('custom'), custom: z.looseObject({ name: z.string() }) }),
  z.looseObject({ type: z.literal('allowed_tools') }),
]);

/** The fields of a chat completion request that the gateway reads; every other field passes unchanged. */
export const chatRequestSchema = z
  .looseObject({
    model: z.string().min(1).max(256),
    messages: z.array(message).min(1),
    stream: z.boolean().nullish(),
    stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
    temperature: z.number().min(0).max(2).nullish(),
    top_p: z.number().min(0).max(1).nullish(),
    max_tokens: z.int().min(1).nullish(),
    max_completion_tokens: z.int().min(1).nullish(),
    n: z.int().min(1).max(128).nullish(),
    stop: z
      .union([z.string(), z.array(z.string()).max(16)], { error: 'must be a string or an array of strings' })
      .nullish(),
    tools: z.array(tool).max(512).nullish(),
    tool_choice: toolChoice.nullish(),
    parallel_tool_calls: z.boolean().nullish(),
    user: z.string().nullish(),
    moderation: moderationFieldSchema.nullish(),
  })
  .meta({ id: 'ChatCompletionRequest', description: 'As OpenAI documents it; fields not listed here are passed on.' });

export type OpenAiChatRequest = z.infer<typeof chatRequestSchema>;
export type OpenAiMessage = OpenAiChatRequest['messages'][number];
