import { GatewayError } from '../../../kernel/errors/index.ts';
import { readObject } from '../../../kernel/json/index.ts';
import type {
  CacheHint,
  ChatMessage,
  ContentPart,
  FilePart,
  SignedPart,
  ToolCall,
} from '../../../kernel/model/index.ts';
import { inPlaces, type Translation } from '../../routing/index.ts';
import { readBase64DataUrl } from '../anthropic/to-anthropic-messages.ts';
import type {
  ConverseBlock,
  ConverseCachePoint,
  ConverseInput,
  ConverseMessage,
  ConverseText,
} from './converse-request.ts';

type AudioPart = Extract<ContentPart, { type: 'audio' }>;

/** What all parts of a request share. */
interface Context {
  readonly names: DocumentNames;
  readonly translation: Translation;
}

export interface ConverseConversation {
  readonly system: readonly (ConverseText | ConverseCachePoint)[];
  readonly messages: readonly ConverseMessage[];
}

/**
 * A conversation for Converse. System and developer messages move to `system`, in order. Tool results become `toolResult` blocks of
 * a user message, and consecutive messages of one role become one message. Message names are dropped.
 * @param takes what the model takes besides: cache points, and reasoning without a signature
 * @throws GatewayError `invalid_value` or `missing_field` that names the invalid message or part
 */
export function toConverseConversation(
  messages: readonly ChatMessage[],
  translation: Translation,
  takes: { readonly cachePoints?: boolean; readonly reasoning?: boolean } = {},
): ConverseConversation {
  const { cachePoints: hasCachePoints = false, reasoning: takesReasoning = false } = takes;
  const system: (ConverseText | ConverseCachePoint)[] = [];
  const turns: { role: 'user' | 'assistant'; content: ConverseBlock[] }[] = [];
  const names = new DocumentNames();
  let attached: ConverseBlock[] = [];
  const attach = () => {
    // A tool message made a turn of the user before.
    turns.at(-1)?.content.push(...attached);
    attached = [];
  };
  for (const [index, message] of messages.entries()) {
    const param = `messages[${index}]`;
    if (message.role === 'system' || message.role === 'developer') {
      for (const [at, part] of message.parts.entries()) {
        system.push(
          ...toConverseText([part], `${param}.content`, at, translation),
          ...(hasCachePoints ? cachePointOf(part) : []),
        );
      }
      continue;
    }
    if (message.role === 'tool') attached.push(...toAttached(message, param, translation));
    else attach();
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const said = toBlocks(message, param, { names, translation }, hasCachePoints);
    const blocks = takesReasoning && said.length > 0 ? [...toReasoning(message), ...said] : said;
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else if (blocks.length > 0) turns.push({ role, content: [...blocks] });
  }
  attach();
  if (turns.length === 0) {
    throw translation.refused('messages', 'it needs a user message that is not empty');
  }
  return { system, messages: turns };
}

/** The cache point after a part, call or tool with a cache hint. */
export function cachePointOf({ cache }: { readonly cache?: CacheHint }): readonly ConverseCachePoint[] {
  return cache === undefined ? [] : [{ cachePoint: { type: 'default', ...cache } }];
}

function toBlocks(
  message: ChatMessage,
  param: string,
  context: Context,
  hasCachePoints: boolean,
): readonly ConverseBlock[] {
  const { role, parts } = message;
  const pointAfter = (one: { readonly cache?: CacheHint }) => (hasCachePoints ? cachePointOf(one) : []);
  if (role === 'tool') {
    // A point within a result is not possible: the one after it keeps more.
    const hinted = message.cache === undefined ? parts.findLast(({ cache }) => cache !== undefined) : message;
    return [toResult(message, param, context), ...pointAfter(hinted ?? {})];
  }
  return inPlaces<ConverseBlock>(message, {
    text: (part, at) => {
      const place = `${param}.content`;
      const blocks =
        role === 'assistant'
          ? toConverseText([part], place, at, context.translation)
          : toConverseContent([part], place, context, at);
      // A point needs content before it.
      return blocks.length === 0 ? [] : [...blocks, ...pointAfter(part)];
    },
    call: (call, index) => [toToolUse(call, `${param}.tool_calls[${index}]`, context.translation), ...pointAfter(call)],
    signed: (block) => [toSigned(block)],
  });
}

/** From the form that `from-converse.ts` gives it. */
function toSigned(block: SignedPart['block']): ConverseBlock {
  const { redactedContent: redacted, reasoningText } = block as {
    redactedContent?: string;
    reasoningText: ConverseText;
  };
  if (redacted === undefined) return { reasoningContent: { reasoningText } };
  return { reasoningContent: { redactedContent: Buffer.from(redacted, 'base64') } };
}

function toReasoning({ reasoning }: ChatMessage): readonly ConverseBlock[] {
  return reasoning === undefined ? [] : [{ reasoningContent: { reasoningText: { text: reasoning } } }];
}

/** The audio of a result, which cannot hold it. */
function toAttached({ parts }: ChatMessage, param: string, translation: Translation): ConverseBlock[] {
  return parts.flatMap((part, index) => {
    if (part.type !== 'audio') return [];
    const at = `${param}.content[${index}]`;
    translation.follows(at);
    return [toAudio(part, at, translation)];
  });
}

