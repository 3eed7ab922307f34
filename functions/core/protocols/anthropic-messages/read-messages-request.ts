import type { JsonDocument } from '../../json/json-document.ts';
import type { ChatMessage, ChatRequest, ContentPart, ToolCall, ToolChoice, ToolDefinition } from '../../model/chat.ts';
import { toValidationError } from '../first-fault.ts';
import {
  type MessagesBlock,
  type MessagesMessage,
  type MessagesRequest,
  messagesRequestSchema,
  type SourceBlock,
  type TextBlock,
  type ToolResultBlock,
  type ToolUseBlock,
} from './messages-request-schema.ts';

/** Fields that the gateway's own model has a place for; all others are `extra`. */
const KNOWN = new Set([
  'model',
  'messages',
  'system',
  'max_tokens',
  'stream',
  'temperature',
  'top_p',
  'stop_sequences',
  'tools',
  'tool_choice',
  'metadata',
]);

/** Checks a body of the Messages API. @throws GatewayError that names the field */
export function checkMessagesRequest(document: JsonDocument): MessagesRequest {
  const result = messagesRequestSchema.safeParse(document.value);
  if (!result.success) throw toValidationError(result.error, document.value);
  return result.data;
}

/**
 * The request in the gateway's own model. What that has no place for is in `extra` under its path, such as
 * `messages[1].content[0]`, so that a translating provider refuses it instead of losing it. `cache_control` is left out: a hint
 * that changes no answer.
 */
export function toChatRequest(body: MessagesRequest): ChatRequest {
  const extra: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) if (!KNOWN.has(name)) extra[name] = value;
  const { user_id: endUser, ...metadata } = body.metadata ?? {};
  for (const [name, value] of Object.entries(metadata)) extra[`metadata.${name}`] = value;
  const tools = (body.tools ?? []).flatMap((tool, at): ToolDefinition[] => {
    if (tool.type == null || tool.type === 'custom') return [toTool(tool)];
    extra[`tools[${at}]`] = tool;
    return [];
  });
  const system = toSystem(body.system, extra);
  const messages = body.messages.flatMap((message, at) => toMessages(message, `messages[${at}]`, extra));
  const toolChoice = toToolChoice(body.tool_choice);
  return {
    model: body.model,
    messages: [...system, ...messages],
    stream: body.stream ?? false,
    includeUsage: true,
    choiceCount: 1,
    maxOutputTokens: body.max_tokens,
    extra,
    ...(tools.length > 0 && { tools }),
    ...(toolChoice !== undefined && { toolChoice }),
    ...(body.tool_choice?.disable_parallel_tool_use === true && { parallelToolCalls: false }),
    ...(typeof body.temperature === 'number' && { temperature: body.temperature }),
    ...(typeof body.top_p === 'number' && { topP: body.top_p }),
    ...(body.stop_sequences && body.stop_sequences.length > 0 && { stop: body.stop_sequences }),
    ...(typeof endUser === 'string' && { endUser }),
  };
}

type Extra = Record<string, unknown>;

function toSystem(system: MessagesRequest['system'], extra: Extra): ChatMessage[] {
  if (system === undefined || system === '') return [];
  if (typeof system === 'string') return [{ role: 'system', parts: [{ type: 'text', text: system }] }];
  const parts = system.flatMap((block, at) => toParts(block, `system[${at}]`, extra));
  return [{ role: 'system', parts }];
}

/** A message of theirs may be several of ours: results of tools stand in messages of their own, before what the user says. */
function toMessages({ role, content }: MessagesMessage, path: string, extra: Extra): ChatMessage[] {
  if (typeof content === 'string') return [{ role, parts: [{ type: 'text', text: content }] }];
  const results: ChatMessage[] = [];
  const parts: ContentPart[] = [];
  const toolCalls: ToolCall[] = [];
  for (const [at, block] of content.entries()) {
    const place = `${path}.content[${at}]`;
    if (block.type === 'tool_use') {
      const { id, name, input } = block as ToolUseBlock;
      toolCalls.push({ id, name, arguments: JSON.stringify(input) });
    } else if (block.type === 'tool_result') results.push(toResult(block as ToolResultBlock, place, extra));
    else parts.push(...toParts(block, place, extra));
  }
  if (parts.length === 0 && toolCalls.length === 0) return results;
  return [...results, { role, parts, ...(toolCalls.length > 0 && { toolCalls }) }];
}

function toResult({ tool_use_id, content, is_error }: ToolResultBlock, path: string, extra: Extra): ChatMessage {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);
  const parts = blocks.flatMap((block, at) => toParts(block, `${path}.content[${at}]`, extra));
  // Other APIs have no mark for a tool that failed: the model is told in words.
  const failed: ContentPart[] = is_error ? [{ type: 'text', text: 'The tool failed:' }] : [];
  return { role: 'tool', parts: [...failed, ...parts], toolCallId: tool_use_id };
}

function toParts(block: MessagesBlock, path: string, extra: Extra): ContentPart[] {
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: (block as TextBlock).text }];
    case 'image':
    case 'document': {
      const part = block.type === 'image' ? toImage(block as SourceBlock) : toDocument(block as SourceBlock);
      if (part !== undefined) return [part];
      break;
    }
  }
  extra[path] = block;
  return [];
}

function toImage({ source }: SourceBlock): ContentPart | undefined {
  if (source.type === 'url') return { type: 'image', url: String(source.url) };
  if (source.type === 'base64') return { type: 'image', url: dataUrl(source) };
  return undefined;
}

function toDocument({ source, title }: SourceBlock): ContentPart | undefined {
  if (source.type === 'text') return { type: 'text', text: String(source.data) };
  if (source.type !== 'base64') return undefined;
  return { type: 'file', filename: typeof title === 'string' ? title : 'document.pdf', data: dataUrl(source) };
}

function dataUrl({ media_type, data }: SourceBlock['source']): string {
  return `data:${String(media_type)};base64,${String(data)}`;
}

function toTool(tool: NonNullable<MessagesRequest['tools']>[number]): ToolDefinition {
  const { name, description, input_schema, strict } = tool;
  return {
    name,
    ...(description && { description }),
    ...(typeof input_schema === 'object' && { parameters: input_schema as Record<string, unknown> }),
    ...(typeof strict === 'boolean' && { strict }),
  };
}

function toToolChoice(choice: MessagesRequest['tool_choice']): ToolChoice | undefined {
  if (choice === undefined) return undefined;
  if (choice.type === 'any') return 'required';
  if (choice.type === 'tool') return { name: choice.name ?? '' };
  return choice.type === 'none' ? 'none' : 'auto';
}
