import type { JsonDocument } from '../../base/json-document.ts';
import type { ChatMessage, ChatRequest, ChatRole, ContentPart, ToolChoice, ToolDefinition } from '../../model/chat.ts';
import { checkBody, namesByPlace, noteUnplaced, type Unplaced } from '../bodies/request-body.ts';
import { chatRequestSchema, type OpenAiChatRequest, type OpenAiMessage } from './chat-request-schema.ts';
import { CHAT_PLACES } from './chat-request-texts.ts';

/**
 * Members that do not change the response: cache hints, and members of responses that come back in the next turn (reasoning, annotations,
 * members that OpenAI's SDKs add when they parse).
 */
const HINTS = 'cache_control prompt_cache_breakpoint';
const OF_ANSWERS = 'annotations reasoning reasoning_content reasoning_details parsed index parsed_arguments';

/** Members that `ChatRequest` can represent or does not need, by place; all others go to `extra`. */
const PLACED = namesByPlace({
  request:
    'model messages stream stream_options temperature top_p max_tokens max_completion_tokens n stop tools tool_choice parallel_tool_calls user',
  message: `role content name tool_call_id tool_calls function_call refusal ${HINTS} ${OF_ANSWERS}`,
  call: `id type function ${OF_ANSWERS}`,
  function: `name arguments ${OF_ANSWERS}`,
  part: `type text refusal image_url input_audio file ${HINTS}`,
  image_url: 'url detail',
  input_audio: 'data format',
  file: 'file_id filename file_data',
  tool: `type function ${HINTS}`,
  definition: `name description parameters strict ${HINTS}`,
});

/** Checks a chat completion body. @throws GatewayError that names the field */
export function checkChatRequest(document: JsonDocument): OpenAiChatRequest {
  return checkBody(chatRequestSchema, document, CHAT_PLACES);
}

/** Converts the request to `ChatRequest`. */
export function fromOpenAiChatRequest(body: OpenAiChatRequest): ChatRequest {
  // Servers differ in which of the two they read.
  const maxOutputTokens = Math.max(body.max_completion_tokens ?? 0, body.max_tokens ?? 0);
  const toolChoice = toToolChoice(body.tool_choice);
  const extra: Unplaced = {};
  noteUnplaced(body, PLACED.request, '', extra);
  body.messages.forEach((message, at) => {
    noteMessage(message, `messages[${at}]`, extra);
  });
  body.tools?.forEach((tool, at) => {
    if (tool.type !== 'function') return;
    noteUnplaced(tool, PLACED.tool, `tools[${at}]`, extra);
    noteUnplaced(tool.function as object, PLACED.definition, `tools[${at}].function`, extra);
  });
  // Members that `ChatRequest` cannot represent go to `extra`, so that a translating provider can refuse them.
  const customTools = body.tools?.filter((tool) => tool.type !== 'function') ?? [];
  if (customTools.length > 0) extra.tools = customTools;
  if (body.tool_choice && toolChoice === undefined) extra.tool_choice = body.tool_choice;
  return {
    model: body.model,
    messages: body.messages.map(toMessage),
    stream: body.stream ?? false,
    includeUsage: body.stream_options?.include_usage ?? false,
    choiceCount: body.n ?? 1,
    extra,
    ...(body.tools && { tools: body.tools.flatMap(toTool) }),
    ...(toolChoice !== undefined && { toolChoice }),
    ...(typeof body.parallel_tool_calls === 'boolean' && { parallelToolCalls: body.parallel_tool_calls }),
    ...(maxOutputTokens > 0 && { maxOutputTokens }),
    ...(typeof body.temperature === 'number' && { temperature: body.temperature }),
    ...(typeof body.top_p === 'number' && { topP: body.top_p }),
    ...(body.stop != null && { stop: typeof body.stop === 'string' ? [body.stop] : body.stop }),
    ...(typeof body.user === 'string' && { endUser: body.user }),
  };
}

