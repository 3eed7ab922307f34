import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import * as z from 'zod';
import { adminRoutes, analyticsRoutes, signInRoutes } from '../../functions/admin-api/app.ts';
import { OPERATIONS } from '../../functions/contract/index.ts';
import { BackgroundTasks } from '../../functions/core/base/background-tasks.ts';
import { ERRORS } from '../../functions/core/base/errors.ts';
import type { Route } from '../../functions/core/http/router.ts';
import { Inspector } from '../../functions/core/inspect/inspector.ts';
import {
  countTokensRequestSchema,
  messageEventSchema,
  messageSchema,
  messagesErrorSchema,
  messagesRequestSchema,
  tokenCountSchema,
} from '../../functions/core/protocols/anthropic-messages/messages-schema.ts';
import { geminiCountResponseSchema } from '../../functions/core/protocols/gemini/gemini-count-tokens.ts';
import {
  geminiBatchEmbedResponseSchema,
  geminiEmbedRequestSchema,
  geminiEmbedResponseSchema,
} from '../../functions/core/protocols/gemini/gemini-embeddings.ts';
import { geminiRequestSchema, geminiResponseSchema } from '../../functions/core/protocols/gemini/gemini-schema.ts';
import {
  moderationRequestSchema,
  moderationResponseSchema,
} from '../../functions/core/protocols/inspection-schemas.ts';
import { chatRequestSchema } from '../../functions/core/protocols/openai-chat/chat-request-schema.ts';
import {
  chatCompletionChunkSchema,
  chatCompletionSchema,
  errorResponseSchema,
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
  geminiModelListSchema,
  modelListSchema,
} from '../../functions/core/routing/model-lists.ts';
import { composeGateway } from '../../functions/gateway/compose.ts';
import { GATEWAY_SETTINGS } from '../../functions/gateway/env.ts';
import { gatewayRoutes } from '../../functions/gateway/routes.ts';
import { LOCAL_TABLES } from '../../lib/local/create-resources.ts';
import { readLocalSettings } from '../../lib/settings/function-settings.ts';
import { openapiDocument, openapiText } from '../../scripts/openapi/document.ts';
import * as examples from '../../scripts/openapi/examples.ts';

interface Operation {
  readonly operationId: string;
  readonly security: readonly unknown[];
  readonly responses: Readonly<Record<string, { readonly description?: string; readonly $ref?: string }>>;
}
type PathItem = Readonly<Record<string, Operation>> & { readonly parameters?: readonly { name: string; in: string }[] };

const root = new URL('../../', import.meta.url);
const document = openapiDocument() as unknown as { readonly paths: Readonly<Record<string, PathItem>> };
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  METHODS.flatMap((method) => (item[method] ? [{ path, method, operation: item[method] }] : [])),
);

/** Whether a path is one of a pattern, such as `/v1/responses/compact` of `/v1/responses/{id}`. */
const isOf = (path: string, pattern: string) =>
  new RegExp(`^${pattern.replace(/\{\w+\}(?::\w+)?/g, '[^/]+')}$`).test(path);

/** Any dependency that a route may ask for while it is made: none is used before a request comes. */
const anything = new Proxy({}, { get: () => () => {} }) as never;
const named = (routes: readonly Route[]) => routes.map(({ method, path }) => `${method} ${path}`);

test('the committed document matches the schemas', () => {
  const committed = readFileSync(new URL('functions/gateway/openapi.generated.json', root), 'utf8');
  expect(committed === openapiText() ? 'fresh' : 'stale: npm run generate openapi').toBe('fresh');
});

test('the document names exactly the routes that the code has', () => {
  const documented = operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`);
  // Two APIs share the paths of models.
  expect(documented.sort()).toEqual(
    [
      ...new Set(named(gatewayRoutes(anything))),
      ...named(signInRoutes(anything)),
      ...named(adminRoutes(anything)),
      ...named(analyticsRoutes(anything)),
    ].sort(),
  );
});

afterEach(() => {
  jest.restoreAllMocks();
});

test('the gateway serves each of its documented paths with the documented methods', async () => {
  // Its request log.
  jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  const app = composeGateway({
    tables: LOCAL_TABLES,
    settings: readLocalSettings(GATEWAY_SETTINGS, {}),
    records: { lingerMs: 0, pendingIndex: false },
    eventsQueueUrl: 'http://127.0.0.1:9/queue',
    pepper: async () => 'pepper',
    providerSettings: async () => ({}),
    baseUrls: {},
    onProviderFault: () => {},
    echo: true,
    alone: true,
    maxBodyBytes: 1000,
    inspector: new Inspector([]),
    backgroundTasks: new BackgroundTasks(),
    telemetry: { otlpHeaders: async () => '', lingerMs: 0, stage: 'test' },
  });
  for (const path of Object.keys(document.paths)) {
    if (path.startsWith('/v1/admin/') || path.startsWith('/v1/analytics/')) continue;
    const answer = await app(new Request(`http://gateway${path}`, { method: 'PROPFIND' }), { clientAddress: '' });
    // Two methods of one address may name its parts differently.
    const alike = operations.filter((other) => isOf(path, other.path));
    const documented = [...new Set(alike.map(({ method }) => method.toUpperCase()))].sort();
    expect([path, answer.status, answer.headers.allow?.split(', ').sort()]).toEqual([path, 405, documented]);
  }
});

