import { GatewayError } from '../../core/base/errors.ts';
import type { ChatMessage, ChatRequest, ContentPart, ToolCall, ToolChoice } from '../../core/model/chat.ts';
import type { Dialect } from './compatible-providers.ts';

/** Hints to Anthropic alone that change nothing of an answer, and its defaults; `thinking` where it is switched off. */
const DROPPABLE: Readonly<Record<string, (value: unknown) => boolean>> = {
  svc: () => true,
  moderation: () => true,
  service_tier: (value) => value === 'auto' || value === 'standard_only',
  speed: (value) => value === 'standard',
  thinking: (value) => (value as { type?: unknown } | null)?.type === 'disabled',
};

/**
 * The body of a chat completion from a request in another protocol. Usage is always asked for.
 * @param provider its name, for errors
 * @param dialect what the server knows of the protocol
 * @throws GatewayError `invalid_value` for what chat completions have no place for; `param` names the caller's field
 */
export function toOpenAiChat(request: ChatRequest, model: string, provider: string, dialect: Dialect): object {
  const isOfChats = (field: string) => Object.hasOwn(request.callersNames ?? {}, field);
  for (const [field, value] of Object.entries(request.extra)) {
    if (value == null || DROPPABLE[field]?.(value) || isOfChats(field)) continue;
    const message = `The provider ${provider} does not support \`${field}\` of this API: chat completions have no place for it.`;
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

/** One text stands as a string, which every server of this protocol takes; null beside calls of tools alone. */
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
