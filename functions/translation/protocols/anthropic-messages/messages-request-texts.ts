import { isObject, type JsonPath } from '../../../kernel/json/index.ts';
import {
  type Author,
  type RequestText,
  type RequestTexts,
  type Skipped,
  turnsAgo,
} from '../../../kernel/model/index.ts';
import type { Steps } from '../../../kernel/tasks/index.ts';
import { Places } from '../bodies/request-places.ts';
import { fieldsOutsideMessages, isSealed, outsideMessages, RequestTextReader } from '../bodies/request-texts.ts';
import type { MessagesMessage, MessagesRequest } from './messages-schema.ts';

const BLOCK = 'messages[].content[]';

/** The strings of a request that are not plain text. */
export const MESSAGES_PLACES = new Places({
  fixed: `role type id tool_use_id media_type ttl file_id signature encrypted_content encrypted_index encrypted_stdout`,
  names: 'name server_name tool_name mcp_server_name',
  free: `metadata ${BLOCK}.input tools[].input_examples`,
  schemas: 'tools[].input_schema output_config.format.schema',
  media: `${BLOCK}.source.data@base64 ${BLOCK}.source.url@url`,
  unread: 'stop_sequences[]',
  sealed: `${BLOCK}.signature ${BLOCK}.data@redacted_thinking ${BLOCK}.encrypted_content ${BLOCK}.citations[].encrypted_index
    ${BLOCK}.content.encrypted_stdout`,
  same: `system[]=${BLOCK} ${BLOCK}.content[]=${BLOCK} ${BLOCK}.source.content[]=${BLOCK} ${BLOCK}.content.content=${BLOCK}
    ${BLOCK}.content.content[]=${BLOCK}`,
});

/** Third-party text: least trusted. */
const OUTSIDE = new Set(['tool_result', 'document', 'search_result', 'container_upload']);
/** Blocks that users send themselves. */
const DOCUMENTS = new Set(['document', 'search_result']);
const MEDIA = new Set([
  'image',
  'document',
  'container_upload',
  // Files that code wrote.
  'code_execution_output',
  'bash_code_execution_output',
]);
/** Document sources that are read. */
const READ = new Set<unknown>(['text', 'content']);

type Request = Pick<MessagesRequest, 'messages' | 'system' | 'tools'>;

/** Every string of a request that could carry an instruction, in order. Trust follows the role and the block type. */
export function* messagesRequestTexts(body: Request & { readonly model: string }): Steps<RequestTexts> {
  const { model: _m, messages, system, tools, ...rest } = body;
  // The calling application defines these: the response schema and MCP servers.
  const { output_config, mcp_servers, ...others } = rest as Record<string, unknown>;
  const { container } = others;
  const reader = new RequestTextReader(MESSAGES_PLACES);
  const skipped: Skipped[] = [];
  yield* reader.read({ system }, [], outsideMessages('operator'));
  const ages = turnsAgo(messages.map(({ role }) => role));
  for (const [at, message] of messages.entries()) {
    const seals = message.role === 'assistant';
    for (const { value, path, author, isContent, isDocument = false } of blocksOf(message, at)) {
      const isReasoning = seals && isSealedThinking(value);
      yield* reader.read(value, path, {
        author,
        message: at,
        turnsAgo: ages[at] as number,
        seals,
        isContent: () => isContent,
        isDocument,
        isReadOnly: (place) => isReasoning && place === 'messages[].content[].thinking',
      });
    }
    addMedia(message.content, ['messages', at, 'content'], skipped);
  }
  yield* reader.read({ tools, output_config, mcp_servers }, [], outsideMessages('definition'));
  yield* reader.read(others, [], outsideMessages('user'));
  if (continuesThread(body)) skipped.push({ path: ['thread'], what: 'earlier turns' });
  if (typeof container === 'string' || Object(container).id != null)
    skipped.push({ path: ['container'], what: 'container' });
  return { texts: reader.texts, skipped };
}

/** Whether the request sends only new messages, since Anthropic keeps the earlier ones, the system prompt and the tools. */
export function continuesThread(body: object): boolean {
  const { thread } = body as { readonly thread?: unknown };
  return thread != null && !(isObject(thread) && thread.type === 'create' && thread.previous_message_id == null);
}

/** Such as `messages[0..3]`, and the names of the other fields that hold texts. */
export function messagesCoverage({ messages }: Request, texts: readonly RequestText[]): string[] {
  const last = messages.length - 1;
  return [last === 0 ? 'messages[0]' : `messages[0..${last}]`, ...fieldsOutsideMessages(texts)];
}

/** The path of the last text of the system prompt; undefined if there is none. */
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
  readonly isDocument?: boolean;
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
    isDocument: DOCUMENTS.has(block.type),
  }));
  return [...blocks, around];
}

/** Whether a block is reasoning signed by Anthropic. */
function isSealedThinking(value: unknown): boolean {
  const { type, signature } = Object(value) as { type?: unknown; signature?: unknown };
  return type === 'thinking' && isSealed(signature);
}

/** Adds media at any depth of results and documents: `messages[1].content[1]: image`. */
function addMedia(value: unknown, path: JsonPath, skipped: Skipped[]): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    value.forEach((item, at) => addMedia(item, [...path, at], skipped));
    return;
  }
  const { type, source, content } = value as Record<string, unknown>;
  if (typeof type === 'string' && MEDIA.has(type) && !READ.has((source as { type?: unknown } | undefined)?.type)) {
    skipped.push({ path, what: type });
    return;
  }
  addMedia(content, [...path, 'content'], skipped);
  addMedia(source, [...path, 'source'], skipped);
}
