import * as z from 'zod';
import type { ChatRequest } from '../../model/chat.ts';
import type { StreamFraming } from '../answer-format.ts';
import { toValidationError } from '../first-fault.ts';
import { CHAT_FRAMING } from '../openai-chat/chat-answer-format.ts';
import { boundPrompt, countPrompts, fieldsOf, promptRequestTexts, textsOfPrompt } from '../prompt-texts.ts';
import type { Protocol } from '../protocol.ts';
import { CompletionsAnswerFormat } from './completions-answer-format.ts';

const tokens = z.array(z.int().min(0)).min(1);

/** What the gateway needs to know of a completions request; every other field passes untouched. */
export const completionsRequestSchema = z
  .looseObject({
    model: z.string().min(1).max(256),
    prompt: z.union([z.string(), z.array(z.string()).min(1).max(2048), tokens, z.array(tokens).min(1).max(2048)], {
      error: 'must be a string, an array of strings, or tokens',
    }),
    stream: z.boolean().nullish(),
    stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
    max_tokens: z.int().min(1).nullish(),
    n: z.int().min(1).max(128).nullish(),
    best_of: z.int().min(1).max(20).nullish(),
    temperature: z.number().min(0).max(2).nullish(),
    top_p: z.number().min(0).max(1).nullish(),
    stop: z
      .union([z.string(), z.array(z.string()).max(16)], { error: 'must be a string or an array of strings' })
      .nullish(),
    user: z.string().nullish(),
  })
  .meta({ id: 'CompletionsRequest', description: 'As OpenAI documents it; fields not listed here are passed on.' });

export type CompletionsRequest = z.infer<typeof completionsRequestSchema>;

/** Fields that the gateway's own model has a place for; all others are `extra`. */
const KNOWN = new Set([
  'model',
  'prompt',
  'stream',
  'stream_options',
  'max_tokens',
  'n',
  'temperature',
  'top_p',
  'stop',
  'user',
]);
/** What the API answers with where the caller says nothing: https://platform.openai.com/docs/api-reference/completions/create */
const DEFAULT_MAX_TOKENS = 16;

/** OpenAI's completions of a prompt. A provider that has only chats is asked one prompt as one message. */
export const COMPLETIONS_PROTOCOL: Protocol<CompletionsRequest> = {
  name: 'openai-completions',
  check: (document) => {
    const result = completionsRequestSchema.safeParse(document.value);
    if (!result.success) throw toValidationError(result.error, document.value);
    return result.data;
  },
  read: toChatRequest,
  texts: (body) => promptRequestTexts(body, 'prompt'),
  covered: (_, texts) => fieldsOf(texts),
  addToPrompt: () => undefined,
  boundInputTokens: ({ prompt }) => boundPrompt(prompt),
  fieldNames: () => ({ maxOutputTokens: 'max_tokens', input: 'prompt' }),
  format: (request, head) => new CompletionsAnswerFormat(request, head),
};

export const COMPLETIONS_FRAMING: StreamFraming = CHAT_FRAMING;

function toChatRequest(body: CompletionsRequest): ChatRequest {
  const extra = Object.fromEntries(Object.entries(body).filter(([field]) => !KNOWN.has(field)));
  const texts = textsOfPrompt(body.prompt);
  // A chat answers once: several prompts, or tokens, are for a provider that has completions.
  if (texts.length !== 1) extra.prompt = body.prompt;
  const answers = Math.max(body.n ?? 1, body.best_of ?? 1) * countPrompts(body.prompt);
  return {
    model: body.model,
    messages: texts.map((text) => ({ role: 'user', parts: [{ type: 'text', text }] })),
    stream: body.stream ?? false,
    includeUsage: body.stream_options?.include_usage ?? false,
    choiceCount: answers,
    maxOutputTokens: body.max_tokens ?? DEFAULT_MAX_TOKENS,
    extra,
    ...(typeof body.temperature === 'number' && { temperature: body.temperature }),
    ...(typeof body.top_p === 'number' && { topP: body.top_p }),
    ...(body.stop != null && { stop: typeof body.stop === 'string' ? [body.stop] : body.stop }),
    ...(typeof body.user === 'string' && { endUser: body.user }),
  };
}
