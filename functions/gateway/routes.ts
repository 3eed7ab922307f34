import type { RequestHeaders } from '../core/base/request-headers.ts';
import type { OutgoingResponse } from '../core/http/responses.ts';
import { type IncomingRequest, pathOf, type Route, type RoutedRequest } from '../core/http/router.ts';
import type { Permission } from '../core/model/api-key.ts';
import { runGuard } from '../core/pipeline/run-guard.ts';
import { runModeration } from '../core/pipeline/run-moderation.ts';
import { anthropicError, geminiError } from '../core/protocols/error-shapes.ts';
import { CHAT_PROTOCOL } from '../core/protocols/openai-chat/chat-protocol.ts';
import type { Protocol, ProtocolName } from '../core/protocols/protocol.ts';
import { ANTHROPIC_MODELS, GEMINI_MODELS, type ModelApi, OPENAI_MODELS } from '../core/routing/model-lists.ts';
import type { RouteOptions } from './open-request.ts';
import { type GenerationRouteDeps, generationRoute, type Inspect, inspectionRoute } from './pipeline-routes.ts';
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
  readonly protocol: ProtocolName;
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

/** The protocols that clients may use. All except the most used one are loaded at their first request. */
export const PROTOCOLS: Readonly<Record<ProtocolName, () => Promise<Protocol<unknown>>>> = {
  'openai-chat': async () => CHAT_PROTOCOL,
  'openai-completions': async () =>
    (await import('../core/protocols/openai-completions/completions-protocol.ts')).COMPLETIONS_PROTOCOL,
  'openai-embeddings': async () =>
    (await import('../core/protocols/openai-embeddings/embeddings-protocol.ts')).EMBEDDINGS_PROTOCOL,
  'openai-images': async () => (await import('../core/protocols/openai-images/images-protocol.ts')).IMAGES_PROTOCOL,
  'openai-transcriptions': async () =>
    (await import('../core/protocols/openai-transcriptions/transcriptions-protocol.ts')).TRANSCRIPTIONS_PROTOCOL,
  'openai-image-edits': async () =>
    (await import('../core/protocols/openai-images/image-edits-protocol.ts')).IMAGE_EDITS_PROTOCOL,
  'openai-translations': async () =>
    (await import('../core/protocols/openai-transcriptions/transcriptions-protocol.ts')).TRANSLATIONS_PROTOCOL,
  'openai-speech': async () => (await import('../core/protocols/openai-speech/speech-protocol.ts')).SPEECH_PROTOCOL,
  rerank: async () => (await import('../core/protocols/rerank/rerank-protocol.ts')).RERANK_PROTOCOL,
  'openai-responses': async () =>
    (await import('../core/protocols/openai-responses/responses-protocol.ts')).RESPONSES_PROTOCOL,
  'openai-response': async () =>
    (await import('../core/protocols/openai-responses/stored-responses.ts')).RESPONSE_PROTOCOL,
  'openai-response-deletion': async () =>
    (await import('../core/protocols/openai-responses/stored-responses.ts')).DELETION_PROTOCOL,
  'openai-response-cancellation': async () =>
    (await import('../core/protocols/openai-responses/stored-responses.ts')).CANCELLATION_PROTOCOL,
  'openai-response-input': async () =>
    (await import('../core/protocols/openai-responses/stored-responses.ts')).INPUT_ITEMS_PROTOCOL,
  'openai-compaction': async () =>
    (await import('../core/protocols/openai-responses/compaction-protocol.ts')).COMPACTION_PROTOCOL,
  'openai-input-tokens': async () =>
    (await import('../core/protocols/openai-responses/compaction-protocol.ts')).INPUT_TOKENS_PROTOCOL,
  'anthropic-messages': async () =>
    (await import('../core/protocols/anthropic-messages/messages-protocol.ts')).MESSAGES_PROTOCOL,
  'anthropic-count-tokens': async () =>
    (await import('../core/protocols/anthropic-messages/messages-protocol.ts')).COUNT_TOKENS_PROTOCOL,
  'gemini-count-tokens': async () =>
    (await import('../core/protocols/gemini/gemini-count-tokens.ts')).GEMINI_COUNT_PROTOCOL,
  'gemini-embed-content': async () =>
    (await import('../core/protocols/gemini/gemini-embeddings.ts')).GEMINI_EMBED_PROTOCOL,
  'gemini-batch-embed-contents': async () =>
    (await import('../core/protocols/gemini/gemini-embeddings.ts')).GEMINI_BATCH_EMBED_PROTOCOL,
  gemini: async () => (await import('../core/protocols/gemini/gemini-protocol.ts')).GEMINI_PROTOCOL,
};

