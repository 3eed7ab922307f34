import { isObject, type JsonDocument } from '../../../kernel/json/index.ts';
import type {
  ChatMessage,
  ChatRequest,
  ChatRole,
  ContentPart,
  OtherField,
  ToolCall,
  ToolChoice,
  ToolDefinition,
} from '../../../kernel/model/index.ts';
import {
  type AllowedTools,
  allowedToolsOf,
  cacheOf,
  type Defaults,
  fieldTable,
  jsonFormatOf,
  noteOthers,
  toThinking,
} from '../bodies/field-table.ts';
import { checkBody } from '../bodies/request-body.ts';
import { GRAMMAR_IN_DESCRIPTION, textArguments, toTextTool } from '../bodies/text-tools.ts';
import { REASONING_MEMBERS, reasoningIn } from './chat-reasoning.ts';
import { chatRequestSchema, type OpenAiChatRequest, type OpenAiMessage } from './chat-request-schema.ts';
import { CHAT_PLACES } from './chat-request-texts.ts';

/** Members of responses that come back in the next turn: annotations, what OpenAI's SDKs add when they parse. */
const OF_RESPONSES = 'annotations parsed index parsed_arguments';
const CACHE_HINTS = 'cache_control prompt_cache_breakpoint';

/** The fields of a request, by kind of object. */
export const CHAT_FIELDS = fieldTable({
  request: {
    read: 'model messages stream stream_options temperature top_p max_tokens max_completion_tokens n stop tools tool_choice parallel_tool_calls response_format thinking',
    no_effect: 'moderation svc',
    end_user: 'user',
    reasoning_effort: 'reasoning_effort',
    seed: 'seed',
    top_k: 'top_k',
    presence_penalty: 'presence_penalty',
    frequency_penalty: 'frequency_penalty',
    logit_bias: 'logit_bias',
    verbosity: 'verbosity',
    service_tier: 'service_tier',
    hint: 'metadata prediction prompt_cache_key prompt_cache_options prompt_cache_retention safety_identifier store web_search_options',
    essential: 'audio function_call functions logprobs modalities top_logprobs',
  },
  thinking: { read: 'type budget_tokens', hint: 'display' },
  message: {
    read: 'role content tool_call_id tool_calls function_call refusal',
    reasoning: 'reasoning reasoning_content reasoning_details',
    no_effect: OF_RESPONSES,
    cache_hint: CACHE_HINTS,
    hint: 'name',
    // The id of an earlier response's audio, without its text.
    essential: 'audio',
  },
  // Its name is the id of its call.
  function_result: { read: 'role content name', no_effect: OF_RESPONSES, cache_hint: CACHE_HINTS },
  call: { read: 'id type function custom', no_effect: `${OF_RESPONSES} extra_content`, cache_hint: CACHE_HINTS },
  function: { read: 'name arguments', no_effect: OF_RESPONSES },
  custom_call: { read: 'name input', no_effect: OF_RESPONSES },
  part: { read: 'type text refusal image_url input_audio file', reasoning: 'thinking', cache_hint: CACHE_HINTS },
  image_url: { read: 'url', image_detail: 'detail' },
  input_audio: { read: 'data format' },
  file: { read: 'file_id filename file_data' },
  tool: { read: 'type function custom', cache_hint: CACHE_HINTS },
  definition: { read: 'name description parameters strict', cache_hint: CACHE_HINTS },
  custom: { read: 'name description format' },
  format: { read: 'type grammar' },
  grammar: { read: 'syntax definition' },
  response_format: { read: 'type json_schema' },
  json_schema: { read: 'name description schema strict' },
  tool_choice: { read: 'type function custom' },
  chosen_tool: { read: 'name' },
});
/** Values that hold without the field too. */
const DEFAULTS: Defaults = {
  detail: (value) => value === 'auto',
  logprobs: (value) => value === false,
  top_logprobs: (value) => value === 0,
  logit_bias: (value) => isObject(value) && Object.keys(value).length === 0,
  presence_penalty: (value) => value === 0,
  frequency_penalty: (value) => value === 0,
  modalities: (value) => Array.isArray(value) && value.every((one) => one === 'text'),
  service_tier: (value) => value === 'auto' || value === 'default',
  store: (value) => value === false,
  verbosity: (value) => value === 'medium',
};

