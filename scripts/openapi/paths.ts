import * as z from 'zod';
import {
  auditListSchema,
  captureSchema,
  createdKeySchema,
  createKeySchema,
  deploymentPolicySchema,
  endUserDeletionSchema,
  keyListSchema,
  keySchema,
  keyUsageSchema,
  markThreatSchema,
  policyReplaySchema,
  policyVersionListSchema,
  policyVersionSchema,
  replayRequestSchema,
  requestDetailSchema,
  requestListSchema,
  rotateKeySchema,
  sessionListSchema,
  sessionSchema,
  summarySchema,
  threatListSchema,
  threatSchema,
  timeseriesSchema,
  updateKeySchema,
} from '../../functions/admin-api/contract.ts';
import type { ErrorCode } from '../../functions/core/base/errors.ts';
import { ENVIRONMENTS, KEY_STATES } from '../../functions/core/model/api-key.ts';
import { requestCancellationSchema } from '../../functions/core/pipeline/running-streams.ts';
import {
  countTokensRequestSchema,
  messageEventSchema,
  messageSchema,
  messagesErrorSchema,
  messagesRequestSchema,
  tokenCountSchema,
} from '../../functions/core/protocols/anthropic-messages/messages-schema.ts';
import { geminiAnswerSchema, geminiRequestSchema } from '../../functions/core/protocols/gemini/gemini-schema.ts';
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
import {
  imageEventSchema,
  imagesRequestSchema,
  imagesSchema,
} from '../../functions/core/protocols/openai-images/images-protocol.ts';
import {
  responseEventSchema,
  responseSchema,
  responsesRequestSchema,
} from '../../functions/core/protocols/openai-responses/responses-schema.ts';
import {
  transcriptEventSchema,
  transcriptSchema,
} from '../../functions/core/protocols/openai-transcriptions/transcriptions-protocol.ts';
import { modelListSchema, modelSchema } from '../../functions/core/routing/list-models.ts';
import { ANALYTICS_PATHS } from './analytics-paths.ts';
import { type Json, schemaRef } from './components.ts';
import * as examples from './examples.ts';
import { MEDIA_PATHS } from './media-paths.ts';
import { MESSAGES_PATHS } from './messages-paths.ts';
import { OPENAI_PATHS } from './openai-paths.ts';
import {
  adminOperation,
  anyKey,
  BODY_ERRORS,
  GENERATION_ERRORS,
  jsonBody,
  KEY_ERRORS,
  PAGE_PARAMETERS,
  pathId,
  query,
  trackingHeaders,
} from './operations.ts';
import { chatAnswer, errorAnswers, inspectedAnswer, jsonAnswer, PASSED_ON } from './responses.ts';
import { SESSION_ANSWERS, SESSION_PATHS, SESSION_REQUESTS } from './session-paths.ts';
import { WEBHOOK_ANSWERS, WEBHOOK_PATHS, WEBHOOK_REQUESTS } from './webhook-paths.ts';

const healthSchema = z
  .object({ status: z.literal('ok'), version: z.string() })
  .meta({ id: 'Health', description: 'The process answers.' });

const readinessSchema = z
  .object({
    status: z.enum(['ok', 'unavailable']),
    stores: z.object({ keys: z.enum(['ok', 'unavailable']), limits: z.enum(['ok', 'unavailable']) }),
  })
  .meta({ id: 'Readiness', description: 'Which stores answer.' });

nameParts();

export const REQUEST_SCHEMAS = [
  chatRequestSchema,
  responsesRequestSchema,
  completionsRequestSchema,
  embeddingsRequestSchema,
  imagesRequestSchema,
  messagesRequestSchema,
  countTokensRequestSchema,
  moderationRequestSchema,
  geminiRequestSchema,
  guardRequestSchema,
  createKeySchema,
  updateKeySchema,
  rotateKeySchema,
  deploymentPolicySchema,
  replayRequestSchema,
  markThreatSchema,
  ...WEBHOOK_REQUESTS,
  ...SESSION_REQUESTS,
];
export const ANSWER_SCHEMAS = [
  chatCompletionSchema,
  chatCompletionChunkSchema,
  responseSchema,
  responseEventSchema,
  completionSchema,
  embeddingListSchema,
  imagesSchema,
  imageEventSchema,
  transcriptSchema,
  transcriptEventSchema,
  messageSchema,
  messageEventSchema,
  tokenCountSchema,
  messagesErrorSchema,
  moderationResponseSchema,
  requestCancellationSchema,
  geminiAnswerSchema,
  modelListSchema,
  modelSchema,
  guardResultSchema,
  keySchema,
  createdKeySchema,
  keyListSchema,
  keyUsageSchema,
  auditListSchema,
  policyVersionSchema,
  policyVersionListSchema,
  policyReplaySchema,
  endUserDeletionSchema,
  summarySchema,
  timeseriesSchema,
  requestDetailSchema,
  requestListSchema,
  captureSchema,
  threatListSchema,
  threatSchema,
  sessionListSchema,
  sessionSchema,
  ...WEBHOOK_ANSWERS,
  ...SESSION_ANSWERS,
  healthSchema,
  readinessSchema,
];

