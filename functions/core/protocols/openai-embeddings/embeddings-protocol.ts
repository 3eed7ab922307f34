import * as z from 'zod';
import { checkBody } from '../check-body.ts';
import { furtherModels } from '../further-models.ts';
import { CHAT_FRAMING } from '../openai-chat/chat-answer-format.ts';
import {
  boundPrompt,
  fieldsBeside,
  MAX_PROMPTS,
  PROMPT_PLACES,
  promptRequestTexts,
  refuseManyPrompts,
  textsOfPrompt,
  withFewTokens,
} from '../prompt-texts.ts';
import type { Protocol } from '../protocol.ts';
import { namedInOpenAi } from '../provider-ids.ts';
import { type TextlessAnswer, TextlessAnswerFormat } from '../textless-answer-format.ts';

const tokens = z.array(z.int().min(0)).min(1);

/** What the gateway needs to know of an embeddings request; every other field passes untouched. */
export const embeddingsRequestSchema = z
  .looseObject({
    model: z.string().min(1).max(256),
    input: z.union(
      // Tokens first: of the most that a request may hold the others gather a fault for each.
      [
        z.string().min(1),
        tokens,
        z.array(z.string().min(1)).min(1).max(MAX_PROMPTS),
        z.array(tokens).min(1).max(MAX_PROMPTS),
      ],
      {
        error: 'must be a string that is not empty, an array of such strings, or tokens',
      },
    ),
    encoding_format: z.enum(['float', 'base64']).optional(),
    dimensions: z.int().min(1).optional(),
    user: z.string().optional(),
  })
  .meta({ id: 'EmbeddingsRequest', description: 'As OpenAI documents it; fields not listed here are passed on.' });

export type EmbeddingsRequest = z.infer<typeof embeddingsRequestSchema>;

const PLACES = { id: 'object model id data[].object', data: 'data[].embedding' };

/** OpenAI's embeddings: a vector is no text; everything else of the answer is inspected. */
export const EMBEDDINGS_PROTOCOL: Protocol<EmbeddingsRequest> = {
  name: 'openai-embeddings',
  framing: CHAT_FRAMING,
  wantsStream: () => false,
  check: (document) => {
    refuseManyPrompts(document.value, 'input');
    checkBody(embeddingsRequestSchema, { value: withFewTokens(document.value, 'input') }, PROMPT_PLACES);
    return document.value as EmbeddingsRequest;
  },
  read: ({ model, input, user }) => ({
    model,
    messages: textsOfPrompt(input).map((text) => ({ role: 'user', parts: [{ type: 'text', text }] })),
    stream: false,
    includeUsage: true,
    choiceCount: 0,
    extra: {},
    ...(user !== undefined && { endUser: user }),
  }),
  texts: (body) => promptRequestTexts(body, 'input'),
  covered: (_, texts) => fieldsBeside(texts),
  addToPrompt: () => undefined,
  boundInputTokens: ({ input }) => boundPrompt(input),
  fieldNames: () => ({ maxOutputTokens: 'input', input: 'input' }),
  furtherModels: (value) => furtherModels(value, PROMPT_PLACES),
  namedIds: namedInOpenAi,
  format: () => new TextlessAnswerFormat(PLACES, readAnswer),
};

function readAnswer({ data, error, usage }: Readonly<Record<string, unknown>>): TextlessAnswer {
  const { prompt_tokens: inputTokens } = Object(usage) as { prompt_tokens?: unknown };
  const isCounted = Number.isSafeInteger(inputTokens);
  return {
    usage: isCounted ? { inputTokens: inputTokens as number, outputTokens: 0 } : undefined,
    fault: error === undefined && Array.isArray(data) ? undefined : 'no embeddings',
  };
}
