import type { RequestHeaders } from '../core/base/request-headers.ts';
import type { OutgoingResponse } from '../core/http/responses.ts';
import { type IncomingRequest, pathOf, type Route, type RoutedRequest } from '../core/http/router.ts';
import type { Permission } from '../core/model/api-key.ts';
import { runGuard } from '../core/pipeline/run-guard.ts';
import { runModeration } from '../core/pipeline/run-moderation.ts';
import { withOpenAiHeaders } from '../core/protocols/bodies/protocol-headers.ts';
import { anthropicError, geminiError } from '../core/protocols/error-shapes.ts';
import { CHAT_PROTOCOL } from '../core/protocols/openai-chat/chat-protocol.ts';
import type { OperationName, Protocol, StoredCall } from '../core/protocols/protocol.ts';
import { ANTHROPIC_MODELS, GEMINI_MODELS, type ModelApi, OPENAI_MODELS } from '../core/routing/model-lists.ts';
import type { RouteOptions } from './open-request.ts';
import {
  type GenerationRouteDeps,
  generationRoute,
  type Inspect,
  inspectionRoute,
  type RouteApi,
} from './pipeline-routes.ts';
import {
  cancelRequest,
  getHealth,
  getModel,
  getOpenapi,
  getReadiness,
  listModels,
  type ModelRoutesDeps,
  type ServiceRoutesDeps,
} from './service-routes.ts';

export interface GatewayRouteDeps extends GenerationRouteDeps, ModelRoutesDeps, ServiceRoutesDeps {}

/** A route with a response from a model. */
interface GenerationEntry extends RouteOptions {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly operation: OperationName;
  /** Another header in which the API's clients look for the request id. */
  readonly requestIdHeader?: string;
}

/** A route with a response from the gateway's own engine; any valid key may call it. */
interface InspectionEntry {
  readonly method: 'POST';
  readonly path: string;
  readonly inspect: Inspect;
}

/** Any other route. */
interface ServiceEntry extends Pick<Route, 'errorShape' | 'requestIdHeader' | 'isFor'> {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Served to anyone, whichever way the request came. */
  readonly open?: true;
  readonly handler: (deps: GatewayRouteDeps) => (routed: RoutedRequest) => Promise<OutgoingResponse>;
}

/** An API whose requests have OpenAI's headers. */
function openAi(api: Protocol<unknown> | StoredCall): RouteApi {
  return ({ request }) => withOpenAiHeaders(api, request.headers);
}

const stored = () => import('../core/protocols/openai-responses/stored-responses.ts');
const compaction = () => import('../core/protocols/openai-responses/compaction-protocol.ts');
const transcripts = () => import('../core/protocols/openai-transcriptions/transcriptions-protocol.ts');
const messages = () => import('../core/protocols/anthropic-messages/messages-protocol.ts');
const geminiVectors = () => import('../core/protocols/gemini/gemini-embeddings.ts');