test('every reference resolves, and every component is used', () => {
  const references = [...openapiText().matchAll(/#\/components\/([\w/-]+)/g)].map(([, place = '']) => place);
  const { components } = openapiDocument() as { components: Record<string, Record<string, unknown>> };
  const places = Object.entries(components)
    .filter(([kind]) => kind !== 'securitySchemes')
    .flatMap(([kind, all]) => Object.keys(all).map((name) => `${kind}/${name}`));
  expect([...new Set(references)].sort()).toEqual(places.sort());
});

test('operations have unique ids, security, path parameters and described responses', () => {
  expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
  for (const { path, operation } of operations) {
    expect([path, Array.isArray(operation.security)]).toEqual([path, true]);
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect((document.paths[path]?.parameters ?? []).map(({ name }) => name)).toEqual(inPath);
    for (const response of Object.values(operation.responses)) expect(response.description).toBeTruthy();
  }
});

test('every error code is in the document, under its status', () => {
  for (const [code, { status }] of Object.entries(ERRORS)) {
    const statuses = operations.flatMap(({ operation }) =>
      Object.entries(operation.responses).flatMap(([at, { description = '' }]) =>
        description.includes(`\`${code}\` (`) ? [at] : [],
      ),
    );
    // Any path may meet it, and the document says so once, at its top.
    if (code === 'method_not_allowed') expect(statuses).toEqual([]);
    else expect([code, ...new Set(statuses)]).toEqual([code, String(status)]);
  }
});

describe('the examples fit the schemas', () => {
  test.each(Object.entries(OPERATIONS))('of %s', (_id, { body, response }) => {
    for (const { value } of Object.values(body?.examples ?? {})) {
      expect(body?.schema.safeParse(value).error).toBeUndefined();
    }
    if (response.body === undefined) return;
    expect(z.union([response.body].flat()).safeParse(response.example).error).toBeUndefined();
  });

  test.each([
    ['request', chatRequestSchema, examples.chatRequest],
    ['streamed request', chatRequestSchema, examples.chatStreamRequest],
    ['completion', chatCompletionSchema, examples.chatCompletion],
    ...examples.chatChunks.map((chunk, at) => [`chunk ${at}`, chatCompletionChunkSchema, chunk] as const),
    ['completions request', completionsRequestSchema, examples.completionsRequest],
    ['text completion', completionSchema, examples.completion],
    ['embeddings request', embeddingsRequestSchema, examples.embeddingsRequest],
    ['list of embeddings', embeddingListSchema, examples.embeddingList],
    ['rerank request', rerankRequestSchema, examples.rerankRequest],
    ['ranking', rerankResponseSchema, examples.ranking],
    ['images request', imagesRequestSchema, examples.imagesRequest],
    ['images', imagesSchema, examples.images],
    ...examples.imageEvents.map((event, at) => [`image event ${at}`, imageEventSchema, event] as const),
    ['edits request', imageEditsRequestSchema, examples.imageEditsRequest],
    ['edited images', imagesSchema, examples.editedImages],
    ['speech request', speechRequestSchema, examples.speechRequest],
    ...examples.speechEvents.map((event, at) => [`speech event ${at}`, speechEventSchema, event] as const),
    ['transcript', transcriptSchema, examples.transcript],
    ...examples.transcriptEvents.map((event, at) => [`transcript event ${at}`, transcriptEventSchema, event] as const),
    ['responses request', responsesRequestSchema, examples.responsesRequest],
    ['response', responseSchema, examples.response],
    ['deleted response', responseDeletionSchema, examples.responseDeletion],
    ['input of a response', inputItemListSchema, examples.inputItemList],
    ['compacted conversation', compactedResponseSchema, examples.compactedResponse],
    ['count of input tokens', inputTokenCountSchema, examples.inputTokenCount],
    ...examples.responseEvents.map((event, at) => [`response event ${at}`, responseEventSchema, event] as const),
    ['messages request', messagesRequestSchema, examples.messagesRequest],
    ['message', messageSchema, examples.message],
    ...examples.messageEvents.map((event, at) => [`event ${at}`, messageEventSchema, event] as const),
    ['request to count tokens', countTokensRequestSchema, examples.countTokensRequest],
    ['count of tokens', tokenCountSchema, examples.tokenCount],
    ['blocked message', messagesErrorSchema, examples.messagesBlocked],
    ['Gemini request', geminiRequestSchema, examples.geminiRequest],
    ['Gemini answer', geminiResponseSchema, examples.geminiResponse],
    ['Gemini count', geminiCountResponseSchema, examples.geminiCount],
    ['Gemini embedding request', geminiEmbedRequestSchema, examples.geminiEmbedRequest],
    ['Gemini embedding', geminiEmbedResponseSchema, examples.geminiEmbedResponse],
    ['Gemini embeddings', geminiBatchEmbedResponseSchema, examples.geminiBatchEmbedResponse],
    ['moderation request', moderationRequestSchema, examples.moderationRequest],
    ['moderation', moderationResponseSchema, examples.moderation],
    ['list of models', modelListSchema, examples.modelList],
    ["Anthropic's list of models", anthropicModelListSchema, examples.anthropicModelList],
    ["Google's list of models", geminiModelListSchema, examples.geminiModelList],
    ['blocked request', errorResponseSchema, examples.blocked],
    ['exceeded limit', errorResponseSchema, examples.rateLimited],
  ] as const)('%s', (_name, schema, example) => {
    expect(schema.safeParse(example).error).toBeUndefined();
  });
});
