import type * as z from 'zod';
import { geminiRequestSchema, geminiResponseSchema } from '../../functions/core/protocols/gemini/gemini-schema.ts';
import {
  moderationRequestSchema,
  moderationResponseSchema,
} from '../../functions/core/protocols/inspection-schemas.ts';
import {
  completionSchema,
  completionsRequestSchema,
} from '../../functions/core/protocols/openai-completions/completions-protocol.ts';
import {
  embeddingListSchema,
  embeddingsRequestSchema,
} from '../../functions/core/protocols/openai-embeddings/embeddings-schema.ts';
import {
  responseEventSchema,
  responseSchema,
  responsesRequestSchema,
} from '../../functions/core/protocols/openai-responses/responses-schema.ts';
import { rerankRequestSchema, rerankResponseSchema } from '../../functions/core/protocols/rerank/rerank-schema.ts';
import {
  anthropicModelListSchema,
  anthropicModelSchema,
  geminiModelListSchema,
  geminiModelSchema,
  modelListSchema,
  modelSchema,
} from '../../functions/core/routing/model-lists.ts';
import { type Json, schemaRef } from './components.ts';
import * as examples from './examples.ts';
import { anyKey, BODY_ERRORS, GENERATION_ERRORS, jsonBody, KEY_ERRORS, pathId, trackingHeaders } from './operations.ts';
import { chatResponse, errorResponses, inspectedResponse, jsonResponse, PASSED_ON } from './responses.ts';

const IN_CLIENTS_FORMAT =
  "With the header `anthropic-version` the response and errors are in Anthropic's format, with `x-goog-api-key` in Google's.";
const anyOf = (...schemas: z.ZodType[]): Json => ({ anyOf: schemas.map(schemaRef) });

const oneModel = (operationId: string, parameters: Json[]): Json => ({
  parameters,
  get: {
    operationId,
    tags: ['Models'],
    summary: 'Read a model',
    description: IN_CLIENTS_FORMAT,
    security: anyKey(),
    responses: {
      200: jsonResponse('The model.', anyOf(modelSchema, anthropicModelSchema, geminiModelSchema), examples.model),
      ...errorResponses([...KEY_ERRORS, 'model_not_found']),
    },
  },
});

const oneGeminiModel = (operationId: string, parameters: Json[]): Json => ({
  parameters,
  get: {
    operationId,
    tags: ['Models'],
    summary: 'Read a model (Gemini)',
    description: "Errors have Google's format.",
    security: anyKey(),
    responses: {
      200: jsonResponse('The model.', schemaRef(geminiModelSchema), examples.geminiModel),
      ...errorResponses([...KEY_ERRORS, 'model_not_found']),
    },
  },
});

const query = (name: string, description: string): Json => ({
  ...{ name, in: 'query', description },
  schema: { type: 'string' },
});
const PROVIDER: Json = {
  ...{ name: 'provider', in: 'path', required: true, description: 'The provider.' },
  schema: { type: 'string' },
};

const gemini = (operationId: string): Json => ({
  parameters: [
    {
      name: 'call',
      in: 'path',
      required: true,
      description: '`{model}:generateContent`, or `{model}:streamGenerateContent` with `?alt=sse`.',
      schema: { type: 'string' },
    },
  ],
  post: {
    operationId,
    tags: ['Gemini'],
    summary: 'Generate content',
    description: "The response has `svc`; errors have Google's format. Needs the permission `chat_completions`.",
    security: anyKey(),
    parameters: trackingHeaders(),
    requestBody: jsonBody(schemaRef(geminiRequestSchema), { text: { value: examples.geminiRequest } }),
    responses: {
      200: chatResponse(schemaRef(geminiResponseSchema), schemaRef(geminiResponseSchema), {
        whole: examples.geminiResponse,
        stream: examples.geminiStream,
      }),
      ...errorResponses(GENERATION_ERRORS, true),
      '4XX': PASSED_ON,
    },
  },
});