/** What clients may ask for. All APIs except the most used one are loaded at their first request. */
export const OPERATIONS: Readonly<Record<OperationName, () => Promise<RouteApi>>> = {
  'openai-chat': async () => openAi(CHAT_PROTOCOL),
  'openai-completions': async () =>
    openAi((await import('../core/protocols/openai-completions/completions-protocol.ts')).COMPLETIONS_PROTOCOL),
  'openai-embeddings': async () =>
    openAi((await import('../core/protocols/openai-embeddings/embeddings-protocol.ts')).EMBEDDINGS_PROTOCOL),
  'openai-images': async () =>
    openAi((await import('../core/protocols/openai-images/images-protocol.ts')).IMAGES_PROTOCOL),
  'openai-image-edits': async () =>
    openAi((await import('../core/protocols/openai-images/image-edits-protocol.ts')).IMAGE_EDITS_PROTOCOL),
  'openai-transcriptions': async () => openAi((await transcripts()).TRANSCRIPTIONS_PROTOCOL),
  'openai-translations': async () => openAi((await transcripts()).TRANSLATIONS_PROTOCOL),
  'openai-speech': async () =>
    openAi((await import('../core/protocols/openai-speech/speech-protocol.ts')).SPEECH_PROTOCOL),
  rerank: async () => {
    const { RERANK_PROTOCOL } = await import('../core/protocols/rerank/rerank-protocol.ts');
    return () => RERANK_PROTOCOL;
  },
  'openai-responses': async () =>
    openAi((await import('../core/protocols/openai-responses/responses-protocol.ts')).RESPONSES_PROTOCOL),
  'openai-response': async () => openAi((await stored()).RESPONSE_CALL),
  'openai-response-deletion': async () => openAi((await stored()).DELETION_CALL),
  'openai-response-cancellation': async () => openAi((await stored()).CANCELLATION_CALL),
  'openai-response-input': async () => openAi((await stored()).INPUT_ITEMS_CALL),
  'openai-compaction': async () => openAi((await compaction()).COMPACTION_PROTOCOL),
  'openai-input-tokens': async () => openAi((await compaction()).INPUT_TOKENS_PROTOCOL),
  'anthropic-messages': async () => {
    const { asSelected, MESSAGES_PROTOCOL } = await messages();
    return ({ request }) => asSelected(MESSAGES_PROTOCOL, request);
  },
  'anthropic-count-tokens': async () => {
    const { asSelected, COUNT_TOKENS_PROTOCOL } = await messages();
    return ({ request }) => asSelected(COUNT_TOKENS_PROTOCOL, request);
  },
  'gemini-count-tokens': async () => {
    const { geminiCountProtocol } = await import('../core/protocols/gemini/gemini-count-tokens.ts');
    return ({ params: { model = '' } }) => geminiCountProtocol(model);
  },
  'gemini-embed-content': async () => {
    const { geminiEmbedProtocol } = await geminiVectors();
    return ({ params: { model = '' } }) => geminiEmbedProtocol(model);
  },
  'gemini-batch-embed-contents': async () => {
    const { geminiBatchEmbedProtocol } = await geminiVectors();
    return ({ params: { model = '' } }) => geminiBatchEmbedProtocol(model);
  },
  gemini: async () => (await import('../core/protocols/gemini/gemini-protocol.ts')).geminiProtocolOf,
};

/** What calls about a stored response share. */
const STORED = { permission: 'chat_completions', body: 'none' } as const;

/** The error format and request id header for Anthropic's clients. */
const ANTHROPIC = { errorShape: anthropicError, requestIdHeader: 'request-id' } as const;

/**
 * Every route of the gateway. If two paths match a request, the first wins. Further paths of an operation share the documentation of its
 * first (`npm run generate openapi`).
 */