/** Checks a chat completion body. @throws GatewayError that names the field */
export function checkChatRequest(document: JsonDocument): OpenAiChatRequest {
  return checkBody(chatRequestSchema, document, CHAT_PLACES);
}

/** Messages and tools of a chat completion request. */
export interface OpenAiConversation {
  readonly messages: readonly OpenAiMessage[];
  readonly tools?: OpenAiChatRequest['tools'];
}

/** Converts messages and tools. A custom tool is a function with one text. */
export function fromOpenAiConversation({
  messages,
  tools,
}: OpenAiConversation): Pick<ChatRequest, 'messages' | 'tools'> {
  return { messages: messages.map(toMessage), ...(tools && { tools: tools.map(toTool) }) };
}

/** The names of custom tools, whose calls have a text instead of JSON arguments. */
export function textToolsOf({ tools }: Pick<OpenAiChatRequest, 'tools'>): ReadonlySet<string> {
  return new Set(
    (tools ?? []).flatMap((tool) => (tool.type === 'custom' ? [(tool.custom as { name: string }).name] : [])),
  );
}

/** Converts the request to `ChatRequest`. */
export function fromOpenAiChatRequest(body: OpenAiChatRequest): ChatRequest {
  // Servers differ in which of the two they read.
  const maxOutputTokens = Math.max(body.max_completion_tokens ?? 0, body.max_tokens ?? 0);
  const { messages, tools } = fromOpenAiConversation(body);
  const allowed = allowedIn(body.tool_choice, tools);
  const toolChoice = allowed?.mode ?? toToolChoice(body.tool_choice);
  return {
    model: body.model,
    messages,
    ...(tools && { tools: allowed === undefined ? tools : tools.filter(({ name }) => allowed.names.has(name)) }),
    stream: body.stream ?? false,
    includeUsage: body.stream_options?.include_usage ?? false,
    choiceCount: body.n ?? 1,
    others: othersIn(body, allowed !== undefined),
    ...callersNamesIn(body.messages),
    ...(toolChoice !== undefined && { toolChoice }),
    ...(typeof body.parallel_tool_calls === 'boolean' && { parallelToolCalls: body.parallel_tool_calls }),
    ...(maxOutputTokens > 0 && { maxOutputTokens }),
    ...(typeof body.temperature === 'number' && { temperature: body.temperature }),
    ...(typeof body.top_p === 'number' && { topP: body.top_p }),
    ...(body.stop != null && { stop: typeof body.stop === 'string' ? [body.stop] : body.stop }),
  };
}

/** The members that have the reasoning of messages and the texts of calls. */
function callersNamesIn(messages: readonly OpenAiMessage[]): Pick<ChatRequest, 'callersNames'> {
  const named = messages.flatMap((message, at): [string, string][] => {
    if (message.role !== 'assistant') return [];
    const calls = [...(message.tool_calls ?? []).entries()].flatMap(([index, { type }]): [string, string][] => {
      const place = `messages[${at}].tool_calls[${index}]`;
      return type === 'custom' ? [[`${place}.function.arguments`, `${place}.custom.input`]] : [];
    });
    if (reasoningIn(message) === undefined) return calls;
    const member = [...REASONING_MEMBERS, 'reasoning_details'].find((name) => message[name]) ?? 'content';
    return [[`messages[${at}].reasoning`, `messages[${at}].${member}`], ...calls];
  });
  return named.length === 0 ? {} : { callersNames: Object.fromEntries(named) };
}

