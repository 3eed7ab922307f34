import * as z from 'zod';
import { playgroundOperations } from '../../functions/admin-api/routes/playground.ts';
import { OPERATIONS } from '../../functions/contract/index.ts';
import { requestCancellationSchema } from '../../functions/core/pipeline/running-streams.ts';
import {
  countTokensRequestSchema,
  messageEventSchema,
  messageSchema,
  messagesErrorSchema,
  messagesRequestSchema,
  tokenCountSchema,
} from '../../functions/core/protocols/anthropic-messages/messages-schema.ts';
import { geminiRequestSchema, geminiResponseSchema } from '../../functions/core/protocols/gemini/gemini-schema.ts';
import {
  guardRequestSchema,
  guardResultSchema,
  moderationRequestSchema,
  moderationResponseSchema,
} from '../../functions/core/protocols/inspection-schemas.ts';
import { chatRequestSchema } from '../../functions/core/protocols/openai-chat/chat-request-schema.ts';
import {
  chatCompletionChunkSchema,
  chatCompletionSchema,
} from '../../functions/core/protocols/openai-chat/chat-response-schema.ts';
import {
  completionSchema,
  completionsRequestSchema,
} from '../../functions/core/protocols/openai-completions/completions-protocol.ts';
import {
  embeddingListSchema,
  embeddingsRequestSchema,
} from '../../functions/core/protocols/openai-embeddings/embeddings-schema.ts';
import { imageEditsRequestSchema } from '../../functions/core/protocols/openai-images/image-edits-protocol.ts';
import {
  imageEventSchema,
  imagesRequestSchema,
  imagesSchema,
} from '../../functions/core/protocols/openai-images/images-protocol.ts';
import {
  compactedResponseSchema,
  inputItemListSchema,
  inputTokenCountSchema,
  responseDeletionSchema,
  responseEventSchema,
  responseSchema,
  responsesRequestSchema,
} from '../../functions/core/protocols/openai-responses/responses-schema.ts';
import {
  speechEventSchema,
  speechRequestSchema,
} from '../../functions/core/protocols/openai-speech/speech-protocol.ts';
import {
  transcriptEventSchema,
  transcriptSchema,
} from '../../functions/core/protocols/openai-transcriptions/transcriptions-protocol.ts';
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
import { GEMINI_PATHS, GEMINI_REQUESTS, GEMINI_RESPONSES } from './gemini-paths.ts';
import { MEDIA_PATHS } from './media-paths.ts';
import { MESSAGES_PATHS } from './messages-paths.ts';
import { OPENAI_PATHS } from './openai-paths.ts';
import {
  anyKey,
  BODY_ERRORS,
  GENERATION_ERRORS,
  jsonBody,
  KEY_ERRORS,
  pathId,
  pathsOf,
  schemasOf,
  trackingHeaders,
} from './operations.ts';
import { chatResponse, errorResponses, inspectedResponse, jsonResponse, PASSED_ON } from './responses.ts';
import { STORED_RESPONSE_PATHS } from './stored-response-paths.ts';

const healthSchema = z
  .object({ status: z.literal('ok'), version: z.string() })
  .meta({ id: 'Health', description: 'The process is running.' });

const stateSchema = z.enum(['ok', 'unavailable']);
const readinessSchema = z
  .object({
    status: stateSchema,
    stores: z.object({ keys: stateSchema, limits: stateSchema, events: stateSchema }),
    processes: z
      .record(z.string(), stateSchema)
      .optional()
      .describe('The helper processes of a local run. Absent in a deployment.'),
  })
  .meta({ id: 'Readiness', description: 'The state of each store.' });

nameParts();

const ADMIN_OPERATIONS = { ...OPERATIONS, ...playgroundOperations };

export const REQUEST_SCHEMAS = [
  chatRequestSchema,
  responsesRequestSchema,
  completionsRequestSchema,
  embeddingsRequestSchema,
  rerankRequestSchema,
  imagesRequestSchema,
  imageEditsRequestSchema,
  speechRequestSchema,
  messagesRequestSchema,
  countTokensRequestSchema,
  moderationRequestSchema,
  geminiRequestSchema,
  ...GEMINI_REQUESTS,
  guardRequestSchema,
  ...schemasOf(ADMIN_OPERATIONS).requests,
];

export const RESPONSE_SCHEMAS = [
  responseDeletionSchema,
  inputItemListSchema,
  compactedResponseSchema,
  inputTokenCountSchema,
  chatCompletionSchema,
  chatCompletionChunkSchema,
  responseSchema,
  responseEventSchema,
  completionSchema,
  embeddingListSchema,
  rerankResponseSchema,
  imagesSchema,
  imageEventSchema,
  transcriptSchema,
  transcriptEventSchema,
  speechEventSchema,
  messageSchema,
  messageEventSchema,
  tokenCountSchema,
  messagesErrorSchema,
  moderationResponseSchema,
  requestCancellationSchema,
  geminiResponseSchema,
  ...GEMINI_RESPONSES,
  modelListSchema,
  modelSchema,
  anthropicModelListSchema,
  anthropicModelSchema,
  geminiModelListSchema,
  geminiModelSchema,
  guardResultSchema,
  ...schemasOf(ADMIN_OPERATIONS).responses,
  healthSchema,
  readinessSchema,
];

