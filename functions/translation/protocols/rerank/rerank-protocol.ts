import { GatewayError } from '../../../kernel/errors/index.ts';
import { isObject } from '../../../kernel/json/index.ts';
import type { RequestTexts } from '../../../kernel/model/index.ts';
import type { Steps } from '../../../kernel/tasks/index.ts';
import { openAiIds } from '../bodies/named-ids.ts';
import { furtherModels } from '../bodies/named-resources.ts';
import { checkBody } from '../bodies/request-body.ts';
import { Places } from '../bodies/request-places.ts';
import { fieldsOutsideMessages, outsideMessages, RequestTextReader } from '../bodies/request-texts.ts';
import { bytesBeside, bytesOf } from '../bodies/token-bounds.ts';
import { TextlessFormat, type TextlessResponse } from '../bodies/untranslated-format.ts';
import { CHAT_FRAMING } from '../openai-chat/chat-response-format.ts';
import type { Protocol } from '../protocol.ts';
import { MAX_DOCUMENTS, type RerankRequest, rerankRequestSchema } from './rerank-schema.ts';

const PLACES = new Places({ free: 'documents' });
const RESPONSE_PLACES = { id: 'id model object meta.api_version.version' };

/** Tokens of a reranker's prompt around each document; Qwen3's has about 70. */
const PER_DOCUMENT = 100;

/**
 * Cohere bills searches: a search has up to 100 documents, and a longer document counts once for each 500 tokens, the query included
 * (https://docs.cohere.com/docs/how-does-cohere-pricing-work). Each search counts as that many tokens, so that a price per token is exact.
 */
const SEARCH_DOCUMENTS = 100;
const DOCUMENT_TOKENS = 500;
const SEARCH_TOKENS = SEARCH_DOCUMENTS * DOCUMENT_TOKENS;
/** Cohere's models, under any provider's prefix. */
const BILLED_BY_SEARCH = /(?:^|[/.])rerank-/;

/** Cohere's rerank, which Jina, vLLM and others share. The texts of documents are third-party text. */
export const RERANK_PROTOCOL: Protocol<RerankRequest> = {
  operation: 'rerank',
  framing: CHAT_FRAMING,
  responseKind: () => 'json',
  check: (document) => {
    refuseManyDocuments(document.value);
    return checkBody(rerankRequestSchema, document, PLACES);
  },
  // The model reads the query with each document.
  read: ({ model, query, documents }) => ({
    model,
    messages: documents.map((one) => ({
      role: 'user',
      parts: [query, textOf(one)].map((text) => ({ type: 'text', text })),
    })),
    stream: false,
    includeUsage: true,
    choiceCount: 0,
    others: [],
  }),
  texts: textsOf,
  covered: (_, texts) => fieldsOutsideMessages(texts),
  addToPrompt: () => undefined,
  boundInputTokens: (body, _, model) => Math.max(boundTokens(body), boundSearches(body, model) * SEARCH_TOKENS),
  unseenUsage: (body, model) => {
    const searches = boundSearches(body, model);
    return { ...(searches > 0 && { inputTokens: searches * SEARCH_TOKENS }), outputTokens: 0 };
  },
  fieldNames: () => ({ maxOutputTokens: 'documents', input: 'documents' }),
  furtherModels: (value) => furtherModels(value, PLACES),
  namedIds: openAiIds(PLACES),
  format: () => new TextlessFormat(RESPONSE_PLACES, readAnswer),
};

/** Before the schema, which takes time for each document. @throws GatewayError `invalid_value` */
function refuseManyDocuments(value: unknown): void {
  const documents = isObject(value) ? value.documents : undefined;
  if (!Array.isArray(documents) || documents.length <= MAX_DOCUMENTS) return;
  throw new GatewayError('invalid_value', `'documents': must be at most ${MAX_DOCUMENTS}.`, { param: 'documents' });
}

function textOf(document: RerankRequest['documents'][number]): string {
  return typeof document === 'string' ? document : document.text;
}

function* textsOf({ model: _, documents, ...rest }: RerankRequest): Steps<RequestTexts> {
  const reader = new RequestTextReader(PLACES);
  yield* reader.read(rest, [], outsideMessages('user'));
  yield* reader.read(documents, ['documents'], outsideMessages('tool'));
  return { texts: reader.texts, skipped: [] };
}

/** A token has at least one byte. Members of a document besides its text may be read too (Cohere's `rank_fields`). */
function boundTokens({ model: _, query, documents, ...others }: RerankRequest): number {
  const perDocument = Buffer.byteLength(query) + PER_DOCUMENT;
  const beside = bytesBeside(others, rerankRequestSchema.shape, documents.length);
  return documents.reduce((sum, one) => sum + perDocument + bytesOf(one), beside);
}

function boundSearches({ query, documents }: RerankRequest, model: string): number {
  if (!BILLED_BY_SEARCH.test(model)) return 0;
  const queryBytes = Buffer.byteLength(query);
  const chunks = documents.reduce((sum, one) => sum + Math.ceil((queryBytes + bytesOf(one)) / DOCUMENT_TOKENS), 0);
  return Math.ceil(chunks / SEARCH_DOCUMENTS);
}

/** Jina and vLLM report `usage`, Cohere the searches that it bills. */
function readAnswer({ results, error, usage, meta }: Readonly<Record<string, unknown>>): TextlessResponse {
  const { billed_units: billed } = Object(meta) as { billed_units?: unknown };
  const { search_units: searches } = Object(billed) as { search_units?: unknown };
  const { total_tokens: tokens } = Object(usage) as { total_tokens?: unknown };
  const inputTokens = isCount(searches) ? searches * SEARCH_TOKENS : tokens;
  return {
    usage: isCount(inputTokens) ? { inputTokens, outputTokens: 0 } : undefined,
    fault: error === undefined && Array.isArray(results) ? undefined : 'no ranking',
  };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