/** What calls about a stored response share. */
const STORED = { permission: 'chat_completions', body: 'none' } as const;

/** The error format and request id header for Anthropic's clients. */
const ANTHROPIC = { errorShape: anthropicError, requestIdHeader: 'request-id' } as const;

/**
 * Every route of the gateway. If two paths match a request, the first wins. Further paths of a protocol share the documentation of its
 * first (`npm run generate openapi`).
 */
export const ROUTES: readonly (GenerationEntry | InspectionEntry | ServiceEntry)[] = [
  { method: 'POST', path: '/v1/chat/completions', protocol: 'openai-chat', permission: 'chat_completions' },
  { method: 'POST', path: '/v1/completions', protocol: 'openai-completions', permission: 'completions' },
  { method: 'POST', path: '/v1/embeddings', protocol: 'openai-embeddings', permission: 'embeddings' },
  { method: 'POST', path: '/v1/rerank', protocol: 'rerank', permission: 'embeddings' },
  { method: 'POST', path: '/v1/images/generations', protocol: 'openai-images', permission: 'images' },
  {
    method: 'POST',
    path: '/v1/images/edits',
    protocol: 'openai-image-edits',
    permission: 'images',
    body: 'form or JSON',
  },
  {
    method: 'POST',
    path: '/v1/audio/transcriptions',
    protocol: 'openai-transcriptions',
    permission: 'audio',
    body: 'form',
  },
  {
    method: 'POST',
    path: '/v1/audio/translations',
    protocol: 'openai-translations',
    permission: 'audio',
    body: 'form',
  },
  { method: 'POST', path: '/v1/audio/speech', protocol: 'openai-speech', permission: 'audio' },
  { method: 'POST', path: '/v1/responses', protocol: 'openai-responses', permission: 'chat_completions' },
  { method: 'POST', path: '/v1/responses/compact', protocol: 'openai-compaction', permission: 'chat_completions' },
  {
    method: 'POST',
    path: '/v1/responses/input_tokens',
    protocol: 'openai-input-tokens',
    permission: 'chat_completions',
  },
  { method: 'GET', path: '/v1/responses/{id}', protocol: 'openai-response', ...STORED },
  { method: 'DELETE', path: '/v1/responses/{id}', protocol: 'openai-response-deletion', ...STORED },
  { method: 'POST', path: '/v1/responses/{id}/cancel', protocol: 'openai-response-cancellation', ...STORED },
  { method: 'GET', path: '/v1/responses/{id}/input_items', protocol: 'openai-response-input', ...STORED },
  {
    method: 'POST',
    path: '/v1/messages',
    protocol: 'anthropic-messages',
    permission: 'chat_completions',
    ...ANTHROPIC,
  },
  {
    method: 'POST',
    path: '/v1/messages/count_tokens',
    protocol: 'anthropic-count-tokens',
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
  const call = (name: string, protocol: ProtocolName, permission: Permission): GenerationEntry => ({
    ...{ method: 'POST', path: `${path}/${name}`, protocol, permission, errorShape: geminiError },
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
    if ('protocol' in entry) return generationRoute({ ...entry, protocol: PROTOCOLS[entry.protocol] }, deps);
    if ('inspect' in entry) return inspectionRoute(entry.path, entry.inspect, deps);
    const { handler, ...route } = entry;
    return { ...route, handle: handler(deps) };
  });
}
