import * as z from 'zod';
import { GatewayError } from '../../../kernel/errors/index.ts';
import { isObject, type JsonDocument, type JsonPath } from '../../../kernel/json/index.ts';
import { type ContentPart, type RequestTexts, type Skipped, securityInfoSchema } from '../../../kernel/model/index.ts';
import type { Steps } from '../../../kernel/tasks/index.ts';
import { furtherModels } from '../bodies/named-resources.ts';
import { MAX_PROMPTS } from '../bodies/prompts.ts';
import { countOf } from '../bodies/provider-usage.ts';
import { checkBody } from '../bodies/request-body.ts';
import { fieldsOutsideMessages, outsideMessages, RequestTextReader } from '../bodies/request-texts.ts';
import { bytesOf } from '../bodies/token-bounds.ts';
import { TextlessFormat, type TextlessResponse } from '../bodies/untranslated-format.ts';
import type { Protocol } from '../protocol.ts';
import { type GeminiBody, toMedia } from './from-gemini-request.ts';
import { checkModelOfPath, withoutModel } from './gemini-calls.ts';
import { GEMINI_CALL_PLACES, inCamelCase, namedInGeminiCall } from './gemini-names.ts';
import { boundGeminiInput } from './gemini-protocol.ts';
import { mediaIn } from './gemini-request-texts.ts';
import { GEMINI_FRAMING } from './gemini-response-format.ts';
import { contentSchema } from './gemini-schema.ts';

/** https://ai.google.dev/api/embeddings#method:-models.embedcontent */
export const geminiEmbedRequestSchema = z
  .looseObject({
    content: contentSchema,
    model: z.string().optional().meta({ description: '`models/` and the model of the path.' }),
    taskType: z.string().optional(),
    title: z.string().optional(),
    outputDimensionality: z.int().min(1).optional(),
  })
  .meta({ id: 'EmbedContentRequest', description: 'As Google documents it; fields not listed here are passed on.' });
type EmbedRequest = z.infer<typeof geminiEmbedRequestSchema>;

/** https://ai.google.dev/api/embeddings#method:-models.batchembedcontents */
export const geminiBatchEmbedRequestSchema = z
  .looseObject({ requests: z.array(geminiEmbedRequestSchema).min(1).max(MAX_PROMPTS) })
  .meta({ id: 'BatchEmbedContentsRequest' });

const usage = z.looseObject({ promptTokenCount: z.int().min(0).optional() }).optional();
const embedding = z.looseObject({ values: z.array(z.number()).optional() });

export const geminiEmbedResponseSchema = z
  .looseObject({ embedding, usageMetadata: usage, svc: securityInfoSchema })
  .meta({ id: 'EmbedContentResponse', description: 'As Google documents it.' });

export const geminiBatchEmbedResponseSchema = z
  .looseObject({ embeddings: z.array(embedding), usageMetadata: usage, svc: securityInfoSchema })
  .meta({ id: 'BatchEmbedContentsResponse', description: 'As Google documents it.' });

/** A body as sent, and its requests with member names in one spelling. */
interface EmbedBody {
  readonly sent: GeminiBody['sent'];
  readonly requests: readonly EmbedRequest[];
}

const RESPONSE_PLACES = { id: 'usageMetadata.promptTokensDetails[].modality' };
const VECTORS = ['embedding.values', 'embeddings[].values'];

/** Google's embedContent for the model of the path. */
export function geminiEmbedProtocol(model: string): Protocol<EmbedBody> {
  return {
    ...shared(model),
    operation: 'gemini-embed-content',
    check: (document) => {
      const { value, sent } = read(document);
      const request = checkBody(geminiEmbedRequestSchema, { value }, GEMINI_CALL_PLACES);
      checkModelOfPath(request.model, model, 'model');
      return { sent, requests: [request] };
    },
    fieldNames: () => ({ maxOutputTokens: 'content', input: 'content' }),
    format: () => new TextlessFormat(RESPONSE_PLACES, (body) => toResponse(body, isObject(body.embedding)), VECTORS),
  };
}

