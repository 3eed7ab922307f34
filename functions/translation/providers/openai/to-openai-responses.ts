import type { ChatMessage, ChatRequest, ContentPart, SignedPart, ToolDefinition } from '../../../kernel/model/index.ts';
import {
  dropReasoning,
  fieldsFor,
  inPlaces,
  refuseEssential,
  type TargetFields,
  type Translation,
} from '../../routing/index.ts';
import { NO_PARAMETERS } from '../anthropic/to-claude-schema.ts';
import { toStrictTools } from './strict-schema.ts';
import { CHAT_TARGET, type ChatContext } from './to-openai-request.ts';

/**
 * Models that refuse tools in chat completions: from gpt-5.4 on with an effort, from gpt-5.6 on also without one. "Function tools with
 * reasoning_effort are not supported for gpt-5.4 in /v1/chat/completions. Please use /v1/responses instead."
 */
const WITHOUT_CHAT_TOOLS = /^(?:.*\/)?gpt-(?:5\.(?:[4-9]|\d\d)|[6-9]|\d\d)/;

/** The API refuses a smaller `max_output_tokens`. */
const LEAST_OUTPUT = 16;

/** Whether a translated request goes to the Responses API instead of chat completions. @param isKnown the model has refused tools there */
export function needsResponses({ tools }: ChatRequest, model: string, isKnown = false): boolean {
  return tools !== undefined && tools.length > 0 && (isKnown || WITHOUT_CHAT_TOOLS.test(model));
}

/** Of these, models that do not reason: OpenAI refuses to encrypt for them. */
const WITHOUT_REASONING = /-chat\b/;

/** Whether a model's reasoning is returned encrypted, to be sent back. @param isKnown the model has refused tools in chat completions */
export function encryptsReasoning(model: string, isKnown = false): boolean {
  return (isKnown || WITHOUT_CHAT_TOOLS.test(model)) && !WITHOUT_REASONING.test(model);
}

/** What the Responses API has for fields of other APIs. */
export const RESPONSES_TARGET: TargetFields<ChatContext> = {
  ...CHAT_TARGET,
  seed: { otherwise: 'dropped' },
  presence_penalty: { otherwise: 'dropped' },
  frequency_penalty: { otherwise: 'dropped' },
  logit_bias: { otherwise: 'dropped' },
};

/**
 * The body of a call of the Responses API for a request in another protocol, of which the provider keeps nothing.
 * @throws GatewayError `invalid_value` for what changes the result and has no equivalent; `param` names the field
 */
export function toOpenAiResponses(request: ChatRequest, context: ChatContext, translation: Translation): object {
  refuseEssential(request.others, translation);
  dropReasoning(request.messages, translation);
  if (request.choiceCount > 1) throw translation.refused('n', 'with tools, this model returns one choice');
  if (request.stop?.length) throw translation.refused('stop', 'with tools, this model has no stop sequences');
  for (const [name, value] of Object.entries({ temperature: request.temperature, top_p: request.topP })) {
    if (value !== undefined && value !== 1) translation.dropped(name, 'this model takes only its default');
  }
  const { toolChoice, parallelToolCalls, maxOutputTokens, tools = [] } = request;
  if (maxOutputTokens !== undefined && maxOutputTokens < LEAST_OUTPUT) {
    translation.adjusted('max_tokens', `its least value is ${LEAST_OUTPUT}`);
  }
  const fields = fieldsFor(request.others, RESPONSES_TARGET, context, translation);
  const { reasoning_effort: effort, response_format: format, verbosity, ...others } = fields;
  const text = {
    ...(format !== undefined && { format: toFormat(format) }),
    ...(verbosity !== undefined && { verbosity }),
  };
  return {
    ...others,
    model: context.model,
    input: request.messages.flatMap((message, at) => toItems(message, `messages[${at}]`, translation)),
    store: false,
    ...(encryptsReasoning(context.model, true) && { include: ['reasoning.encrypted_content'] }),
    ...(request.stream && { stream: true }),
    tools: toStrictTools(tools, translation).map(toTool),
    ...(toolChoice !== undefined && {
      tool_choice: typeof toolChoice === 'string' ? toolChoice : { type: 'function', name: toolChoice.name },
    }),
    ...(parallelToolCalls !== undefined && { parallel_tool_calls: parallelToolCalls }),
    ...(maxOutputTokens !== undefined && { max_output_tokens: Math.max(maxOutputTokens, LEAST_OUTPUT) }),
    ...(effort !== undefined && { reasoning: { effort } }),
    ...(Object.keys(text).length > 0 && { text }),
  };
}

/** From a chat completion's `response_format`. */
function toFormat(format: unknown): object {
  const { type, json_schema: schema } = format as { type: string; json_schema?: object };
  return { type, ...schema };
}

/** `strict` is on here unless it is off. */
function toTool({ name, description, parameters = NO_PARAMETERS, strict = false }: ToolDefinition): object {
  return { type: 'function', name, ...(description && { description }), parameters, strict };
}

function toItems(message: ChatMessage, place: string, translation: Translation): object[] {
  const { role, parts, toolCalls = [], toolCallId, signed = [] } = message;
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  // Parts of an earlier response have ids there; its text has none. Pieces of a stream are one text.
  const isText = texts.length === parts.length && (parts.length === 1 || role === 'assistant');
  const content = isText
    ? texts.join('')
    : parts.map((part, at) => toPart(part, role, `${place}.content[${at}]`, translation));
  if (role === 'tool')
    return [{ type: 'function_call_output', call_id: toolCallId ?? '', output: parts.length === 0 ? '' : content }];
  const said = parts.length > 0 ? [{ type: 'message', role, content }] : [];
  const isFirst = ({ text, calls }: SignedPart) => text === 0 && calls === 0;
  return [
    ...signed.filter(isFirst).map(({ block }) => block),
    ...said,
    ...inPlaces<object>(
      { parts: [], toolCalls, signed: signed.filter((one) => !isFirst(one)) },
      {
        text: () => [],
        call: ({ id, name, arguments: text }) => [{ type: 'function_call', call_id: id, name, arguments: text }],
        signed: (block) => [block],
      },
    ),
  ];
}

function toPart(part: ContentPart, role: string, param: string, translation: Translation): object {
  switch (part.type) {
    case 'text':
      return { type: role === 'assistant' ? 'output_text' : 'input_text', text: part.text };
    case 'refusal':
      return { type: 'refusal', refusal: part.text };
    case 'image':
      return { type: 'input_image', image_url: part.url, detail: part.detail ?? 'auto' };
    case 'file':
      return {
        type: 'input_file',
        ...(part.fileId && { file_id: part.fileId }),
        ...(part.filename && { filename: part.filename }),
        ...(part.data && { file_data: part.data }),
      };
    case 'audio':
      throw translation.refused(param, 'with tools, this model takes no audio');
  }
}
