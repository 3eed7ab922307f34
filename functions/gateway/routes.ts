import { type IncomingRequest, pathOf, type Route } from '../core/http/router.ts';
import { geminiError } from '../core/protocols/error-shapes.ts';
import { CHAT_PROTOCOL } from '../core/protocols/openai-chat/chat-protocol.ts';
import type { Protocol, ProtocolName } from '../core/protocols/protocol.ts';
import type { GatewayRouteDeps } from './operations/gateway-operation.ts';
import { GATEWAY_OPERATIONS } from './operations/index.ts';
import { ANTHROPIC } from './operations/messages.ts';
import { isAnthropicClient } from './operations/models.ts';
import { generationRoute, inspectionRoute } from './pipeline-routes.ts';

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

/** How the API that a client seems to use shows the error of an unknown path. */
export function errorsOfUnknownPath({
  url,
  headers,
}: Pick<IncomingRequest, 'url' | 'headers'>): Pick<Route, 'errorShape' | 'requestIdHeader'> {
  const path = `${pathOf(url)}/`;
  if (path.startsWith('/v1beta/')) return { errorShape: geminiError };
  return path.startsWith('/v1/messages/') || isAnthropicClient(headers) ? ANTHROPIC : {};
}

/** The routes of all operations, in their order. */
export function gatewayRoutes(deps: GatewayRouteDeps): Route[] {
  return Object.values(GATEWAY_OPERATIONS).flatMap((operation): Route[] => {
    const { method, path } = operation;
    if ('inspect' in operation) return [inspectionRoute(path, operation.inspect, deps)];
    if ('handlers' in operation) {
      const { open, handlers } = operation;
      const shared = { method, path, ...(open && { open }) };
      return handlers.map(({ handler, ...format }) => ({ ...shared, ...format, handle: handler(deps) }));
    }
    const { access: permission, protocol, reads: body, errorShape, requestIdHeader } = operation;
    const options = { method: operation.method, path, permission, errorShape, requestIdHeader, body };
    return [generationRoute({ ...options, protocol: PROTOCOLS[protocol] }, deps)];
  });
}