function toResult({ parts, toolCallId }: ChatMessage, param: string, context: Context): ConverseBlock {
  if (toolCallId === undefined) {
    const message = 'A tool message needs the id of its call.';
    throw new GatewayError('missing_field', message, { param: `${param}.tool_call_id` });
  }
  return { toolResult: { toolUseId: toolCallId, content: toConverseResult(parts, `${param}.content`, context) } };
}

function toToolUse({ id, name, arguments: text }: ToolCall, param: string, translation: Translation): ConverseBlock {
  const input = readObject(text);
  if (input === undefined)
    throw translation.refused(`${param}.function.arguments`, 'the arguments must be a JSON object');
  return { toolUse: { toolUseId: id, name, input } };
}

const IMAGE_FORMATS = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpeg'],
  ['image/jpg', 'jpeg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
]);
const OFFICE = 'application/vnd.openxmlformats-officedocument';
const DOCUMENT_FORMATS = new Map([
  ['application/pdf', 'pdf'],
  ['text/csv', 'csv'],
  ['application/msword', 'doc'],
  [`${OFFICE}.wordprocessingml.document`, 'docx'],
  ['application/vnd.ms-excel', 'xls'],
  [`${OFFICE}.spreadsheetml.sheet`, 'xlsx'],
  ['text/html', 'html'],
  ['text/plain', 'txt'],
  ['text/markdown', 'md'],
]);
const AUDIO_FORMATS = new Set('aac flac m4a mka mkv mp3 mp4 mpeg mpga ogg opus pcm wav webm x-aac'.split(' '));
const MAX_NAME_LENGTH = 200;

/** Names of a request's documents. Bedrock allows few characters, and each name once. */
class DocumentNames {
  private readonly used = new Set<string>();
  /** How often a name was tried, so that no number is tried twice. */
  private readonly counts = new Map<string, number>();

  nameFor(filename: string | undefined): string {
    const stem = (filename ?? '').replace(/\.\w{1,8}$/, '');
    const allowed = stem.replace(/[^A-Za-z0-9()[\]-]+/g, ' ').trim();
    const name = allowed.slice(0, MAX_NAME_LENGTH).trim() || 'document';
    for (let count = (this.counts.get(name) ?? 0) + 1; ; count += 1) {
      const each = count === 1 ? name : `${name} ${count}`;
      if (this.used.has(each)) continue;
      this.used.add(each);
      this.counts.set(name, count);
      return each;
    }
  }
}

/**
 * The blocks of a user message, in order, without blank texts, which Converse rejects.
 * @param param the path of the parts in the client's request, such as `messages[1].content`
 * @throws GatewayError `invalid_value` for a part that Converse does not support
 */
function toConverseContent(
  parts: readonly ContentPart[],
  param: string,
  context: Context,
  first: number,
): readonly ConverseBlock[] {
  return parts.flatMap((part, index): readonly ConverseBlock[] => {
    const at = `${param}[${first + index}]`;
    return part.type === 'audio' ? [toAudio(part, at, context.translation)] : toInput(part, at, context);
  });
}

const ATTACHED: ConverseText = { text: 'The result is attached.' };

/** The blocks of a tool result, without audio. */
function toConverseResult(parts: readonly ContentPart[], param: string, context: Context): ConverseInput[] {
  const blocks = parts.flatMap((part, index) =>
    part.type === 'audio' ? [] : toInput(part, `${param}[${index}]`, context),
  );
  return blocks.length === 0 && parts.some(({ type }) => type === 'audio') ? [ATTACHED] : blocks;
}

/**
 * The blocks of a text-only message (system, developer, assistant), without blank texts.
 * @throws GatewayError `invalid_value` for any other part
 */
function toConverseText(
  parts: readonly ContentPart[],
  param: string,
  first: number,
  translation: Translation,
): ConverseText[] {
  return parts.flatMap((part, index) => {
    if (part.type !== 'text' && part.type !== 'refusal')
      throw translation.refused(`${param}[${first + index}]`, 'only text is supported here');
    return part.text.trim() === '' ? [] : [{ text: part.text }];
  });
}

function toInput(part: Exclude<ContentPart, AudioPart>, param: string, context: Context): ConverseInput[] {
  const { translation } = context;
  switch (part.type) {
    case 'text':
    case 'refusal':
      return part.text.trim() === '' ? [] : [{ text: part.text }];
    case 'image':
      return [{ image: toBytes(part.url, IMAGE_FORMATS, param, translation) }];
    case 'file':
      return [{ document: toDocument(part, param, context) }];
  }
}

function toDocument(part: FilePart, param: string, { names, translation }: Context) {
  if (part.data === undefined) throw translation.refused(param, 'send the data of a file, not its id');
  const { format, source } = toBytes(part.data, DOCUMENT_FORMATS, param, translation);
  return { format, name: names.nameFor(part.filename), source };
}

function toBytes(url: string, formats: ReadonlyMap<string, string>, param: string, translation: Translation) {
  const inline = readBase64DataUrl(url);
  const format = formats.get(inline?.mediaType ?? '');
  if (inline === undefined || format === undefined) {
    const known = [...new Set(formats.values())].join(', ');
    throw translation.refused(param, `send it as a base64 data URL of ${known}`);
  }
  return { format, source: { bytes: Buffer.from(inline.data, 'base64') } };
}

function toAudio({ format, data }: AudioPart, param: string, translation: Translation): ConverseBlock {
  if (!AUDIO_FORMATS.has(format)) throw translation.refused(param, 'this audio format is not supported');
  return { audio: { format, source: { bytes: Buffer.from(data, 'base64') } } };
}