/** Headers that say something of a request; `trackingHeaders` in operations.ts refers to them. */
export const REQUEST_HEADERS: Readonly<Record<string, Json>> = {
  XSessionID: trackingHeader('X-Session-ID', 'Groups requests into a session of this name.'),
  XEndUserID: trackingHeader('X-End-User-ID', 'The end user on whose behalf the request is made.'),
  XUserID: trackingHeader('X-User-ID', 'Counts as X-End-User-ID where that is absent.'),
  XEnvironment: trackingHeader(
    'X-Environment',
    "A tag; it selects neither credentials nor policy. The key's where absent.",
  ),
  XAppVersion: trackingHeader('X-App-Version', 'A tag.'),
  IdempotencyKey: trackingHeader(
    'Idempotency-Key',
    'The same request again within 24 h is answered as the first was. Not for streams, where it is ignored.',
  ),
};

const chatCompletions: Json = {
  post: {
    operationId: 'createChatCompletion',
    tags: ['Chat'],
    summary: 'Create a chat completion',
    description:
      'Inspects the request, forwards it to the provider that `model` names, and inspects the answer while it comes. Needs the permission `chat_completions`.',
    security: anyKey(),
    parameters: trackingHeaders(),
    requestBody: jsonBody(schemaRef(chatRequestSchema), {
      whole: { summary: 'A whole answer', value: examples.chatRequest },
      stream: { summary: 'A stream with usage', value: examples.chatStreamRequest },
    }),
    responses: {
      200: chatAnswer(schemaRef(chatCompletionSchema), schemaRef(chatCompletionChunkSchema), {
        whole: examples.chatCompletion,
        stream: examples.chatStream,
      }),
      ...errorAnswers([...GENERATION_ERRORS], true),
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
      'Judges a text, a conversation or an answer. What would be blocked is told with status 200 too. Any valid key may; a call counts against its limit.',
    security: anyKey(),
    parameters: trackingHeaders(),
    requestBody: jsonBody(schemaRef(guardRequestSchema), {
      text: { summary: 'A text', value: examples.guardRequest },
      conversation: { summary: 'A conversation', value: { messages: examples.chatRequest.messages } },
      answer: { summary: 'An answer', value: { output: 'Hello' } },
    }),
    responses: {
      200: inspectedAnswer('What was found.', schemaRef(guardResultSchema), examples.guardResult),
      ...errorAnswers(
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
    summary: 'End a running stream',
    description:
      'Whichever function answers it; only with the key that made it. Its last event is then the error `request_cancelled`. One 404 for what is over, never was, and is of another key. Counts for no limit.',
    security: anyKey(),
    responses: {
      200: jsonAnswer('The stream was ended.', schemaRef(requestCancellationSchema), {
        id: 'req_3f0c9f0c54bb4b0d8a1c2a9d7e6b5f40',
        object: 'request.cancellation',
        status: 'cancelled',
      }),
      ...errorAnswers([...KEY_ERRORS, 'not_found']),
    },
  },
};

const adminKeys: Json = {
  get: {
    ...adminOperation(
      'listKeys',
      'List keys',
      'Newest first, revoked ones too. With filters a page may hold less than asked for although another follows.',
    ),
    parameters: [
      ...PAGE_PARAMETERS,
      query('search', 'A part of the name in any case, the id, or how the secret ends.', {
        type: 'string',
        minLength: 1,
        maxLength: 256,
      }),
      query('environment', 'In any case.', { type: 'string', enum: ENVIRONMENTS }),
      query('state', 'As it is now.', { type: 'string', enum: KEY_STATES }),
    ],
    responses: {
      200: jsonAnswer('A page of keys.', schemaRef(keyListSchema), examples.keyList),
      ...errorAnswers(['invalid_value', ...KEY_ERRORS]),
    },
  },
  post: {
    ...adminOperation('createKey', 'Make a key', 'The answer holds the secret, `key`: it is not shown again.'),
    requestBody: jsonBody(schemaRef(createKeySchema), { key: { value: examples.createKey } }),
    responses: {
      201: jsonAnswer('The new key with its secret.', schemaRef(createdKeySchema), examples.createdKey),
      ...errorAnswers([...BODY_ERRORS, ...KEY_ERRORS]),
    },
  },
};

const adminKey: Json = {
  parameters: [pathId('Id of the key.')],
  get: {
    ...adminOperation('getKey', 'Read a key'),
    responses: keyAnswers(),
  },
  patch: {
    ...adminOperation(
      'updateKey',
      'Change a key',
      'What is absent stays; an object such as `policy` is replaced whole. A revoked key is not found. A change counts everywhere within 30 s.',
    ),
    requestBody: jsonBody(schemaRef(updateKeySchema), { disable: { value: { state: 'disabled' } } }),
    responses: keyAnswers([...BODY_ERRORS, 'conflict']),
  },
  delete: {
    ...adminOperation(
      'revokeKey',
      'Revoke a key',
      'For good; the key stays listed. Answers the same when repeated. It counts everywhere within 30 s.',
    ),
    responses: keyAnswers(['conflict']),
  },
};

const adminKeyRotation: Json = {
  parameters: adminKey.parameters,
  post: {
    ...adminOperation(
      'rotateKey',
      'Give a key a new secret',
      'The answer holds the new secret, `key`: it is not shown again. The old one stays valid for the grace; its end counts everywhere at that time, with a grace of 0 within 30 s.',
    ),
    requestBody: {
      ...jsonBody(schemaRef(rotateKeySchema), { soon: { value: { graceSeconds: 3600 } } }),
      required: false,
    },
    responses: {
      200: jsonAnswer('The key with its new secret.', schemaRef(createdKeySchema), examples.createdKey),
      ...errorAnswers([...BODY_ERRORS, ...KEY_ERRORS, 'not_found', 'conflict']),
    },
  },
};

const adminKeyUsage: Json = {
  parameters: adminKey.parameters,
  get: {
    ...adminOperation('getKeyUsage', 'What a key has left', 'What its limits would admit now. Takes nothing of them.'),
    responses: {
      200: jsonAnswer('What is left.', schemaRef(keyUsageSchema), examples.keyUsage),
      ...errorAnswers([...KEY_ERRORS, 'not_found']),
    },
  },
};

const policy: Json = {
  get: {
    ...adminOperation(
      'getPolicy',
      "Read the deployment's policy",
      'It counts for every key, under what the key has of its own.',
    ),
    responses: {
      200: policyAnswer(),
      ...errorAnswers(KEY_ERRORS),
    },
  },
  put: {
    ...adminOperation(
      'putPolicy',
      "Put the deployment's policy",
      'A new version, which counts everywhere within 30 s; the old ones stay listed.',
    ),
    parameters: [
      {
        name: 'If-Match',
        in: 'header',
        description: 'The `ETag` of the version that this one is to replace; any where it is absent.',
        schema: { type: 'string' },
      },
    ],
    requestBody: jsonBody(schemaRef(deploymentPolicySchema), { policy: { value: examples.policy } }),
    responses: {
      200: policyAnswer(),
      ...errorAnswers([...BODY_ERRORS, ...KEY_ERRORS, 'conflict', 'version_conflict']),
    },
  },
};

const policyVersions: Json = {
  get: {
    ...adminOperation('listPolicyVersions', "Versions of the deployment's policy", 'Newest first.'),
    parameters: PAGE_PARAMETERS,
    responses: {
      200: jsonAnswer('A page of versions.', schemaRef(policyVersionListSchema), {
        object: 'list',
        data: [examples.policyVersion],
        nextCursor: null,
      }),
      ...errorAnswers(['invalid_value', ...KEY_ERRORS]),
    },
  },
};

const endUser: Json = {
  parameters: [
    { name: 'id', in: 'path', required: true, description: 'As `X-End-User-ID` had it.', schema: { type: 'string' } },
  ],
  delete: {
    ...adminOperation(
      'deleteEndUser',
      "Delete an end user's data",
      'All that is kept of requests on his behalf, whichever key they came by. Answers the same where there is nothing.',
    ),
    responses: {
      200: jsonAnswer('What was deleted.', schemaRef(endUserDeletionSchema), {
        object: 'end_user.deletion',
        deleted: { answers: 2 },
      }),
      ...errorAnswers(['invalid_value', ...KEY_ERRORS]),
    },
  },
};

const policyReplay: Json = {
  post: {
    ...adminOperation(
      'replayPolicy',
      'Try a policy on past requests',
      'Decides anew about requests by the findings of their records, or by their text where it was kept. Changes nothing.',
    ),
    requestBody: jsonBody(schemaRef(replayRequestSchema), { strict: { value: examples.replayRequest } }),
    responses: {
      200: jsonAnswer('What the policy would have changed.', schemaRef(policyReplaySchema), examples.policyReplay),
      ...errorAnswers([...BODY_ERRORS, ...KEY_ERRORS]),
    },
  },
};

const playgroundGuard: Json = {
  post: {
    ...adminOperation(
      'playgroundGuard',
      'Try an inspection',
      "Answers as the guard, by the deployment's policy or the one in the body. Leaves no record and counts for no limit; 256 KiB at most.",
    ),
    requestBody: jsonBody(schemaRef(guardRequestSchema), {
      text: { summary: 'A text', value: examples.guardRequest },
    }),
    responses: {
      200: jsonAnswer('What was found.', schemaRef(guardResultSchema), examples.guardResult),
      ...errorAnswers([...BODY_ERRORS, ...KEY_ERRORS]),
    },
  },
};

const audit: Json = {
  get: {
    ...adminOperation(
      'listAudit',
      'What administrators did',
      'Newest first. Each entry holds the hash of the one before.',
    ),
    parameters: PAGE_PARAMETERS,
    responses: {
      200: jsonAnswer('A page of the audit log.', schemaRef(auditListSchema), examples.auditList),
      ...errorAnswers(['invalid_value', ...KEY_ERRORS]),
    },
  },
};

export const PATHS: Readonly<Record<string, Json>> = {
  '/v1/chat/completions': chatCompletions,
  ...MESSAGES_PATHS,
  ...OPENAI_PATHS,
  ...MEDIA_PATHS,
  '/v1/guard': guard,
  '/v1/requests/{id}/cancel': cancellation,
  ...SESSION_PATHS,
  '/v1/admin/keys': adminKeys,
  '/v1/admin/keys/{id}': adminKey,
  '/v1/admin/keys/{id}/rotate': adminKeyRotation,
  '/v1/admin/keys/{id}/usage': adminKeyUsage,
  ...WEBHOOK_PATHS,
  '/v1/admin/policy': policy,
  '/v1/admin/policy/versions': policyVersions,
  '/v1/admin/policy/replay': policyReplay,
  '/v1/admin/playground/guard': playgroundGuard,
  '/v1/admin/end-users/{id}': endUser,
  '/v1/admin/audit': audit,
  ...ANALYTICS_PATHS,
  '/healthz': {
    get: {
      ...openOperation('getHealth', 'Liveness', 'Says nothing of the stores.'),
      responses: { 200: jsonAnswer('The process answers.', schemaRef(healthSchema)) },
    },
  },
  '/readyz': {
    get: {
      ...openOperation('getReadiness', 'Readiness', 'Asks every store.'),
      responses: {
        200: jsonAnswer('Every store answers.', schemaRef(readinessSchema)),
        503: jsonAnswer('A store does not answer; the body names it.', schemaRef(readinessSchema)),
      },
    },
  },
  '/openapi.json': {
    get: {
      ...openOperation('getOpenapi', 'This document'),
      responses: { 200: jsonAnswer('This document.', { type: 'object' }) },
    },
  },
};

/** Names the parts of the chat request that occur many times, so that the document says each once. */
function nameParts(): void {
  const message = chatRequestSchema.shape.messages.element;
  z.globalRegistry.add(message, { id: 'ChatMessage' });
  const [, parts] = message.options[0].shape.content.options;
  z.globalRegistry.add(parts.element, { id: 'ContentPart' });
}

function keyAnswers(errors: readonly ErrorCode[] = []): Json {
  return {
    200: jsonAnswer('The key.', schemaRef(keySchema), examples.key),
    ...errorAnswers([...errors, ...KEY_ERRORS, 'not_found']),
  };
}

function policyAnswer(): Json {
  const whole = jsonAnswer('The policy.', schemaRef(policyVersionSchema), examples.policyVersion);
  return { ...whole, headers: { ...(whole.headers as Json), ETag: { $ref: '#/components/headers/ETag' } } };
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