export const ROUTES: readonly (GenerationEntry | InspectionEntry | ServiceEntry)[] = [
  { method: 'POST', path: '/v1/chat/completions', operation: 'openai-chat', permission: 'chat_completions' },
  { method: 'POST', path: '/v1/completions', operation: 'openai-completions', permission: 'completions' },
  { method: 'POST', path: '/v1/embeddings', operation: 'openai-embeddings', permission: 'embeddings' },
  { method: 'POST', path: '/v1/rerank', operation: 'rerank', permission: 'embeddings' },
  { method: 'POST', path: '/v1/images/generations', operation: 'openai-images', permission: 'images' },
  {
    method: 'POST',
    path: '/v1/images/edits',
    operation: 'openai-image-edits',
    permission: 'images',
    body: 'form or JSON',
  },
  {
    method: 'POST',
    path: '/v1/audio/transcriptions',
    operation: 'openai-transcriptions',
    permission: 'audio',
    body: 'form',
  },
  {
    method: 'POST',
    path: '/v1/audio/translations',
    operation: 'openai-translations',
    permission: 'audio',
    body: 'form',
  },
  { method: 'POST', path: '/v1/audio/speech', operation: 'openai-speech', permission: 'audio' },
  { method: 'POST', path: '/v1/responses', operation: 'openai-responses', permission: 'chat_completions' },
  { method: 'POST', path: '/v1/responses/compact', operation: 'openai-compaction', permission: 'chat_completions' },
  {
    method: 'POST',
    path: '/v1/responses/input_tokens',
    operation: 'openai-input-tokens',
    permission: 'chat_completions',
  },
  { method: 'GET', path: '/v1/responses/{id}', operation: 'openai-response', ...STORED },
  { method: 'DELETE', path: '/v1/responses/{id}', operation: 'openai-response-deletion', ...STORED },
  { method: 'POST', path: '/v1/responses/{id}/cancel', operation: 'openai-response-cancellation', ...STORED },
  { method: 'GET', path: '/v1/responses/{id}/input_items', operation: 'openai-response-input', ...STORED },
  {
    method: 'POST',
    path: '/v1/messages',
    operation: 'anthropic-messages',
    permission: 'chat_completions',
    ...ANTHROPIC,
  },
  {
    method: 'POST',
    path: '/v1/messages/count_tokens',
    operation: 'anthropic-count-tokens',
    permission: 'chat_completions',
    ...ANTHROPIC,
  },
  ...geminiRoutes('/v1/models'),
  // The path that Google's SDK uses.
  ...geminiRoutes('/v1beta/models'),
  { method: 'POST', path: '/v1/requests/{id}/cancel', handler: cancelRequest },
  { method: 'POST', path: '/v1/guard', inspect: runGuard },
  { method: 'POST', path: '/v1/moderations', inspect: runModeration },
  ...modelRoutes('/v1/models', ANTHROPIC_MODELS, { isFor: isAnthropicClient, ...ANTHROPIC }),
  // The path that Google's SDK uses.
  ...modelRoutes('/v1/models', GEMINI_MODELS, { isFor: isGoogleClient, errorShape: geminiError }),
  ...modelRoutes('/v1/models', OPENAI_MODELS),
  ...modelRoutes('/v1beta/models', GEMINI_MODELS, { errorShape: geminiError }),
  { method: 'GET', path: '/healthz', open: true, handler: getHealth },
  { method: 'GET', path: '/readyz', handler: getReadiness },
  { method: 'GET', path: '/openapi.json', handler: getOpenapi },
];

function geminiRoutes(path: string): GenerationEntry[] {
  const call = (name: string, operation: OperationName, permission: Permission): GenerationEntry => ({
    ...{ method: 'POST', path: `${path}/${name}`, operation, permission, errorShape: geminiError },
  });
  return [
    call('{model}:countTokens', 'gemini-count-tokens', 'chat_completions'),
    call('{model}:embedContent', 'gemini-embed-content', 'embeddings'),
    call('{model}:batchEmbedContents', 'gemini-batch-embed-contents', 'embeddings'),
    call('{call}', 'gemini', 'chat_completions'),
  ];
}

function modelRoutes(
  path: string,
  api: ModelApi,
  options: Pick<ServiceEntry, 'errorShape' | 'requestIdHeader' | 'isFor'> = {},
): ServiceEntry[] {
  return [
    { method: 'GET', path, ...options, handler: listModels(api) },
    { method: 'GET', path: `${path}/{id}`, ...options, handler: getModel(api) },
    { method: 'GET', path: `${path}/{provider}/{id}`, ...options, handler: getModel(api) },
  ];
}

/** How the API that a client seems to use shows the error of an unknown path. */
export function errorsOfUnknownPath({
  url,
  headers,
}: Pick<IncomingRequest, 'url' | 'headers'>): Pick<Route, 'errorShape' | 'requestIdHeader'> {
  const path = `${pathOf(url)}/`;
  if (path.startsWith('/v1beta/')) return { errorShape: geminiError };
  return path.startsWith('/v1/messages/') || isAnthropicClient(headers) ? ANTHROPIC : {};
}

/** Each of Anthropic's clients sends the version of its API. */
function isAnthropicClient(headers: RequestHeaders): boolean {
  return headers.get('anthropic-version') !== null;
}

/** Google's clients send the key in a header of theirs. */
function isGoogleClient(headers: RequestHeaders): boolean {
  return headers.get('x-goog-api-key') !== null;
}

/** The routes of the table, in its order. */
export function gatewayRoutes(deps: GatewayRouteDeps): Route[] {
  return ROUTES.map((entry): Route => {
    if ('operation' in entry) return generationRoute({ ...entry, api: OPERATIONS[entry.operation] }, deps);
    if ('inspect' in entry) return inspectionRoute(entry.path, entry.inspect, deps);
    const { handler, ...route } = entry;
    return { ...route, handle: handler(deps) };
  });
}
