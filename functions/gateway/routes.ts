import { type IncomingRequest, pathOf, type Route } from '../kernel/http/index.ts';
import {
  CHAT_PROTOCOL,
  geminiError,
  type OperationName,
  type Protocol,
  type StoredCall,
  withOpenAiHeaders,
} from '../translation/index.ts';
import type { GatewayRouteDeps } from './operations/gateway-operation.ts';
import { GATEWAY_OPERATIONS } from './operations/index.ts';
import { ANTHROPIC } from './operations/messages.ts';
import { isAnthropicClient } from './operations/models.ts';
import { generationRoute, inspectionRoute, type RouteApi } from './pipeline-routes.ts';

/** An API whose requests have OpenAI's headers. */
function openAi(api: Protocol<unknown> | StoredCall): RouteApi {
  return ({ request }) => withOpenAiHeaders(api, request.headers);
}

const stored = () => import('../translation/protocols/openai-responses/stored-responses.ts');
const compaction = () => import('../translation/protocols/openai-responses/compaction-protocol.ts');
const transcripts = () => import('../translation/protocols/openai-transcriptions/transcriptions-protocol.ts');
const messages = () => import('../translation/protocols/anthropic-messages/messages-protocol.ts');
const geminiVectors = () => import('../translation/protocols/gemini/gemini-embeddings.ts');

/** What clients may ask for. All APIs except the most used one are loaded at their first request. */
export const OPERATIONS: Readonly<Record<OperationName, () => Promise<RouteApi>>> = {
  'openai-chat': async () => openAi(CHAT_PROTOCOL),
  'openai-completions': async () =>
    openAi((await import('../translation/protocols/openai-completions/completions-protocol.ts')).COMPLETIONS_PROTOCOL),
  'openai-embeddings': async () =>
    openAi((await import('../translation/protocols/openai-embeddings/embeddings-protocol.ts')).EMBEDDINGS_PROTOCOL),
  'openai-images': async () =>
    openAi((await import('../translation/protocols/openai-images/images-protocol.ts')).IMAGES_PROTOCOL),
  'openai-image-edits': async () =>
    openAi((await import('../translation/protocols/openai-images/image-edits-protocol.ts')).IMAGE_EDITS_PROTOCOL),
  'openai-transcriptions': async () => openAi((await transcripts()).TRANSCRIPTIONS_PROTOCOL),
  'openai-translations': async () => openAi((await transcripts()).TRANSLATIONS_PROTOCOL),
  'openai-speech': async () =>
    openAi((await import('../translation/protocols/openai-speech/speech-protocol.ts')).SPEECH_PROTOCOL),
  rerank: async () => {
    const { RERANK_PROTOCOL } = await import('../translation/protocols/rerank/rerank-protocol.ts');
    return () => RERANK_PROTOCOL;
  },
  'openai-responses': async () =>
    openAi((await import('../translation/protocols/openai-responses/responses-protocol.ts')).RESPONSES_PROTOCOL),
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
    const { geminiCountProtocol } = await import('../translation/protocols/gemini/gemini-count-tokens.ts');
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
  gemini: async () => (await import('../translation/protocols/gemini/gemini-protocol.ts')).geminiProtocolOf,
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
    const { access: permission, operation: name, reads: body, errorShape, requestIdHeader } = operation;
    const options = { method: operation.method, path, permission, errorShape, requestIdHeader, body };
    return [generationRoute({ ...options, api: OPERATIONS[name] }, deps)];
  });
}