/** The fields for which `ChatRequest` has no member. */
function othersIn(body: OpenAiChatRequest, isAllowed: boolean): OtherField[] {
  const others: OtherField[] = [];
  const note = (object: object, kind: keyof typeof CHAT_FIELDS, path: string) =>
    noteOthers(object, CHAT_FIELDS[kind], path, others, DEFAULTS);
  note(body, 'request', '');
  noteFormat(body.response_format, note, others);
  // Anthropic's field, which many servers of OpenAI's protocol take.
  if (isObject(body.thinking)) {
    note(body.thinking, 'thinking', 'thinking');
    others.push({ path: 'thinking', meaning: 'thinking', value: toThinking(body.thinking) });
  }
  for (const [at, message] of body.messages.entries()) noteMessage(message, `messages[${at}]`, note, others);
  for (const [at, tool] of (body.tools ?? []).entries()) {
    const path = `tools[${at}]`;
    note(tool, 'tool', path);
    if (tool.type === 'function') note(tool.function as object, 'definition', `${path}.function`);
    else noteTextTool(tool.custom as { readonly format?: unknown }, `${path}.custom`, note, others);
  }
  if (!isAllowed) noteToolChoice(body.tool_choice, note, others);
  return others;
}

type Note = (object: object, kind: keyof typeof CHAT_FIELDS, path: string) => void;

function noteMessage(message: OpenAiMessage, path: string, note: Note, others: OtherField[]): void {
  note(message, message.role === 'function' ? 'function_result' : 'message', path);
  if (Array.isArray(message.content)) {
    message.content.forEach((part, at) => {
      const place = `${path}.content[${at}]`;
      note(part, 'part', place);
      if (part.type === 'image_url' || part.type === 'input_audio' || part.type === 'file') {
        note(part[part.type] as object, part.type, `${place}.${part.type}`);
      }
    });
  }
  if (message.role !== 'assistant') return;
  const { reasoning_details: details } = message;
  // Encrypted, which only its model can read.
  if (details != null && reasoningIn(message) === undefined) {
    others.push({ path: `${path}.reasoning_details`, meaning: 'hint', value: details });
  }
  message.tool_calls?.forEach((call, at) => {
    const place = `${path}.tool_calls[${at}]`;
    note(call, 'call', place);
    if (call.type === 'custom') note(call.custom as object, 'custom_call', `${place}.custom`);
    else note(call.function as object, 'function', `${place}.function`);
  });
}

function noteTextTool(tool: { readonly format?: unknown }, path: string, note: Note, others: OtherField[]): void {
  note(tool, 'custom', path);
  const { format } = tool;
  if (!isObject(format)) return;
  note(format, 'format', `${path}.format`);
  if (!isObject(format.grammar)) return;
  note(format.grammar, 'grammar', `${path}.format.grammar`);
  others.push({ path: `${path}.format`, meaning: 'hint', value: format, instead: GRAMMAR_IN_DESCRIPTION });
}

function noteToolChoice(choice: OpenAiChatRequest['tool_choice'], note: Note, others: OtherField[]): void {
  const path = 'tool_choice';
  if (!choice || typeof choice === 'string') return;
  if (choice.type === 'function' || choice.type === 'custom') {
    note(choice, 'tool_choice', path);
    note(choice[choice.type] as object, 'chosen_tool', `${path}.${choice.type}`);
  } else others.push({ path, meaning: 'essential', value: choice });
}

function allowedIn(
  choice: OpenAiChatRequest['tool_choice'],
  tools: readonly ToolDefinition[] = [],
): AllowedTools | undefined {
  const { type, allowed_tools: allowed } = Object(choice) as { type?: unknown; allowed_tools?: unknown };
  return type === 'allowed_tools' && isObject(allowed) ? allowedToolsOf(allowed, tools) : undefined;
}

function noteFormat(format: unknown, note: Note, others: OtherField[]): void {
  if (!isObject(format)) return;
  const path = 'response_format';
  const { type, json_schema: schema } = format;
  const isSchema = type === 'json_schema' && isObject(schema);
  if (!isSchema && type !== 'json_object' && type !== 'text') {
    others.push({ path, meaning: 'essential', value: format });
    return;
  }
  note(format, 'response_format', path);
  if (isSchema) note(schema, 'json_schema', `${path}.json_schema`);
  if (type !== 'text') others.push({ path, meaning: 'response_format', value: isSchema ? jsonFormatOf(schema) : {} });
}