/** Headers that describe a request; `trackingHeaders` in operations.ts refers to them. */
export const REQUEST_HEADERS: Readonly<Record<string, Json>> = {
  XSessionID: trackingHeader('X-Session-ID', 'The name of a session of this key; groups requests.'),
  XEndUserID: trackingHeader('X-End-User-ID', 'The id of the end user that the request is for.'),
  XUserID: trackingHeader('X-User-ID', 'Same as `X-End-User-ID`, if that is absent.'),
  XEnvironment: trackingHeader(
    'X-Environment',
    "A tag for records and events, by default the key's environment. It selects neither credentials nor policy.",
  ),
  XAppVersion: trackingHeader('X-App-Version', 'A tag for records and events.'),
  IdempotencyKey: trackingHeader(
    'Idempotency-Key',
    'Repeating the request within 24 h returns the first response again. Ignored for streams and speech.',
  ),
};

const chatCompletions: Json = {
  post: {
    operationId: 'createChatCompletion',
    tags: ['Chat'],
    summary: 'Create a chat completion',
    description:
      'Inspects the request, forwards it to the provider of `model`, and inspects the response. Needs the permission `chat_completions`.',
    security: anyKey(),
    parameters: trackingHeaders(),
    requestBody: jsonBody(schemaRef(chatRequestSchema), {
      whole: { summary: 'Without a stream', value: examples.chatRequest },
      stream: { summary: 'A stream with usage', value: examples.chatStreamRequest },
    }),
    responses: {
      200: chatResponse(schemaRef(chatCompletionSchema), schemaRef(chatCompletionChunkSchema), {
        whole: examples.chatCompletion,
        stream: examples.chatStream,
      }),
      ...errorResponses([...GENERATION_ERRORS], true),
      '4XX': PASSED_ON,
    },
  },
};

const guard: Json = {
  post: {
    operationId: 'guard',
    tags: ['Guard'],
    summary: 'Inspect without a provider',
    description:
      'Inspects a text, a conversation or a response. The status is 200 for blocked content too. A call counts against the limits of the key.',
    security: anyKey(),
    parameters: trackingHeaders(),
    requestBody: jsonBody(schemaRef(guardRequestSchema), {
      text: { summary: 'A text', value: examples.guardRequest },
      conversation: { summary: 'A conversation', value: { messages: examples.chatRequest.messages } },
      output: { summary: 'A response', value: { output: 'Hello' } },
    }),
    responses: {
      200: inspectedResponse('The findings.', schemaRef(guardResultSchema), examples.guardResult),
      ...errorResponses(
        [...BODY_ERRORS, ...KEY_ERRORS, 'idempotency_conflict', 'rate_limit_exceeded', 'insufficient_quota'],
        true,
      ),
    },
  },
};

const cancellation: Json = {
  parameters: [pathId('The `X-Request-Id` of the stream.')],
  post: {
    operationId: 'cancelRequest',
    tags: ['Chat'],
    summary: 'Cancel a running stream',
    description:
      'Needs the key that started the stream. The last event of the stream is then the error `request_cancelled`. A stream that has ended, is unknown or has another key is a 404. Consumes no limit.',
    security: anyKey(),
    responses: {
      200: jsonResponse('The stream is cancelled.', schemaRef(requestCancellationSchema), {
        id: 'req_3f0c9f0c54bb4b0d8a1c2a9d7e6b5f40',
        object: 'request.cancellation',
        status: 'cancelled',
      }),
      ...errorResponses([...KEY_ERRORS, 'not_found']),
    },
  },
};

export const PATHS: Readonly<Record<string, Json>> = {
  '/v1/chat/completions': chatCompletions,
  ...MESSAGES_PATHS,
  ...OPENAI_PATHS,
  ...STORED_RESPONSE_PATHS,
  ...GEMINI_PATHS,
  ...MEDIA_PATHS,
  '/v1/guard': guard,
  '/v1/requests/{id}/cancel': cancellation,
  ...pathsOf(ADMIN_OPERATIONS),
  '/healthz': {
    get: {
      ...openOperation('getHealth', 'Check liveness', 'Does not check the stores.'),
      responses: { 200: jsonResponse('The process is running.', schemaRef(healthSchema)) },
    },
  },
  '/readyz': {
    get: {
      ...openOperation(
        'getReadiness',
        'Check readiness',
        'Checks every store and, on one machine, every helper process.',
      ),
      responses: {
        200: jsonResponse('All are available.', schemaRef(readinessSchema)),
        503: jsonResponse('One is unavailable; the body names it.', schemaRef(readinessSchema)),
      },
    },
  },
  '/openapi.json': {
    get: {
      ...openOperation('getOpenapi', 'Read this OpenAPI document'),
      responses: { 200: jsonResponse('This document.', { type: 'object' }) },
    },
  },
};

/** Gives repeated parts of the chat request an id, so that the document has each once. */
function nameParts(): void {
  const message = chatRequestSchema.shape.messages.element;
  z.globalRegistry.add(message, { id: 'ChatMessage' });
  const [, parts] = message.options[0].shape.content.options;
  z.globalRegistry.add(parts.element, { id: 'ContentPart' });
}

function openOperation(operationId: string, summary: string, description?: string): Json {
  return { operationId, tags: ['Service'], summary, ...(description !== undefined && { description }), security: [] };
}

function trackingHeader(name: string, description: string): Json {
  return {
    name,
    in: 'header',
    description: `${description} At most 256 visible ASCII characters.`,
    schema: { type: 'string', maxLength: 256 },
  };
}
