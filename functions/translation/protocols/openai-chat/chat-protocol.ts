import { isObject, type JsonDocument } from '../../../kernel/json/index.ts';
import type { Steps } from '../../../kernel/tasks/index.ts';
import { namedAt, openAiIds } from '../bodies/named-ids.ts';
import { furtherModels } from '../bodies/named-resources.ts';
import { bytesOf, searchesByItself, uncountedOutputField } from '../bodies/token-bounds.ts';
import { kindByStreamField, type NamedId, type Protocol } from '../protocol.ts';
import type { OpenAiChatRequest } from './chat-request-schema.ts';
import { CHAT_PLACES, chatCoverage, chatRequestTexts, promptTextPath } from './chat-request-texts.ts';
import { CHAT_FRAMING, ChatResponseFormat } from './chat-response-format.ts';
import { checkChatRequest, fromOpenAiChatRequest, textToolsOf } from './from-chat-request.ts';

/** OpenAI's chat completions API. */
export const CHAT_PROTOCOL: Protocol<OpenAiChatRequest> = {
  operation: 'openai-chat',
  framing: CHAT_FRAMING,
  responseKind: kindByStreamField,
  check: (document: JsonDocument) => checkChatRequest(document),
  read: fromOpenAiChatRequest,
  texts: chatRequestTexts,
  covered: chatCoverage,
  moderation: (body) => body.moderation ?? undefined,
  addToPrompt: (body, text) => {
    const path = promptTextPath(body);
    if (path !== undefined) return { kind: 'append', path, text: `\n\n${text}` };
    return { kind: 'prepend', path: ['messages'], json: JSON.stringify({ role: 'system', content: text }) };
  },
  boundInputTokens,
  uncountedOutput: (value) => uncountedOutputField(value, ['max_tokens', 'max_completion_tokens', 'n']),
  fieldNames: (body) => ({
    maxOutputTokens:
      (body.max_completion_tokens ?? 0) > (body.max_tokens ?? 0) ? 'max_completion_tokens' : 'max_tokens',
    input: 'messages',
  }),
  furtherModels: (value) => furtherModels(value, CHAT_PLACES),
  namedIds: namedInChat,
  format: (request, head, { asked }) => new ChatResponseFormat(request, head, textToolsOf(asked)),
};

const namedInChatBody = openAiIds(CHAT_PLACES, 'audio.voice.id messages[].audio.id plugins[].id');

/** Ids of files, of audio in earlier responses, and of the account's voices. */
function* namedInChat(value: unknown): Steps<NamedId[]> {
  if (!isObject(value)) return [];
  const { audio: asked, messages } = value;
  const voice = isObject(asked) && isObject(asked.voice) ? namedAt(asked.voice.id, 'Voice', 'audio.voice.id') : [];
  const audio = (Array.isArray(messages) ? messages : []).flatMap((message: unknown, at) =>
    isObject(message) && isObject(message.audio) ? namedAt(message.audio.id, 'Audio', `messages[${at}].audio.id`) : [],
  );
  return [...voice, ...audio, ...(yield* namedInChatBody(value))];
}

/** Tokens for roles and separators that a chat format puts around each message. */
const PER_MESSAGE = 16;
/** Tokens of the prompt that a provider writes around tool definitions; Anthropic's longest has 675. */
const FOR_TOOLS = 1_000;
/** OpenAI's most expensive: gpt-4o-mini counts 2,833, plus 5,667 for each of at most 8 tiles; 2,833 with low detail. */
const PER_IMAGE = 50_000;
const PER_SMALL_IMAGE = 3_000;
/** Audio has at most 50 tokens a second and at least 750 bytes a second, which is 1,000 characters of base64. */
const AUDIO_CHARS_PER_TOKEN = 20;
/** A file's size does not bound its tokens; the largest model context does. */
const LONGEST_CONTEXT = 2_000_000;

type Message = OpenAiChatRequest['messages'][number];
type Part = Exclude<NonNullable<Message['content']>, string>[number];

/**
 * An upper bound on the input tokens of a request. Text counts its UTF-8 bytes: a token of every tokenizer in use has at least one byte.
 * English has about four bytes a token, so the bound is about four times the actual count. The excess reservation is released when the
 * request ends. Provider tools and searches reserve the whole context of the model.
 */
export function boundInputTokens(body: OpenAiChatRequest, contextTokens = LONGEST_CONTEXT, model = body.model): number {
  const { messages, tools, model: _, ...rest } = body;
  let bound = messages.reduce((sum, message) => sum + PER_MESSAGE + boundMessage(message, contextTokens), 0);
  if (tools) bound += FOR_TOOLS + bytesOf(tools);
  if (searchesByItself(rest, model)) bound += contextTokens;
  // Response schemas, predicted outputs and unknown fields count too: the model may read all of them.
  return bound + bytesOf(rest);
}

function boundMessage({ content, ...rest }: Message, contextTokens: number): number {
  const around = bytesOf(rest);
  if (!Array.isArray(content)) return around + Buffer.byteLength(content ?? '');
  return content.reduce((sum, part) => sum + boundPart(part as Part, contextTokens), around);
}

function boundPart(part: Part, contextTokens: number): number {
  switch (part.type) {
    case 'image_url': {
      const { image_url: image, ...beside } = part;
      const { url: _, detail, ...rest } = image;
      return (detail === 'low' ? PER_SMALL_IMAGE : PER_IMAGE) + bytesOf([rest, beside]);
    }
    case 'input_audio': {
      const { input_audio: audio, ...beside } = part;
      const { data, ...rest } = audio;
      return PER_MESSAGE + Math.ceil(data.length / AUDIO_CHARS_PER_TOKEN) + bytesOf([rest, beside]);
    }
    case 'file':
      return contextTokens;
    default:
      return bytesOf(part);
  }
}