function noteMessage(message: OpenAiMessage, path: string, extra: Unplaced): void {
  noteUnplaced(message, PLACED.message, path, extra);
  if (Array.isArray(message.content)) {
    message.content.forEach((part, at) => {
      const place = `${path}.content[${at}]`;
      noteUnplaced(part, PLACED.part, place, extra);
      if (part.type === 'image_url' || part.type === 'input_audio' || part.type === 'file') {
        noteUnplaced(part[part.type] as object, PLACED[part.type], `${place}.${part.type}`, extra);
      }
    });
  }
  if (message.role !== 'assistant') return;
  message.tool_calls?.forEach((call, at) => {
    const place = `${path}.tool_calls[${at}]`;
    // Its input is text, where other APIs have a JSON object.
    if (call.type === 'custom') extra[place] = call;
    else {
      noteUnplaced(call, PLACED.call, place, extra);
      noteUnplaced(call.function as object, PLACED.function, `${place}.function`, extra);
    }
  });
}

function toMessage(message: OpenAiMessage): ChatMessage {
  const parts = toParts(message.content ?? null);
  // The deprecated function role is a tool result without a call id.
  const role: ChatRole = message.role === 'function' ? 'tool' : message.role;
  const name = typeof message.name === 'string' ? { name: message.name } : {};
  if (message.role === 'tool') return { role, parts, toolCallId: message.tool_call_id };
  if (message.role === 'function') return { role, parts, ...name, toolCallId: message.name };
  if (message.role !== 'assistant') return { role, parts, ...name };
  const calls = (message.tool_calls ?? []).map((call) =>
    'custom' in call && call.type === 'custom'
      ? {
          id: call.id,
          name: (call.custom as { name: string }).name,
          arguments: (call.custom as { input: string }).input,
        }
      : { id: call.id, ...(call.function as { name: string; arguments: string }) },
  );
  const old = message.function_call;
  const toolCalls = old ? [...calls, { id: old.name, name: old.name, arguments: old.arguments }] : calls;
  const refusal: ContentPart[] =
    typeof message.refusal === 'string' ? [{ type: 'refusal', text: message.refusal }] : [];
  return { role, parts: [...parts, ...refusal], ...name, ...(toolCalls.length > 0 && { toolCalls }) };
}

function toParts(content: OpenAiMessage['content'] | null): ContentPart[] {
  if (content === null || content === undefined) return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content.map((part): ContentPart => {
    switch (part.type) {
      case 'text':
        return { type: 'text', text: part.text };
      case 'refusal':
        return { type: 'refusal', text: part.refusal };
      case 'image_url':
        return {
          type: 'image',
          url: part.image_url.url,
          ...(part.image_url.detail && { detail: part.image_url.detail }),
        };
      case 'input_audio':
        return { type: 'audio', data: part.input_audio.data, format: part.input_audio.format };
      case 'file':
        return {
          type: 'file',
          ...(part.file.file_id && { fileId: part.file.file_id }),
          ...(part.file.filename && { filename: part.file.filename }),
          ...(part.file.file_data && { data: part.file.file_data }),
        };
    }
  });
}

function toTool(tool: NonNullable<OpenAiChatRequest['tools']>[number]): ToolDefinition[] {
  if (tool.type !== 'function') return [];
  const { name, description, parameters, strict } = tool.function as {
    name: string;
    description?: string | null;
    parameters?: Record<string, unknown> | null;
    strict?: boolean | null;
  };
  return [
    {
      name,
      ...(description && { description }),
      ...(parameters && { parameters }),
      ...(typeof strict === 'boolean' && { strict }),
    },
  ];
}

function toToolChoice(choice: OpenAiChatRequest['tool_choice']): ToolChoice | undefined {
  if (choice === null || choice === undefined) return undefined;
  if (typeof choice === 'string') return choice;
  return choice.type === 'function' ? { name: (choice.function as { name: string }).name } : undefined;
}