function toMessage(message: OpenAiMessage): ChatMessage {
  const parts = cachedUpTo(toParts(message.content ?? null), message);
  // The deprecated function role is a tool result without a call id.
  const role: ChatRole = message.role === 'function' ? 'tool' : message.role;
  const name = typeof message.name === 'string' ? { name: message.name } : {};
  if (message.role === 'tool') return { role, parts, toolCallId: message.tool_call_id, ...cacheOf(message) };
  if (message.role === 'function') return { role, parts, ...name, toolCallId: message.name };
  if (message.role !== 'assistant') return { role, parts, ...name };
  const calls = (message.tool_calls ?? []).map(
    (call): ToolCall =>
      'custom' in call && call.type === 'custom'
        ? {
            id: call.id,
            name: (call.custom as { name: string }).name,
            arguments: textArguments((call.custom as { input: string }).input),
            ...cacheOf(call),
          }
        : { id: call.id, ...(call.function as { name: string; arguments: string }), ...cacheOf(call) },
  );
  const old = message.function_call;
  const toolCalls = old ? [...calls, { id: old.name, name: old.name, arguments: old.arguments }] : calls;
  const refusal: ContentPart[] =
    typeof message.refusal === 'string' ? [{ type: 'refusal', text: message.refusal }] : [];
  const reasoning = reasoningIn(message);
  return {
    role,
    parts: [...parts, ...refusal],
    ...name,
    ...(reasoning !== undefined && { reasoning }),
    ...(toolCalls.length > 0 && { toolCalls: cachedUpTo(toolCalls, message) }),
  };
}

/** The parts or calls of a message. Its own cache hint applies to the last one; a tool message has a member for it. */
function cachedUpTo<Item extends ContentPart | ToolCall>(items: readonly Item[], message: OpenAiMessage): Item[] {
  const hint = message.role === 'tool' ? {} : cacheOf(message);
  return items.map((item, at) => (at === items.length - 1 ? { ...hint, ...item } : item));
}

function toParts(content: OpenAiMessage['content'] | null): ContentPart[] {
  if (content === null || content === undefined) return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content.flatMap((part): ContentPart | readonly ContentPart[] => {
    switch (part.type) {
      case 'thinking':
        return [];
      case 'text':
        return { type: 'text', text: part.text, ...cacheOf(part) };
      case 'refusal':
        return { type: 'refusal', text: part.refusal, ...cacheOf(part) };
      case 'image_url':
        return {
          type: 'image',
          url: part.image_url.url,
          ...(part.image_url.detail && { detail: part.image_url.detail }),
          ...cacheOf(part),
        };
      case 'input_audio':
        return { type: 'audio', data: part.input_audio.data, format: part.input_audio.format, ...cacheOf(part) };
      case 'file':
        return {
          type: 'file',
          ...(part.file.file_id && { fileId: part.file.file_id }),
          ...(part.file.filename && { filename: part.file.filename }),
          ...(part.file.file_data && { data: part.file.file_data }),
          ...cacheOf(part),
        };
    }
  });
}

function toTool(tool: NonNullable<OpenAiChatRequest['tools']>[number]): ToolDefinition {
  if (tool.type === 'custom') {
    const { name, description, format } = tool.custom as { name: string; description?: unknown; format?: unknown };
    return { ...toTextTool(name, description, isObject(format) ? format.grammar : undefined), ...cacheOf(tool) };
  }
  const { name, description, parameters, strict } = tool.function as {
    name: string;
    description?: string | null;
    parameters?: Record<string, unknown> | null;
    strict?: boolean | null;
  };
  return {
    name,
    ...(description && { description }),
    ...(parameters && { parameters }),
    ...(typeof strict === 'boolean' && { strict }),
    ...cacheOf(tool.function as object),
    ...cacheOf(tool),
  };
}

function toToolChoice(choice: OpenAiChatRequest['tool_choice']): ToolChoice | undefined {
  if (choice === null || choice === undefined) return undefined;
  if (typeof choice === 'string') return choice;
  const { function: called = choice.custom } = choice;
  return isObject(called) ? { name: called.name as string } : undefined;
}
