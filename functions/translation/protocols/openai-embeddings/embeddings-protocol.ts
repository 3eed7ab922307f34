import { openAiIds } from '../bodies/named-ids.ts';
import { furtherModels } from '../bodies/named-resources.ts';
import {
  boundPrompt,
  countPrompts,
  PROMPT_PLACES,
  promptRequestTexts,
  refuseManyPrompts,
  textsOfPrompt,
  withFewTokens,
} from '../bodies/prompts.ts';
import { fromOpenAiUsage } from '../bodies/provider-usage.ts';
import { checkBody } from '../bodies/request-body.ts';
import { fieldsOutsideMessages } from '../bodies/request-texts.ts';
import { bytesBeside } from '../bodies/token-bounds.ts';
import { TextlessFormat, type TextlessResponse } from '../bodies/untranslated-format.ts';
import { CHAT_FRAMING } from '../openai-chat/chat-response-format.ts';
import type { Protocol } from '../protocol.ts';
import { type EmbeddingsRequest, embeddingsRequestSchema } from './embeddings-schema.ts';

const PLACES = { id: 'object model id data[].object', data: 'data[].embedding' };
/** Jina's models return a list of vectors for each input. */
const VECTORS = ['data[].embedding', 'data[].embeddings[]'];

/** OpenAI's embeddings. Vectors are not text; everything else in the response is inspected. */
export const EMBEDDINGS_PROTOCOL: Protocol<EmbeddingsRequest> = {
  operation: 'openai-embeddings',
  framing: CHAT_FRAMING,
  responseKind: () => 'json',
  check: (document) => {
    refuseManyPrompts(document.value, 'input');
    checkBody(embeddingsRequestSchema, { value: withFewTokens(document.value, 'input') }, PROMPT_PLACES);
    return document.value as EmbeddingsRequest;
  },
  read: ({ model, input }) => ({
    model,
    messages: textsOfPrompt(input).map((text) => ({ role: 'user', parts: [{ type: 'text', text }] })),
    stream: false,
    includeUsage: true,
    choiceCount: 0,
    others: [],
  }),
  texts: (body) => promptRequestTexts(body, 'input'),
  covered: (_, texts) => fieldsOutsideMessages(texts),
  addToPrompt: () => undefined,
  boundInputTokens: ({ model: _, input, ...others }) =>
    boundPrompt(input) + bytesBeside(others, embeddingsRequestSchema.shape, countPrompts(input)),
  unseenUsage: ({ input }) => ({
    ...(textsOfPrompt(input).length === 0 && { inputTokens: boundPrompt(input) }),
    outputTokens: 0,
  }),
  fieldNames: () => ({ maxOutputTokens: 'input', input: 'input' }),
  furtherModels: (value) => furtherModels(value, PROMPT_PLACES),
  namedIds: openAiIds(PROMPT_PLACES),
  format: () => new TextlessFormat(PLACES, readAnswer, VECTORS),
};

function readAnswer({ data, error, usage }: Readonly<Record<string, unknown>>): TextlessResponse {
  const reported = fromOpenAiUsage({ usage });
  return {
    usage: reported?.inputTokens === undefined ? reported : { ...reported, outputTokens: 0 },
    fault: error === undefined && Array.isArray(data) ? undefined : 'no embeddings',
  };
}
