import { type JsonEdit, setNumber, spliceJson } from '../../core/base/edits.ts';
import { GatewayError } from '../../core/base/errors.ts';
import type { Form } from '../../core/base/form.ts';
import { writeForm } from '../../core/base/request-document.ts';
import type { ChatMessage, ChatRequest, ContentPart, ToolCall, ToolChoice } from '../../core/model/chat.ts';
import { PROMPT_MODEL } from '../../core/protocols/openai-responses/responses-schema.ts';
import type { ProtocolName } from '../../core/protocols/protocol.ts';
import type { ChatCall } from '../../core/routing/provider.ts';

/** Differences of a server of OpenAI's protocol. */
export interface Dialect {
  /** The field that limits the output. */
  readonly maxTokensField: 'max_completion_tokens' | 'max_tokens';
  /** Whether `stream_options` is supported; a server without it always reports a stream's usage. */
  readonly streamOptions: boolean;
  /** Whether the Responses API is supported; otherwise it is translated to chat completions. */
  readonly responses: boolean;
}

export const OPENAI_DIALECT: Dialect = {
  maxTokensField: 'max_completion_tokens',
  streamOptions: true,
  responses: true,
};
/** `max_tokens` is deprecated only at OpenAI; all other servers support it. */
export const COMMON_DIALECT: Dialect = { maxTokensField: 'max_tokens', streamOptions: true, responses: false };

/** The gateway's own fields, which no provider gets. For images and transcripts, `moderation` is the provider's field. */
const OWN_FIELDS = ['moderation', 'svc'];
const OWN_FIELDS_OF_MEDIA = ['svc'];

/** The field that limits the output, for protocols where it is not the dialect's chat field. */
const MAX_TOKENS_FIELD: Readonly<Partial<Record<ProtocolName, MaxTokensField>>> = {
  'openai-completions': 'max_tokens',
  'openai-embeddings': 'max_tokens',
  'openai-responses': 'max_output_tokens',
};
const CHAT_FIELDS = ['max_tokens', 'max_completion_tokens'];
type MaxTokensField = Dialect['maxTokensField'] | 'max_output_tokens';

/**
 * The client's body with these edits and every other byte unchanged: the provider's model name, the gateway's fields
 * removed, usage requested on streams, and one output limit if the key's limits or policy need one.
 */
export function toOpenAiBody(call: ChatCall, dialect: Dialect): string {
  const { protocol, source, request, model } = call;
  const body = source.value as Record<string, unknown>;
  const edits: JsonEdit[] = [];
  // `model` is optional for images: the model that was admitted must be the one that is called. A stored prompt has its own.
  const isOfPrompt = body.model == null && model.startsWith(PROMPT_MODEL);
  if (!Object.hasOwn(body, 'model') && !isOfPrompt)
    edits.push({ kind: 'insert', path: [], key: 'model', json: JSON.stringify(model) });
  else if (!isOfPrompt && model !== body.model)
    edits.push({ kind: 'replace', path: ['model'], json: JSON.stringify(model) });
  const own = protocol === 'openai-images' ? OWN_FIELDS_OF_MEDIA : OWN_FIELDS;
  for (const field of own) if (Object.hasOwn(body, field)) edits.push({ kind: 'remove', path: [field] });
  const maxTokensField = MAX_TOKENS_FIELD[protocol] ?? dialect.maxTokensField;
  edits.push(...longestOutput(body, call.imposedMaxTokens, maxTokensField));
  if (request.stream && !request.includeUsage && dialect.streamOptions) edits.push(includeUsage(body.stream_options));
  return edits.length === 0 ? source.text : spliceJson(source.text, edits);
}

/** Sets one limit under one name. With two names, servers differ in which one wins. */
function longestOutput(
  body: Record<string, unknown>,
  maxOutputTokens: number | undefined,
  field: MaxTokensField,
): JsonEdit[] {
  if (maxOutputTokens === undefined) return [];
  // Servers that support the newer name support the older one too; some models support only the older one.
  const isOlder = field === 'max_completion_tokens' && body[field] == null && body.max_tokens != null;
  const sent = isOlder ? 'max_tokens' : field;
  const others = CHAT_FIELDS.filter((name) => name !== sent && Object.hasOwn(body, name));
  return [
    ...others.map((name): JsonEdit => ({ kind: 'remove', path: [name] })),
    ...setNumber(body, [], sent, maxOutputTokens),
  ];
}

