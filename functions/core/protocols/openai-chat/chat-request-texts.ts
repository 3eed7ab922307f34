import { turnsAgo } from '../../inspect/conversation/turns-ago.ts';
import { type Author, outsideMessages, type RequestText, SURFACES } from '../../inspect/request-text.ts';
import type { JsonPath } from '../../json/json-splice.ts';
import type { OpenAiChatRequest, OpenAiMessage } from './chat-request-schema.ts';

export interface RequestTexts {
  readonly texts: readonly RequestText[];
  /** What holds no text that is read, such as `messages[1].content[1]: image`. */
  readonly skipped: readonly string[];
}

/** Base64 or an address of media: not text, however long. */
const OPAQUE = new Set(['url', 'data', 'file_data', 'file_id', 'encrypted_content']);
/** Names and switches that the protocol fixes. */
const FIXED = new Set(['role', 'type', 'detail', 'format', 'id', 'tool_call_id']);

/**
 * Every string of the request that could carry an instruction, in order: all messages and parts, tool calls and results,
 * tool definitions, and the strings of fields that the gateway does not know. Trust follows the role.
 */
export function chatRequestTexts(body: OpenAiChatRequest): RequestTexts {
  const { model: _m, messages, tools, response_format, ...others } = body;
  // Tool and answer schemas are written by the operator of the calling application.
  const { texts, skipped } = chatTexts(messages, { tools, response_format });
  const unknown: RequestText[] = [];
  collect(others, [], (path, text) => unknown.push(outsideMessages(path, text, 'user')));
  return { texts: [...texts, ...unknown], skipped };
}

/** The texts of a conversation, and of what its operator defines beside it. */
export function chatTexts(messages: readonly OpenAiMessage[], operators: object): RequestTexts {
  const texts: RequestText[] = [];
  const skipped: string[] = [];
  const ages = turnsAgo(messages.map(({ role }) => role));
  messages.forEach((message, at) => {
    const author = authorOf(message);
    const ofMessage = { author, surface: SURFACES[author], message: at, turnsAgo: ages[at] as number };
    collect(message, ['messages', at], (path, text) =>
      texts.push({
        path,
        text,
        ...ofMessage,
        isContent: path[2] === 'content',
        ...(path.at(-1) === 'arguments' && { isJson: true }),
      }),
    );
    skipped.push(...mediaOf(message, at));
  });
  collect(operators, [], (path, text) => texts.push(outsideMessages(path, text, 'definition')));
  return { texts, skipped };
}

/** The last text of the first message of the operator; undefined where there is none. */
export function promptTextPath({ messages }: OpenAiChatRequest): JsonPath | undefined {
  const at = messages.findIndex((message) => authorOf(message) === 'operator');
  const content = messages[at]?.content;
  if (typeof content === 'string') return ['messages', at, 'content'];
  const part = content?.findLastIndex(({ type }) => type === 'text') ?? -1;
  return part < 0 ? undefined : ['messages', at, 'content', part, 'text'];
}

function authorOf({ role }: OpenAiMessage): Author {
  if (role === 'system' || role === 'developer') return 'operator';
  return role === 'function' ? 'tool' : role;
}

function mediaOf(message: OpenAiMessage, at: number): string[] {
  if (!Array.isArray(message.content)) return [];
  return message.content.flatMap((part, index) =>
    part.type === 'text' || part.type === 'refusal'
      ? []
      : [
          `messages[${at}].content[${index}]: ${part.type === 'image_url' ? 'image' : part.type === 'file' ? 'file' : 'audio'}`,
        ],
  );
}

function collect(value: unknown, path: JsonPath, add: (path: JsonPath, text: string) => void): void {
  if (typeof value === 'string') {
    if (value !== '') add(path, value);
  } else if (Array.isArray(value)) {
    value.forEach((item, at) => collect(item, [...path, at], add));
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      if (typeof item === 'string' && (FIXED.has(key) || OPAQUE.has(key))) continue;
      collect(item, [...path, key], add);
    }
  }
}
