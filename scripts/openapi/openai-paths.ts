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
import { modelListSchema, modelSchema } from '../../functions/core/routing/list-models.ts';
import { type Json, schemaRef } from './components.ts';
import * as examples from './examples.ts';
import { anyKey, BODY_ERRORS, GENERATION_ERRORS, jsonBody, KEY_ERRORS, pathId, trackingHeaders } from './operations.ts';
import { chatAnswer, errorResponses, inspectedResponse, jsonAnswer, PASSED_ON } from './responses.ts';

const oneModel = (operationId: string, parameters: Json[]): Json => ({
  parameters,
  get: {
    operationId,
    tags: ['Models'],
    summary: 'Read a model',
    security: anyKey(),
    responses: {
      200: jsonAnswer('The model.', schemaRef(modelSchema), examples.model),
      ...errorResponses([...KEY_ERRORS, 'model_not_found']),
    },
  },
});

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
    summary: "Google's generateContent",
    description:
      "Request, answer and events as Google documents them, `svc` added; errors in Google's shape. Needs the permission `chat_completions`.",
    security: anyKey(),
    parameters: trackingHeaders(),
    requestBody: jsonBody(schemaRef(geminiRequestSchema), { text: { value: examples.geminiRequest } }),
    responses: {
      200: chatAnswer(schemaRef(geminiResponseSchema), schemaRef(geminiResponseSchema), {
        whole: examples.geminiAnswer,
        stream: examples.geminiStream,
      }),
      ...errorResponses(GENERATION_ERRORS, true),
      '4XX': PASSED_ON,
    },
  },
});

/** What the gateway speaks besides OpenAI's chats. */
export const OPENAI_PATHS: Readonly<Record<string, Json>> = {
  '/v1/responses': {
    post: {
      operationId: 'createResponse',
      tags: ['Responses'],
      summary: 'Create a response',
      description:
        "OpenAI's Responses API: to OpenAI as it comes, to every other provider translated. Needs the permission `chat_completions`.",
      security: anyKey(),
      parameters: trackingHeaders(),
      requestBody: jsonBody(schemaRef(responsesRequestSchema), {
        whole: { summary: 'A whole answer', value: examples.responsesRequest },
        stream: { summary: 'A stream', value: { ...examples.responsesRequest, stream: true } },
      }),
      responses: {
        200: chatAnswer(
          schemaRef(responseSchema),
          schemaRef(responseEventSchema),
          { whole: examples.response, stream: examples.responseStream },
          {
            what: 'A response',
            end: 'before it stands `event: ` and its type; the last event holds the whole response',
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
      summary: 'Complete a prompt',
      description:
        'As a chat completion is; a provider that has only chats is asked the prompt as one message. Needs the permission `completions`.',
      security: anyKey(),
      parameters: trackingHeaders(),
      requestBody: jsonBody(schemaRef(completionsRequestSchema), { prompt: { value: examples.completionsRequest } }),
      responses: {
        200: chatAnswer(schemaRef(completionSchema), schemaRef(completionSchema), {
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
      summary: 'Embed texts',
      description:
        'Inspects the input, and forwards it. Tokens cannot be read: `coverage.skipped` says so. Needs the permission `embeddings`.',
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
  '/v1/moderations': {
    post: {
      operationId: 'createModeration',
      tags: ['Guard'],
      summary: 'Judge texts by OpenAI’s categories',
      description:
        'Answered by our own engine; no provider is called. Any valid key may; a call counts against its limit. Attacks, which have no category there, are in `svc`.',
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
      description:
        'Those of the providers that are set up, which the key may use. Any valid key may; it counts for no limit.',
      security: anyKey(),
      responses: {
        200: jsonAnswer('All of them.', schemaRef(modelListSchema), examples.modelList),
        ...errorResponses(KEY_ERRORS),
      },
    },
  },
  '/v1/models/{call}': gemini('generateContentV1'),
  '/v1beta/models/{call}': gemini('generateContent'),
  '/v1/models/{id}': oneModel('getModel', [pathId('The model as the list names it.')]),
  '/v1/models/{provider}/{id}': oneModel('getModelOfProvider', [
    { name: 'provider', in: 'path', required: true, description: 'The provider.', schema: { type: 'string' } },
    pathId("The model's name at its provider."),
  ]),
};
