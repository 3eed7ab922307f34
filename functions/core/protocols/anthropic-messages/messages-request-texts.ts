import { turnsAgo } from '../../inspect/conversation/turns-ago.ts';
import { type Author, outsideMessages, type RequestText, SURFACES } from '../../inspect/request-text.ts';
import type { JsonPath } from '../../json/json-splice.ts';
import { collectTexts, type IsFixed, type TakeText } from '../collect-texts.ts';
import type { RequestTexts } from '../protocol.ts';
import type { MessagesBlock, MessagesMessage, MessagesRequest } from './messages-request-schema.ts';

/** Base64, addresses of media and signatures: not text, however long. */
const OPAQUE = new Set(['data', 'url', 'file_id', 'signature', 'encrypted_content', 'encrypted_index']);
/** Names and switches that the protocol fixes. */
const FIXED = new Set(['type', 'id', 'tool_use_id', 'media_type', 'cache_control', 'ttl']);
/** What others wrote: it is trusted least. */
const OUTSIDE = new Set(['tool_result', 'document', 'search_result']);
const MEDIA = new Set(['image', 'document']);

type Request = Pick<MessagesRequest, 'messages' | 'system' | 'tools'>;

/** Every string of a request that could carry an instruction, in order. Trust follows the role and the kind of block. */
export function messagesRequestTexts(body: Request & { readonly model: string }): RequestTexts {
  const { model: _m, messages, system, tools, ...others } = body;
  const texts: RequestText[] = [];
  const skipped: string[] = [];
  const beside = (author: Author): TakeText => {
    return (path, text, isName) => texts.push(outsideMessages(path, text, author, isName));
  };
  collectTexts({ system }, [], isFixed, beside('operator'));
  const ages = turnsAgo(messages.map(({ role }) => role));
  messages.forEach((message, at) => {
    const age = ages[at] as number;
    for (const { value, path, author, isContent } of blocksOf(message, at)) {
      const isReadOnly = isReasoning(value);
      collectTexts(value, path, isFixed, (found, text, isName) =>
        texts.push({
          path: found,
          text,
          author,
          surface: SURFACES[author],
          message: at,
          turnsAgo: age,
          isContent,
          ...(isName && { isName }),
          ...(isReadOnly && { isReadOnly }),
        }),
      );
    }
    skipped.push(...mediaOf(message, at));
  });
  collectTexts({ tools }, [], isFixed, beside('definition'));
  collectTexts(others, [], isFixed, beside('user'));
  return { texts, skipped };
}

/** `messages[0..3]`, and the names of the fields beside them that hold texts. */
export function messagesCoverage({ messages }: Request, texts: readonly RequestText[]): string[] {
  const last = messages.length - 1;
  const beside = texts.filter(({ message }) => message === null).map(({ path }) => String(path[0]));
  return [last === 0 ? 'messages[0]' : `messages[0..${last}]`, ...new Set(beside)];
}

/** The last text of the operator's; undefined where there is none. */
export function systemTextPath({ system }: Pick<MessagesRequest, 'system'>): JsonPath | undefined {
  if (typeof system === 'string') return ['system'];
  const at = system?.findLastIndex(({ type }) => type === 'text') ?? -1;
  return at < 0 ? undefined : ['system', at, 'text'];
}

interface Part {
  readonly value: unknown;
  readonly path: JsonPath;
  readonly author: Author;
  readonly isContent: boolean;
}

function blocksOf(message: MessagesMessage, at: number): Part[] {
  const { role, content, ...rest } = message;
  const author: Author = role === 'system' ? 'operator' : role;
  const path = ['messages', at];
  const around = { value: rest, path, author, isContent: false };
  if (typeof content === 'string')
    return [{ value: content, path: [...path, 'content'], author, isContent: true }, around];
  const blocks = content.map((block, index) => ({
    value: block,
    path: [...path, 'content', index],
    author: OUTSIDE.has(block.type) || block.type.endsWith('_tool_result') ? ('tool' as const) : author,
    isContent: block.type !== 'tool_use',
  }));
  return [...blocks, around];
}

function isReasoning(value: unknown): true | undefined {
  const type = (value as MessagesBlock | null)?.type;
  return type === 'thinking' || type === 'redacted_thinking' ? true : undefined;
}

function mediaOf({ content }: MessagesMessage, at: number): string[] {
  if (typeof content === 'string') return [];
  return content.flatMap((block, index) => {
    const inner =
      block.type === 'tool_result' && Array.isArray(block.content) ? (block.content as MessagesBlock[]) : [];
    const path = `messages[${at}].content[${index}]`;
    const nested = inner.flatMap((part, place) => (isMedia(part) ? [`${path}.content[${place}]: ${part.type}`] : []));
    return isMedia(block) ? [`${path}: ${block.type}`, ...nested] : nested;
  });
}

/** A document whose source is text is read. */
function isMedia(block: MessagesBlock): boolean {
  const source = block.source as { type?: unknown } | undefined;
  return MEDIA.has(block.type) && source?.type !== 'text' && source?.type !== 'content';
}

/** Whether a string is none that anybody reads as text. A document's plain text stands under `data` too. */
const isFixed: IsFixed = (name, path, object) => {
  if (FIXED.has(name)) return true;
  const isText = name === 'data' && (object as { type?: unknown }).type === 'text';
  return OPAQUE.has(name) && path[0] === 'messages' && !isText;
};
