import { turnsAgo } from '../../inspect/conversation/turns-ago.ts';
import { type Author, outsideMessages, type RequestText, SURFACES } from '../../inspect/request-text.ts';
import type { JsonPath } from '../../json/json-splice.ts';
import { collectTexts, type TakeText } from '../collect-texts.ts';
import { toParam } from '../first-fault.ts';
import type { RequestTexts } from '../protocol.ts';
import { isFixedInBlock, isFixedMember, isFree } from './fixed-members.ts';
import type { MessagesBlock, MessagesMessage, MessagesRequest } from './messages-request-schema.ts';

/** What others wrote: it is trusted least. */
const OUTSIDE = new Set(['tool_result', 'document', 'search_result', 'container_upload']);
const MEDIA = new Set([
  'image',
  'document',
  'container_upload',
  // Files that code has written.
  'code_execution_output',
  'bash_code_execution_output',
]);
/** Sources of documents that are read. */
const READ = new Set<unknown>(['text', 'content']);

type Request = Pick<MessagesRequest, 'messages' | 'system' | 'tools'>;

/** Every string of a request that could carry an instruction, in order. Trust follows the role and the kind of block. */
export function messagesRequestTexts(body: Request & { readonly model: string }): RequestTexts {
  const { model: _m, messages, system, tools, ...rest } = body;
  // What the calling application defines beside its tools: the schema of an answer, servers of tools.
  const { output_config, mcp_servers, ...others } = rest as Record<string, unknown>;
  const texts: RequestText[] = [];
  const skipped: string[] = [];
  const beside = (author: Author): TakeText => {
    return (path, text, isName) => texts.push(outsideMessages(path, text, author, isName));
  };
  collectTexts({ system }, [], isFixedInBlock, beside('operator'));
  const ages = turnsAgo(messages.map(({ role }) => role));
  messages.forEach((message, at) => {
    const age = ages[at] as number;
    for (const { value, path, author, isContent } of blocksOf(message, at)) {
      const isReadOnly = isReasoning(value);
      const take: TakeText = (found, text, isName) =>
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
        });
      collectTexts(value, path, isFixedInBlock, take, isFree);
    }
    addMedia(message.content, ['messages', at, 'content'], skipped);
  });
  collectTexts({ tools, output_config, mcp_servers }, [], isFixedMember, beside('definition'));
  collectTexts(others, [], isFixedMember, beside('user'));
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
    isContent: !block.type.endsWith('tool_use'),
  }));
  return [...blocks, around];
}

function isReasoning(value: unknown): true | undefined {
  const type = (value as MessagesBlock | null)?.type;
  return type === 'thinking' || type === 'redacted_thinking' ? true : undefined;
}

/** Adds the media in a content, however deep in results and documents: `messages[1].content[1]: image`. */
function addMedia(value: unknown, path: JsonPath, skipped: string[]): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    value.forEach((item, at) => addMedia(item, [...path, at], skipped));
    return;
  }
  const { type, source, content } = value as Record<string, unknown>;
  if (typeof type === 'string' && MEDIA.has(type) && !READ.has((source as { type?: unknown } | undefined)?.type)) {
    skipped.push(`${toParam(path)}: ${type}`);
    return;
  }
  addMedia(content, [...path, 'content'], skipped);
  addMedia(source, [...path, 'source'], skipped);
}
