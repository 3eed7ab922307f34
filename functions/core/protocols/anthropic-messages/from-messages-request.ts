import { isObject } from '../../base/json.ts';
import type { JsonDocument } from '../../base/json-document.ts';
import type { ChatMessage, ChatRequest, ContentPart, ToolCall, ToolChoice, ToolDefinition } from '../../model/chat.ts';
import { checkBody, namesByPlace, noteUnplaced, type Unplaced } from '../bodies/request-body.ts';
import { MESSAGES_PLACES } from './messages-request-texts.ts';
import {
  type CountTokensRequest,
  type CustomTool,
  countTokensRequestSchema,
  type MessagesBlock,
  type MessagesMessage,
  type MessagesRequest,
  messagesRequestSchema,
  type SourceBlock,
  type TextBlock,
  type ToolResultBlock,
  type ToolUseBlock,
} from './messages-schema.ts';

/** Members that `ChatRequest` can represent, by place; all others go to `extra`. */
const PLACED = namesByPlace({
  request: 'model messages system max_tokens stream temperature top_p stop_sequences tools tool_choice metadata',
  metadata: 'user_id',
  message: 'role content',
  text: 'type text',
  image: 'type source',
  base64: 'type media_type data',
  url: 'type url',
  textDocument: 'type source',
  textSource: 'type media_type data',
  fileDocument: 'type source title',
  toolUse: 'type id name input',
  toolResult: 'type tool_use_id content is_error',
  tool: 'type name description input_schema strict',
  toolChoice: 'type name disable_parallel_tool_use',
});

/** Values that match the API's default. Anthropic's responses contain some, and clients send them back in the next turn. */
const NO_EFFECT: Readonly<Record<string, (value: unknown) => boolean>> = {
  caller: (value) => isObject(value) && value.type === 'direct',
  allowed_callers: (value) => Array.isArray(value) && value.every((caller) => caller === 'direct'),
  citations: (value) => (Array.isArray(value) ? value.length === 0 : isObject(value) && value.enabled !== true),
  defer_loading: (value) => value === false,
  eager_input_streaming: (value) => value === false,
};

/** Checks a body of the Messages API. @throws GatewayError that names the field */
export function checkMessagesRequest(document: JsonDocument): MessagesRequest {
  return checkBody(messagesRequestSchema, document, MESSAGES_PLACES);
}

/** Checks a body of the token counting API. @throws GatewayError that names the field */
export function checkCountTokensRequest(document: JsonDocument): CountTokensRequest {
  return checkBody(countTokensRequestSchema, document, MESSAGES_PLACES);
}

/** Members that message and token counting requests share. */
type Request = Pick<MessagesRequest, 'model' | 'messages' | 'system' | 'tools' | 'tool_choice'> &
  Partial<Pick<MessagesRequest, 'max_tokens' | 'stream' | 'temperature' | 'top_p' | 'stop_sequences' | 'metadata'>>;

/**
 * Converts the request to `ChatRequest`. Members that it cannot represent go to `extra` under their path, such as `messages[1].content[0]`
 * or `tools[0].input_examples`, so that a translating provider refuses them. `cache_control` is dropped: it does not change the response.
 */
export function fromMessagesRequest(body: Request): ChatRequest {
  const extra: Unplaced = {};
  noteRest(body, 'request', '', extra);
  if (body.metadata) noteRest(body.metadata, 'metadata', 'metadata', extra);
  const endUser = body.metadata?.user_id;
  const tools = (body.tools ?? []).flatMap((tool, at): ToolDefinition[] => {
    if (tool.type == null || tool.type === 'custom') return [toTool(tool as CustomTool, `tools[${at}]`, extra)];
    extra[`tools[${at}]`] = tool;
    return [];
  });
  const system = toSystem(body.system, extra);
  const messages = body.messages.flatMap((message, at) => toMessages(message, `messages[${at}]`, extra));
  const toolChoice = toToolChoice(body.tool_choice, extra);
  return {
    model: body.model,
    messages: [...system, ...messages],
    stream: body.stream ?? false,
    includeUsage: true,
    choiceCount: 1,
    extra,
    ...(body.max_tokens !== undefined && { maxOutputTokens: body.max_tokens }),
    ...(tools.length > 0 && { tools }),
    ...(toolChoice !== undefined && { toolChoice }),
    ...(body.tool_choice?.disable_parallel_tool_use === true && { parallelToolCalls: false }),
    ...(typeof body.temperature === 'number' && { temperature: body.temperature }),
    ...(typeof body.top_p === 'number' && { topP: body.top_p }),
    ...(body.stop_sequences && body.stop_sequences.length > 0 && { stop: body.stop_sequences }),
    ...(typeof endUser === 'string' && { endUser }),
  };
}

/** Adds members that `ChatRequest` cannot represent and that have an effect to `extra`, by path. */
function noteRest(object: object, place: keyof typeof PLACED, path: string, extra: Unplaced): void {
  const telling = Object.entries(object).filter(([name, value]) => {
    return name !== 'cache_control' && !(Object.hasOwn(NO_EFFECT, name) && NO_EFFECT[name]?.(value));
  });
  noteUnplaced(Object.fromEntries(telling), PLACED[place], path, extra);
}

