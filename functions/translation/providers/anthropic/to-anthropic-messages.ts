import { GatewayError } from '../../../kernel/errors/index.ts';
import { readObject } from '../../../kernel/json/index.ts';
import type {
  CacheHint,
  ChatMessage,
  ContentPart,
  FilePart,
  ImagePart,
  ToolCall,
} from '../../../kernel/model/index.ts';
import { inPlaces, type Translation } from '../../routing/index.ts';
import type {
  AnthropicBlock,
  AnthropicCacheControl,
  AnthropicDocumentBlock,
  AnthropicImageBlock,
  AnthropicInputBlock,
  AnthropicMessage,
  AnthropicTextBlock,
  AnthropicThinkingBlock,
  AnthropicToolResultBlock,
  AnthropicToolUseBlock,
} from './anthropic-request.ts';

export interface AnthropicConversation {
  readonly system: readonly AnthropicTextBlock[];
  readonly messages: readonly AnthropicMessage[];
}

/**
 * A conversation for the Messages API. All system and developer messages move to `system`, in order: only the newest models
 * support a system message between turns. Tool results become `tool_result` blocks of a user message, and consecutive messages of one
 * role become one message. Message names are dropped.
 * @throws GatewayError `invalid_value` that names the invalid message or part
 */
export function toAnthropicConversation(
  messages: readonly ChatMessage[],
  translation: Translation,
): AnthropicConversation {
  const system: AnthropicTextBlock[] = [];
  const turns: { role: 'user' | 'assistant'; content: AnthropicBlock[] }[] = [];
  for (const [index, message] of messages.entries()) {
    const param = `messages[${index}]`;
    if (message.role === 'system' || message.role === 'developer') {
      system.push(...toAnthropicText(message.parts, `${param}.content`, translation));
      continue;
    }
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const blocks = toBlocks(message, param, translation);
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else if (blocks.length > 0) turns.push({ role, content: blocks });
  }
  if (turns.length === 0) {
    throw translation.refused('messages', 'it needs a user message that is not empty');
  }
  return { system, messages: turns };
}

function toBlocks(message: ChatMessage, param: string, translation: Translation): AnthropicBlock[] {
  if (message.role === 'tool') return [toToolResult(message, param, translation)];
  if (message.role !== 'assistant') return toAnthropicContent(message.parts, `${param}.content`, translation);
  return inPlaces<AnthropicBlock>(message, {
    text: (part, at) => toAnthropicText([part], `${param}.content`, translation, at),
    call: (call, index) => [toToolUse(call, `${param}.tool_calls[${index}]`, translation)],
    signed: (block) => [block as unknown as AnthropicThinkingBlock],
  });
}

function toToolResult(message: ChatMessage, param: string, translation: Translation): AnthropicToolResultBlock {
  if (message.toolCallId === undefined) {
    throw new GatewayError('missing_field', 'A tool message needs the id of its call.', {
      param: `${param}.tool_call_id`,
    });
  }
  const content = toAnthropicContent(message.parts, `${param}.content`, translation);
  return {
    type: 'tool_result',
    tool_use_id: message.toolCallId,
    ...(content.length > 0 && { content }),
    ...cacheControlOf(message),
  };
}

function toToolUse(call: ToolCall, param: string, translation: Translation): AnthropicToolUseBlock {
  return {
    type: 'tool_use',
    id: call.id,
    name: call.name,
    input: toInput(call.arguments, `${param}.function.arguments`, translation),
    ...cacheControlOf(call),
  };
}

/** `cache_control` for a part, call or tool with a cache hint. */
export function cacheControlOf({ cache }: { readonly cache?: CacheHint }): { cache_control?: AnthropicCacheControl } {
  return cache === undefined ? {} : { cache_control: { type: 'ephemeral', ...cache } };
}

/** Several OpenAI-compatible servers return an empty text for a call without arguments. */
function toInput(text: string, param: string, translation: Translation): Readonly<Record<string, unknown>> {
  const value = readObject(text);
  if (value !== undefined) return value;
  throw translation.refused(param, 'the arguments must be a JSON object');
}

/** https://platform.claude.com/docs/en/build-with-claude/vision */
const IMAGE_MEDIA_TYPES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

