import { turnsAgo } from '../../inspect/conversation/turns-ago.ts';
import { type Author, outsideMessages, type RequestText, SURFACES } from '../../inspect/request-text.ts';
import type { JsonPath } from '../../json/json-splice.ts';
import { collectTexts, type IsFixed } from '../collect-texts.ts';
import type { RequestTexts } from '../protocol.ts';
import type { OpenAiChatRequest, OpenAiMessage } from './chat-request-schema.ts';

/** Base64 or an address of media, where a message holds them: not text, however long. */
const OPAQUE = new Set(['url', 'data', 'file_data', 'file_id', 'encrypted_content']);
/** Names and switches that the protocol fixes. */
const FIXED = new Set(['role', 'type', 'detail', 'format', 'id', 'tool_call_id']);

/**
 * Every string of the request that could carry an instruction, in order: all messages and parts, tool calls and results,
 * tool definitions, and the strings of fields that the gateway does not know. Trust follows the role.
 */
export function chatRequestTexts(body: OpenAiChatRequest): RequestTexts {
  // Nobody reads our own field but us.
  const { model: _m, moderation: _f, messages, tools, response_format, ...others } = body;
  // Tool and answer schemas are written by the operator of the calling application.
  const { texts, skipped } = chatTexts(messages, { tools, response_format });
  const unknown: RequestText[] = [];
  collectTexts(others, [], isFixed, (path, text, isName) => unknown.push(outsideMessages(path, text, 'user', isName)));
  return { texts: [...texts, ...unknown], skipped };
}

/** `messages[0..3]`, and the names of the fields beside them that hold texts. */
export function chatCoverage({ messages }: OpenAiChatRequest, texts: readonly RequestText[]): string[] {
  const last = messages.length - 1;
  const beside = texts.filter(({ message }) => message === null).map(({ path }) => String(path[0]));
  return [last === 0 ? 'messages[0]' : `messages[0..${last}]`, ...new Set(beside)];
}

/** The texts of a conversation, and of what its operator defines beside it. */
export function chatTexts(messages: readonly OpenAiMessage[], operators: object): RequestTexts {
  const texts: RequestText[] = [];
  const skipped: string[] = [];
  const ages = turnsAgo(messages.map(({ role }) => role));
  messages.forEach((message, at) => {
    const author = authorOf(message);
    const ofMessage = { author, surface: SURFACES[author], message: at, turnsAgo: ages[at] as number };
    collectTexts(message, ['messages', at], isFixed, (path, text, isName) =>
      texts.push({
        path,
        text,
        ...ofMessage,
        isContent: path[2] === 'content',
        ...(path.at(-1) === 'arguments' && { isJson: true }),
        ...(isName && { isName }),
      }),
    );
    skipped.push(...mediaOf(message, at));
  });
  collectTexts(operators, [], isFixed, (path, text, isName) =>
    texts.push(outsideMessages(path, text, 'definition', isName)),
  );
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

/** Whether a string is none that anybody reads as text. */
const isFixed: IsFixed = (name, path) => (OPAQUE.has(name) && path[0] === 'messages') || FIXED.has(name);