function includeUsage(options: unknown): JsonEdit {
  if (options === undefined) return { kind: 'insert', path: [], key: 'stream_options', json: '{"include_usage":true}' };
  if (options === null) return { kind: 'replace', path: ['stream_options'], json: '{"include_usage":true}' };
  if (Object.hasOwn(options as object, 'include_usage')) {
    return { kind: 'replace', path: ['stream_options', 'include_usage'], json: 'true' };
  }
  return { kind: 'insert', path: ['stream_options'], key: 'include_usage', json: 'true' };
}

/** The client's form with the model replaced and the gateway's fields removed; every other byte and the boundary are unchanged. */
export function toOpenAiForm({ boundary }: Form, { source, model, request }: ChatCall) {
  const fields = model === request.model ? {} : { model };
  const body = writeForm(source, { fields, without: OWN_FIELDS_OF_MEDIA });
  const named = /^[\w'+.-]+$/.test(boundary) ? boundary : `"${boundary}"`;
  return { body, type: `multipart/form-data; boundary=${named}` };
}

/** Fields that do not change the response: the gateway's own, Anthropic's defaults, and disabled `thinking`. */
const DROPPABLE: Readonly<Record<string, (value: unknown) => boolean>> = {
  svc: () => true,
  moderation: () => true,
  service_tier: (value) => value === 'auto' || value === 'standard_only',
  speed: (value) => value === 'standard',
  thinking: (value) => (value as { type?: unknown } | null)?.type === 'disabled',
};

/**
 * The body of a chat completion for a request in another protocol. Usage is always requested.
 * @param provider its name, for errors
 * @throws GatewayError `invalid_value` for a field without an equivalent in chat completions; `param` names it
 */
export function toOpenAiChat(request: ChatRequest, model: string, provider: string, dialect: Dialect): object {
  const isOfChats = (field: string) => Object.hasOwn(request.callersNames ?? {}, field);
  for (const [field, value] of Object.entries(request.extra)) {
    if (value == null || DROPPABLE[field]?.(value) || isOfChats(field)) continue;
    const message = `The provider ${provider} does not support \`${field}\` of this API: chat completions have no equivalent.`;
    throw new GatewayError('invalid_value', message, { param: field });
  }
  return {
    ...Object.fromEntries(Object.entries(request.extra).filter(([field]) => isOfChats(field))),
    model,
    messages: request.messages.map(toMessage),
    ...(request.stream && { stream: true, ...(dialect.streamOptions && { stream_options: { include_usage: true } }) }),
    ...(request.tools &&
      request.tools.length > 0 && { tools: request.tools.map((tool) => ({ type: 'function', function: tool })) }),
    ...(request.toolChoice !== undefined && { tool_choice: toToolChoice(request.toolChoice) }),
    ...(request.parallelToolCalls !== undefined && { parallel_tool_calls: request.parallelToolCalls }),
    ...(request.maxOutputTokens !== undefined && { [dialect.maxTokensField]: request.maxOutputTokens }),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    ...(request.topP !== undefined && { top_p: request.topP }),
    ...(request.stop && { stop: request.stop }),
    ...(request.choiceCount > 1 && { n: request.choiceCount }),
    ...(request.endUser !== undefined && { user: request.endUser }),
  };
}

function toMessage({ role, parts, name, toolCalls, toolCallId }: ChatMessage): object {
  return {
    role,
    content: toContent(parts, role),
    ...(name !== undefined && { name }),
    ...(toolCalls && toolCalls.length > 0 && { tool_calls: toolCalls.map(toToolCall) }),
    ...(toolCallId !== undefined && { tool_call_id: toolCallId }),
  };
}

/** A single text is a string, which every server accepts; null for tool calls without text. */
function toContent(parts: readonly ContentPart[], role: string): unknown {
  if (parts.length === 0) return role === 'assistant' ? null : '';
  const [first] = parts;
  if (parts.length === 1 && first?.type === 'text') return first.text;
  return parts.map(toPart);
}

function toPart(part: ContentPart): object {
  switch (part.type) {
    case 'text':
      return part;
    case 'refusal':
      return { type: 'refusal', refusal: part.text };
    case 'image':
      return { type: 'image_url', image_url: { url: part.url, ...(part.detail && { detail: part.detail }) } };
    case 'audio':
      return { type: 'input_audio', input_audio: { data: part.data, format: part.format } };
    case 'file':
      return {
        type: 'file',
        file: {
          ...(part.fileId && { file_id: part.fileId }),
          ...(part.filename && { filename: part.filename }),
          ...(part.data && { file_data: part.data }),
        },
      };
  }
}

function toToolCall({ id, name, arguments: text }: ToolCall): object {
  return { id, type: 'function', function: { name, arguments: text } };
}

function toToolChoice(choice: ToolChoice): unknown {
  return typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } };
}