/** Google's batchEmbedContents, which its SDKs call for one text too. */
export function geminiBatchEmbedProtocol(model: string): Protocol<EmbedBody> {
  return {
    ...shared(model),
    operation: 'gemini-batch-embed-contents',
    check: (document) => {
      refuseManyRequests(document.value);
      const { value, sent } = read(document);
      const { requests } = checkBody(geminiBatchEmbedRequestSchema, { value }, GEMINI_CALL_PLACES);
      for (const [at, one] of requests.entries()) checkModelOfPath(one.model, model, `requests[${at}].model`);
      return { sent, requests };
    },
    fieldNames: () => ({ maxOutputTokens: 'requests', input: 'requests' }),
    format: () =>
      new TextlessFormat(RESPONSE_PLACES, (body) => toResponse(body, Array.isArray(body.embeddings)), VECTORS),
  };
}

function shared(model: string): Omit<Protocol<EmbedBody>, 'operation' | 'check' | 'fieldNames' | 'format'> {
  return {
    framing: GEMINI_FRAMING,
    responseKind: () => 'json',
    read: ({ requests }) => ({
      model,
      messages: requests.map(({ content }) => ({
        role: 'user',
        parts: content.parts.flatMap(({ text, inlineData }): ContentPart[] =>
          text === undefined ? (inlineData ? [toMedia(inlineData)] : []) : [{ type: 'text', text }],
        ),
      })),
      stream: false,
      includeUsage: true,
      choiceCount: 0,
      others: [],
    }),
    texts: textsOf,
    covered: (_, texts) => fieldsOutsideMessages(texts),
    addToPrompt: () => undefined,
    unseenUsage: () => ({ outputTokens: 0 }),
    boundInputTokens: ({ sent, requests }, contextTokens) => {
      const { content: _, requests: __, ...others } = sent as { content?: unknown; requests?: unknown };
      const contents = requests.map(({ content }) => content);
      const beside = requests.reduce((sum, { content, ...rest }) => sum + bytesOf(rest), bytesOf(others));
      return boundGeminiInput({ read: { contents } }, contextTokens) + beside;
    },
    furtherModels: (value) => furtherModels(withoutModel(value), GEMINI_CALL_PLACES, ''),
    namedIds: namedInGeminiCall,
  };
}

function read({ value }: JsonDocument): { value: unknown; sent: GeminiBody['sent'] } {
  return { value: inCamelCase(value), sent: value as GeminiBody['sent'] };
}

/** Before anything that takes time for each request. @throws GatewayError `invalid_value` */
function refuseManyRequests(value: unknown): void {
  const requests = isObject(value) ? value.requests : undefined;
  if (!Array.isArray(requests) || requests.length <= MAX_PROMPTS) return;
  throw new GatewayError('invalid_value', `'requests': must be at most ${MAX_PROMPTS}.`, { param: 'requests' });
}

/** Every string of a body except the names of its model. */
function* textsOf({ sent, requests }: EmbedBody): Steps<RequestTexts> {
  const reader = new RequestTextReader(GEMINI_CALL_PLACES);
  yield* reader.read(withoutModel(sent), [], outsideMessages('user'));
  const isBatch = Array.isArray(sent.requests);
  const skipped = requests.flatMap(({ content }, at): Skipped[] =>
    content.parts.flatMap((part, index) => {
      const path: JsonPath = [...(isBatch ? ['requests', at] : []), 'content', 'parts', index];
      return mediaIn(part, path);
    }),
  );
  return { texts: reader.texts, skipped };
}

function toResponse({ error, usageMetadata }: Readonly<Record<string, unknown>>, isThere: boolean): TextlessResponse {
  const inputTokens = countOf(Object(usageMetadata).promptTokenCount);
  return {
    usage: inputTokens === undefined ? undefined : { inputTokens, outputTokens: 0 },
    fault: error === undefined && isThere ? undefined : 'no embeddings',
  };
}