/**
 * The blocks of a user or tool message, in order, without blank texts.
 * @param param the path of the parts in the client's request, such as `messages[1].content`
 * @throws GatewayError `invalid_value` for a part that the Messages API does not support
 */
function toAnthropicContent(
  parts: readonly ContentPart[],
  param: string,
  translation: Translation,
): AnthropicInputBlock[] {
  const blocks: AnthropicInputBlock[] = [];
  for (const [index, part] of parts.entries()) {
    const at = `${param}[${index}]`;
    if (part.type === 'text' || part.type === 'refusal') pushText(blocks, part);
    else if (part.type === 'image') blocks.push({ ...toImage(part, at, translation), ...cacheControlOf(part) });
    else if (part.type === 'file') blocks.push({ ...toDocument(part, at, translation), ...cacheControlOf(part) });
    else throw translation.refused(at, 'it takes no audio');
  }
  return blocks;
}

/**
 * The blocks of a text-only message (system, developer, assistant), without blank texts.
 * @param first the index of the first part in the message
 * @throws GatewayError `invalid_value` for any other part
 */
function toAnthropicText(
  parts: readonly ContentPart[],
  param: string,
  translation: Translation,
  first = 0,
): AnthropicTextBlock[] {
  const blocks: AnthropicTextBlock[] = [];
  for (const [index, part] of parts.entries()) {
    if (part.type !== 'text' && part.type !== 'refusal') {
      throw translation.refused(`${param}[${first + index}]`, 'only text is supported here');
    }
    pushText(blocks, part);
  }
  return blocks;
}

/** The API rejects blank text blocks: `text content blocks must contain non-whitespace text`. */
function pushText(
  blocks: (AnthropicTextBlock | AnthropicInputBlock)[],
  part: { readonly text: string; readonly cache?: CacheHint },
): void {
  const { text } = part;
  if (text.trim() !== '') blocks.push({ type: 'text', text, ...cacheControlOf(part) });
}

function toImage(part: ImagePart, param: string, translation: Translation): AnthropicImageBlock {
  if (/^https:\/\//i.test(part.url)) return { type: 'image', source: { type: 'url', url: part.url } };
  const inline = readBase64DataUrl(part.url);
  if (inline === undefined || !IMAGE_MEDIA_TYPES.has(inline.mediaType)) {
    const known = [...IMAGE_MEDIA_TYPES].join(', ');
    throw translation.refused(param, `send it as an https address or as a base64 data URL of ${known}`);
  }
  return { type: 'image', source: { type: 'base64', media_type: inline.mediaType, data: inline.data } };
}

function toDocument(part: FilePart, param: string, translation: Translation): AnthropicDocumentBlock {
  if (part.data === undefined) {
    throw translation.refused(param, 'send the data of a file, not its id');
  }
  const inline = readBase64DataUrl(part.data);
  // Its other kind of document: https://platform.claude.com/docs/en/build-with-claude/citations#plain-text-documents
  if (inline?.mediaType === 'text/plain') {
    const data = Buffer.from(inline.data, 'base64').toString('utf8');
    return {
      type: 'document',
      source: { type: 'text', media_type: 'text/plain', data },
      ...(part.filename && { title: part.filename }),
    };
  }
  if (inline?.mediaType !== 'application/pdf') {
    throw translation.refused(param, 'send it as a base64 data URL of application/pdf or text/plain');
  }
  return {
    type: 'document',
    source: { type: 'base64', media_type: 'application/pdf', data: inline.data },
    ...(part.filename && { title: part.filename }),
  };
}

interface Base64Data {
  /** Lower case, without parameters. */
  readonly mediaType: string;
  readonly data: string;
}

/** The media type and data of a base64 `data:` URL (RFC 2397); undefined for any other text. */
export function readBase64DataUrl(url: string): Base64Data | undefined {
  const comma = url.indexOf(',');
  if (comma < 0 || url.slice(0, 5).toLowerCase() !== 'data:') return undefined;
  const fields = url.slice(5, comma).split(';');
  const mediaType = fields[0]?.trim().toLowerCase() ?? '';
  if (mediaType === '' || fields.length < 2 || fields.at(-1)?.trim().toLowerCase() !== 'base64') return undefined;
  return { mediaType, data: url.slice(comma + 1) };
}
