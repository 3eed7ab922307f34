import { utf8Length } from '../../base/json.ts';
import { searchesByItself } from '../server-side-reading.ts';
import type { OpenAiChatRequest } from './chat-request-schema.ts';

/** Roles, separators and the like that a chat format puts around each message. */
const PER_MESSAGE = 16;
/** The prompt that a provider writes around tool definitions; Anthropic's longest has 675 tokens. */
const FOR_TOOLS = 1_000;
/** OpenAI's dearest: gpt-4o-mini counts 2,833 and 5,667 for each of at most 8 tiles; 2,833 with low detail. */
const PER_IMAGE = 50_000;
const PER_SMALL_IMAGE = 3_000;
/** Audio has at most 50 tokens a second and at least 750 bytes, 1,000 characters of base64. */
const AUDIO_CHARS_PER_TOKEN = 20;
/** What a file holds is not told by its size; no model takes more than its context. */
const LONGEST_CONTEXT = 2_000_000;

type Message = OpenAiChatRequest['messages'][number];
type Part = Exclude<NonNullable<Message['content']>, string>[number];

/**
 * An upper bound on the input tokens of a request. Of text it counts the bytes in UTF-8: a token of every tokenizer in use
 * stands for one byte at least. English has about four bytes a token, so the bound is about four times the truth there; what
 * was reserved too much is given back when the request ends. What the provider's own tools and searches read is not known before:
 * the model's context is reserved for it.
 */
export function boundInputTokens(body: OpenAiChatRequest, contextTokens = LONGEST_CONTEXT, model = body.model): number {
  const { messages, tools, model: _, ...rest } = body;
  let bound = messages.reduce((sum, message) => sum + PER_MESSAGE + boundMessage(message, contextTokens), 0);
  if (tools) bound += FOR_TOOLS + bytesOf(tools);
  if (searchesByItself(rest, model)) bound += contextTokens;
  // Schemas of answers, predicted answers, fields that we do not know: all of them may be read by the model.
  for (const value of Object.values(rest)) if (typeof value === 'string' || isObject(value)) bound += bytesOf(value);
  return bound;
}

function boundMessage({ content, ...rest }: Message, contextTokens: number): number {
  const around = bytesOf(rest);
  if (!Array.isArray(content)) return around + utf8Length(content ?? '');
  return content.reduce((sum, part) => sum + boundPart(part as Part, contextTokens), around);
}

function boundPart(part: Part, contextTokens: number): number {
  switch (part.type) {
    case 'image_url':
      return part.image_url.detail === 'low' ? PER_SMALL_IMAGE : PER_IMAGE;
    case 'input_audio':
      return PER_MESSAGE + Math.ceil(part.input_audio.data.length / AUDIO_CHARS_PER_TOKEN);
    case 'file':
      return contextTokens;
    default:
      return bytesOf(part);
  }
}

function bytesOf(value: unknown): number {
  return utf8Length(typeof value === 'string' ? value : JSON.stringify(value));
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
