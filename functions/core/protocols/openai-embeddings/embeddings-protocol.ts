import * as z from 'zod';
import type { Usage } from '../../model/chat.ts';
import type { AnswerPiece } from '../answer-format.ts';
import { toValidationError } from '../first-fault.ts';
import { boundPrompt, fieldsOf, promptRequestTexts, textsOfPrompt } from '../prompt-texts.ts';
import type { Protocol } from '../protocol.ts';
import { TextlessAnswerFormat } from '../textless-answer-format.ts';

const tokens = z.array(z.int().min(0)).min(1);

/** What the gateway needs to know of an embeddings request; every other field passes untouched. */
export const embeddingsRequestSchema = z
  .looseObject({
    model: z.string().min(1).max(256),
    input: z.union(
      [z.string().min(1), z.array(z.string().min(1)).min(1).max(2048), tokens, z.array(tokens).min(1).max(2048)],
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

/** OpenAI's embeddings: the input is judged, and of the answer nothing can be. */
export const EMBEDDINGS_PROTOCOL: Protocol<EmbeddingsRequest> = {
  name: 'openai-embeddings',
  check: (document) => {
    const result = embeddingsRequestSchema.safeParse(document.value);
    if (!result.success) throw toValidationError(result.error, document.value);
    return result.data;
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
  covered: (_, texts) => fieldsOf(texts),
  addToPrompt: () => undefined,
  boundInputTokens: ({ input }) => boundPrompt(input),
  fieldNames: () => ({ maxOutputTokens: 'input', input: 'input' }),
  format: () => new TextlessAnswerFormat(readPiece),
};

function readPiece(json: string): AnswerPiece {
  const body = JSON.parse(json) as { data?: unknown; error?: unknown; usage?: { prompt_tokens?: unknown } };
  const { prompt_tokens: inputTokens } = body.usage ?? {};
  const usage: Usage | undefined = Number.isSafeInteger(inputTokens)
    ? { inputTokens: inputTokens as number, outputTokens: 0 }
    : undefined;
  const isAnswer = body.error === undefined && Array.isArray(body.data);
  return {
    json,
    slots: [],
    echoes: [],
    divisible: false,
    ends: true,
    usage,
    fault: isAnswer ? undefined : 'no embeddings',
  };
}