function toSystem(system: MessagesRequest['system'], extra: Unplaced): ChatMessage[] {
  if (system === undefined || system === '') return [];
  if (typeof system === 'string') return [{ role: 'system', parts: [{ type: 'text', text: system }] }];
  const parts = system.flatMap((block, at) => toParts(block, `system[${at}]`, extra));
  return [{ role: 'system', parts }];
}

/** One message may become several: tool results become separate messages before the user's text. */
function toMessages(message: MessagesMessage, path: string, extra: Unplaced): ChatMessage[] {
  const { role, content } = message;
  noteRest(message, 'message', path, extra);
  if (typeof content === 'string') return [{ role, parts: [{ type: 'text', text: content }] }];
  const results: ChatMessage[] = [];
  const parts: ContentPart[] = [];
  const toolCalls: ToolCall[] = [];
  for (const [at, block] of content.entries()) {
    const place = `${path}.content[${at}]`;
    if (block.type === 'tool_use' && role === 'assistant')
      toolCalls.push(toToolCall(block as ToolUseBlock, place, extra));
    else if (block.type === 'tool_result') results.push(toResult(block as ToolResultBlock, place, extra));
    else parts.push(...toParts(block, place, extra));
  }
  if (parts.length === 0 && toolCalls.length === 0) return results;
  return [...results, { role, parts, ...(toolCalls.length > 0 && { toolCalls }) }];
}

function toToolCall(block: ToolUseBlock, path: string, extra: Unplaced): ToolCall {
  const { id, name, input } = block;
  noteRest(block, 'toolUse', path, extra);
  return { id, name, arguments: JSON.stringify(input) };
}

function toResult(block: ToolResultBlock, path: string, extra: Unplaced): ChatMessage {
  const { tool_use_id, content, is_error } = block;
  noteRest(block, 'toolResult', path, extra);
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);
  const parts = blocks.flatMap((part, at) => toParts(part, `${path}.content[${at}]`, extra));
  // Other APIs cannot mark a failed tool call, so text says it.
  const failed: ContentPart[] = is_error ? [{ type: 'text', text: 'The tool failed:' }] : [];
  return { role: 'tool', parts: [...failed, ...parts], toolCallId: tool_use_id };
}

function toParts(block: MessagesBlock, path: string, extra: Unplaced): ContentPart[] {
  if (block.type === 'text') {
    noteRest(block, 'text', path, extra);
    return [{ type: 'text', text: (block as TextBlock).text }];
  }
  if (block.type === 'image') return toImage(block as SourceBlock, path, extra);
  if (block.type === 'document') return toDocument(block as SourceBlock, path, extra);
  extra[path] = block;
  return [];
}

function toImage(block: SourceBlock, path: string, extra: Unplaced): ContentPart[] {
  const url = urlOf(block.source);
  if (url === undefined) {
    extra[path] = block;
    return [];
  }
  noteRest(block, 'image', path, extra);
  noteRest(block.source, block.source.type === 'url' ? 'url' : 'base64', `${path}.source`, extra);
  return [{ type: 'image', url }];
}

function toDocument(block: SourceBlock, path: string, extra: Unplaced): ContentPart[] {
  const { source, title } = block;
  if (source.type === 'text' && typeof source.data === 'string') {
    noteRest(block, 'textDocument', path, extra);
    noteRest(source, 'textSource', `${path}.source`, extra);
    return [{ type: 'text', text: source.data }];
  }
  const data = source.type === 'base64' ? urlOf(source) : undefined;
  if (data === undefined) {
    extra[path] = block;
    return [];
  }
  noteRest(block, 'fileDocument', path, extra);
  noteRest(source, 'base64', `${path}.source`, extra);
  return [{ type: 'file', filename: typeof title === 'string' ? title : 'document.pdf', data }];
}

/** The URL, or the data as a data URL; undefined for any other source. */
function urlOf({ type, url, media_type, data }: SourceBlock['source']): string | undefined {
  if (type === 'url' && typeof url === 'string') return url;
  if (type !== 'base64' || typeof data !== 'string' || typeof media_type !== 'string') return undefined;
  return `data:${media_type};base64,${data}`;
}

function toTool(tool: CustomTool, path: string, extra: Unplaced): ToolDefinition {
  const { name, description, input_schema, strict } = tool;
  noteRest(tool, 'tool', path, extra);
  return {
    name,
    ...(description && { description }),
    parameters: input_schema,
    ...(typeof strict === 'boolean' && { strict }),
  };
}

/** The provider validates an unknown choice. */
function toToolChoice(choice: MessagesRequest['tool_choice'], extra: Unplaced): ToolChoice | undefined {
  if (choice === undefined) return undefined;
  noteRest(choice, 'toolChoice', 'tool_choice', extra);
  switch (choice.type) {
    case 'auto':
    case 'none':
      return choice.type;
    case 'any':
      return 'required';
    case 'tool':
      return { name: choice.name ?? '' };
    default:
      extra.tool_choice = choice;
      return undefined;
  }
}
