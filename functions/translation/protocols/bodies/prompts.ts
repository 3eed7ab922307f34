import { GatewayError } from '../../../kernel/errors/index.ts';
import { isObject } from '../../../kernel/json/index.ts';
import type { RequestTexts, Skipped } from '../../../kernel/model/index.ts';
import type { Steps } from '../../../kernel/tasks/index.ts';
import { asReadLeniently } from './member-names.ts';
import { Places } from './request-places.ts';
import { outsideMessages, RequestTextReader } from './request-texts.ts';
import { hasAddress } from './token-bounds.ts';

/** The strings of a prompt request that are not plain text. */
export const PROMPT_PLACES = new Places({
  fixed: 'encoding_format response_format type id',
  free: 'metadata',
  unread: 'stop stop[]',
});

/** Input of a model without chat: one text, several texts, or tokens. */
export type Prompt = string | readonly string[] | readonly number[] | readonly (readonly number[])[];

/** OpenAI's limit of prompts in one request. */
export const MAX_PROMPTS = 2048;

/**
 * Refuses too many prompts before schema validation: each alternative of the schema would collect an issue for each. @throws GatewayError
 * `invalid_value`
 */
export function refuseManyPrompts(value: unknown, field: string): void {
  const prompt = isObject(value) ? value[field] : undefined;
  if (!Array.isArray(prompt) || prompt.length <= MAX_PROMPTS) return;
  if (prompt.every((part) => typeof part === 'number')) return;
  throw new GatewayError('invalid_value', `'${field}': must be at most ${MAX_PROMPTS} texts, or one list of tokens.`, {
    param: field,
  });
}

/**
 * A copy for the schema in which one token represents a list of valid tokens. A schema takes 30 ms for the longest list, and nothing can
 * interrupt it.
 */
export function withFewTokens(value: unknown, field: string): unknown {
  const prompt = isObject(value) ? value[field] : undefined;
  if (!Array.isArray(prompt) || prompt.length === 0 || !prompt.every(isToken)) return value;
  return { ...(value as object), [field]: prompt.slice(0, 1) };
}

function isToken(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** The texts of a prompt; none if it is tokens. */
export function textsOfPrompt(prompt: Prompt): string[] {
  if (typeof prompt === 'string') return [prompt];
  return prompt.filter((part): part is string => typeof part === 'string');
}

export function countPrompts(prompt: Prompt): number {
  return typeof prompt === 'string' || typeof prompt[0] === 'number' ? 1 : prompt.length;
}

/** An upper bound on a prompt's tokens: a token of text has at least one byte. */
export function boundPrompt(prompt: Prompt): number {
  if (typeof prompt === 'string') return Buffer.byteLength(prompt);
  return prompt.reduce<number>((sum, part) => sum + (typeof part === 'number' ? 1 : boundPrompt(part)), 0);
}

/** Every string of a request whose prompt is in `field`. Tokens cannot be read. */
export function* promptRequestTexts(body: { readonly model?: string }, field: string): Steps<RequestTexts> {
  const { model: _, ...rest } = body;
  const reader = new RequestTextReader(PROMPT_PLACES);
  yield* reader.read(rest, [], outsideMessages('user'));
  const prompt = (body as Record<string, unknown>)[field] as Prompt;
  const hasTokens = textsOfPrompt(prompt).length === 0 && prompt.length > 0;
  return { texts: reader.texts, skipped: hasTokens ? [{ path: [field], what: 'tokens' }] : [] };
}

/** Members in which vLLM, SGLang, llama.cpp and Ollama take a prompt, or parts of it, as tokens, vectors or media. */
const ENCODED_PROMPTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    tokens: 'prompt_token_ids input_ids token_ids context',
    embeddings: 'prompt_embeds input_embeds inputs_embeds',
    image: 'image_data images_data',
    audio: 'audio_data',
    video: 'video_data',
    media: 'multimodal_data multi_modal_data',
  }).flatMap(([what, names]) => names.split(' ').map((name): [string, string] => [asReadLeniently(name), what])),
);

/** The top-level members that hold a prompt which cannot be read. */
export function encodedPrompts(body: unknown): Skipped[] {
  if (!isObject(body)) return [];
  return Object.entries(body).flatMap(([name, value]) => {
    const what = ENCODED_PROMPTS.get(asReadLeniently(name));
    if (what === undefined || value === null || (what === 'tokens' && !hasNumbers(value))) return [];
    return [{ path: [name], what }];
  });
}

/** Whether such a member names media by address: their size is not known. */
export function hasEncodedMedia(body: unknown): boolean {
  const media = encodedPrompts(body).filter(({ what }) => what !== 'tokens' && what !== 'embeddings');
  return media.some(({ path: [name] }) => hasAddress((body as Record<string, unknown>)[name as string]));
}

/** Whether it is a list of numbers, or of such lists. Strings in it are read as text. */
function hasNumbers(value: unknown): boolean {
  return Array.isArray(value) && value.some((one) => typeof one === 'number' || hasNumbers(one));
}
