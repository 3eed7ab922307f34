import type * as z from 'zod';
import {
  geminiCountRequestSchema,
  geminiCountResponseSchema,
} from '../../functions/core/protocols/gemini/gemini-count-tokens.ts';
import {
  geminiBatchEmbedRequestSchema,
  geminiBatchEmbedResponseSchema,
  geminiEmbedRequestSchema,
  geminiEmbedResponseSchema,
} from '../../functions/core/protocols/gemini/gemini-embeddings.ts';
import { type Json, schemaRef } from './components.ts';
import * as examples from './examples.ts';
import { anyKey, GENERATION_ERRORS, jsonBody, trackingHeaders } from './operations.ts';
import { errorResponses, inspectedResponse, PASSED_ON } from './responses.ts';

interface Call {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly request: readonly [schema: z.ZodType, example: object];
  readonly response: readonly [what: string, schema: z.ZodType, example: object];
}

const CALLS: Readonly<Record<string, Call>> = {
  countTokens: {
    operationId: 'countGeminiTokens',
    summary: 'Count tokens',
    description:
      "Inspects the request and returns Google's count; other providers have none. Counts as a request. Needs the permission `chat_completions`.",
    request: [geminiCountRequestSchema, examples.geminiRequest],
    response: ['The count.', geminiCountResponseSchema, examples.geminiCount],
  },
  embedContent: {
    operationId: 'embedGeminiContent',
    summary: 'Embed a content',
    description: 'Inspects the content and forwards it to Google. Needs the permission `embeddings`.',
    request: [geminiEmbedRequestSchema, examples.geminiEmbedRequest],
    response: ['The vector.', geminiEmbedResponseSchema, examples.geminiEmbedResponse],
  },
  batchEmbedContents: {
    operationId: 'batchEmbedGeminiContents',
    summary: 'Embed several contents',
    description: "Google's SDKs call it for one content too. Needs the permission `embeddings`.",
    request: [geminiBatchEmbedRequestSchema, { requests: [examples.geminiEmbedRequest] }],
    response: ['The vectors.', geminiBatchEmbedResponseSchema, examples.geminiBatchEmbedResponse],
  },
};

const MODEL: Json = {
  ...{ name: 'model', in: 'path', required: true, description: 'The model.' },
  schema: { type: 'string' },
};

function pathOf({ operationId, summary, description, request, response }: Call, ending: string): Json {
  const [what, responseSchema, example] = response;
  return {
    parameters: [MODEL],
    post: {
      operationId: `${operationId}${ending}`,
      tags: ['Gemini'],
      summary,
      description,
      security: anyKey(),
      parameters: trackingHeaders(),
      requestBody: jsonBody(schemaRef(request[0]), { text: { value: request[1] } }),
      responses: {
        200: inspectedResponse(what, schemaRef(responseSchema), example),
        ...errorResponses(GENERATION_ERRORS, true),
        '4XX': PASSED_ON,
      },
    },
  };
}

/** Google's calls without model text. */
export const GEMINI_PATHS: Readonly<Record<string, Json>> = Object.fromEntries(
  Object.entries(CALLS).flatMap(([method, call]) => [
    [`/v1/models/{model}:${method}`, pathOf(call, 'V1')],
    [`/v1beta/models/{model}:${method}`, pathOf(call, '')],
  ]),
);

export const GEMINI_REQUESTS = Object.values(CALLS).map(({ request: [schema] }) => schema);
export const GEMINI_RESPONSES = Object.values(CALLS).map(({ response: [, schema] }) => schema);