/** The paths of OpenAI's other APIs and of Google's. */
export const OPENAI_PATHS: Readonly<Record<string, Json>> = {
  '/v1/responses': {
    post: {
      operationId: 'createResponse',
      tags: ['Responses'],
      summary: 'Create a response',
      description:
        'Requests to OpenAI are forwarded unchanged, to other providers translated. Needs the permission `chat_completions`.',
      security: anyKey(),
      parameters: trackingHeaders(),
      requestBody: jsonBody(schemaRef(responsesRequestSchema), {
        whole: { summary: 'Without a stream', value: examples.responsesRequest },
        stream: { summary: 'A stream', value: { ...examples.responsesRequest, stream: true } },
      }),
      responses: {
        200: chatResponse(
          schemaRef(responseSchema),
          schemaRef(responseEventSchema),
          { whole: examples.response, stream: examples.responseStream },
          {
            what: 'A response',
            end: 'an `event: ` line with its type precedes it; the last event has the whole response',
          },
        ),
        ...errorResponses([...GENERATION_ERRORS, 'not_found'], true),
        '4XX': PASSED_ON,
      },
    },
  },
  '/v1/completions': {
    post: {
      operationId: 'createCompletion',
      tags: ['Completions'],
      summary: 'Create a completion of a prompt',
      description:
        'Works like chat completions; providers with chats only get the prompt as one message. Needs the permission `completions`.',
      security: anyKey(),
      parameters: trackingHeaders(),
      requestBody: jsonBody(schemaRef(completionsRequestSchema), { prompt: { value: examples.completionsRequest } }),
      responses: {
        200: chatResponse(schemaRef(completionSchema), schemaRef(completionSchema), {
          whole: examples.completion,
          stream: examples.completionStream,
        }),
        ...errorResponses(GENERATION_ERRORS, true),
        '4XX': PASSED_ON,
      },
    },
  },
  '/v1/embeddings': {
    post: {
      operationId: 'createEmbedding',
      tags: ['Embeddings'],
      summary: 'Create embeddings',
      description:
        'Inspects the input and forwards it. Input as tokens is not inspected; `coverage.skipped` lists it. Needs the permission `embeddings`.',
      security: anyKey(),
      parameters: trackingHeaders(),
      requestBody: jsonBody(schemaRef(embeddingsRequestSchema), { text: { value: examples.embeddingsRequest } }),
      responses: {
        200: inspectedResponse('The vectors.', schemaRef(embeddingListSchema), examples.embeddingList),
        ...errorResponses(GENERATION_ERRORS, true),
        '4XX': PASSED_ON,
      },
    },
  },
  '/v1/rerank': {
    post: {
      operationId: 'rerank',
      tags: ['Embeddings'],
      summary: 'Rank documents for a query',
      description:
        "Cohere's API, which Jina, vLLM and others share. Inspects the query, and the documents as third-party text. Needs the permission `embeddings`.",
      security: anyKey(),
      parameters: trackingHeaders(),
      requestBody: jsonBody(schemaRef(rerankRequestSchema), { text: { value: examples.rerankRequest } }),
      responses: {
        200: inspectedResponse('The ranking.', schemaRef(rerankResponseSchema), examples.ranking),
        ...errorResponses(GENERATION_ERRORS, true),
        '4XX': PASSED_ON,
      },
    },
  },
  '/v1/moderations': {
    post: {
      operationId: 'createModeration',
      tags: ['Guard'],
      summary: 'Moderate texts',
      description:
        'Returns OpenAI’s categories, scored by the gateway; no provider is called. `svc` has attacks, which have no category. A call counts against the limits of the key.',
      security: anyKey(),
      parameters: trackingHeaders(),
      requestBody: jsonBody(schemaRef(moderationRequestSchema), { text: { value: examples.moderationRequest } }),
      responses: {
        200: inspectedResponse('One result for each text.', schemaRef(moderationResponseSchema), examples.moderation),
        ...errorResponses(
          [...BODY_ERRORS, ...KEY_ERRORS, 'idempotency_conflict', 'rate_limit_exceeded', 'insufficient_quota'],
          true,
        ),
      },
    },
  },
  '/v1/models': {
    get: {
      operationId: 'listModels',
      tags: ['Models'],
      summary: 'List models',
      description: `Aliases of routes, then the models that the configured providers report, as far as the key may use them. It consumes no limit. ${IN_CLIENTS_FORMAT} It then has pages.`,
      security: anyKey(),
      parameters: [
        query('limit', 'With `anthropic-version`: 1 to 1000, 20 by default.'),
        query('after_id', 'With `anthropic-version`: the last id of the page before.'),
        query('before_id', 'With `anthropic-version`: the first id of the page after.'),
        query('pageSize', 'With `x-goog-api-key`: 1 to 1000, 50 by default.'),
        query('pageToken', 'With `x-goog-api-key`: `nextPageToken` of the page before.'),
      ],
      responses: {
        200: jsonResponse(
          'The models.',
          anyOf(modelListSchema, anthropicModelListSchema, geminiModelListSchema),
          examples.modelList,
        ),
        ...errorResponses([...KEY_ERRORS, 'invalid_value']),
      },
    },
  },
  '/v1beta/models': {
    get: {
      operationId: 'listGeminiModels',
      tags: ['Models'],
      summary: 'List models (Gemini)',
      description: "The same models in Google's format, in pages. Errors have Google's format.",
      security: anyKey(),
      parameters: [
        query('pageSize', '1 to 1000, 50 by default.'),
        query('pageToken', '`nextPageToken` of the page before.'),
      ],
      responses: {
        200: jsonResponse('The models.', schemaRef(geminiModelListSchema), examples.geminiModelList),
        ...errorResponses([...KEY_ERRORS, 'invalid_value']),
      },
    },
  },
  '/v1beta/models/{id}': oneGeminiModel('getGeminiModel', [pathId('The id in the list of models.')]),
  '/v1beta/models/{provider}/{id}': oneGeminiModel('getGeminiModelOfProvider', [
    PROVIDER,
    pathId("The provider's name of the model."),
  ]),
  '/v1/models/{call}': gemini('generateContentV1'),
  '/v1beta/models/{call}': gemini('generateContent'),
  '/v1/models/{id}': oneModel('getModel', [pathId('The id in the list of models.')]),
  '/v1/models/{provider}/{id}': oneModel('getModelOfProvider', [PROVIDER, pathId("The provider's name of the model.")]),
};
