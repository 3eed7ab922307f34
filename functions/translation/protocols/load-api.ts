import { HeaderList } from '../../kernel/http/index.ts';
import { withOpenAiHeaders } from './bodies/protocol-headers.ts';
import { CHAT_PROTOCOL } from './openai-chat/chat-protocol.ts';
import type {
  ApiRequest,
  BedrockOperationName,
  OperationName,
  Protocol,
  StoredCall,
  StoredCallName,
} from './protocol.ts';

type LoadedName = OperationName | BedrockOperationName;
type ApiOf<Name extends LoadedName> = Name extends StoredCallName ? StoredCall : Protocol<unknown>;

/** An API with what a request's path and headers select. @throws GatewayError for a path that the API does not have */
type ApiSelector<Name extends LoadedName> = (asked: ApiRequest) => ApiOf<Name>;

/** An API whose requests have OpenAI's headers. */
function openAi<Api extends Protocol<unknown> | StoredCall>(api: Api): (asked: ApiRequest) => Api {
  return ({ request }) => withOpenAiHeaders(api, request.headers);
}

const stored = () => import('./openai-responses/stored-responses.ts');
const compaction = () => import('./openai-responses/compaction-protocol.ts');
const transcripts = () => import('./openai-transcriptions/transcriptions-protocol.ts');
const messages = () => import('./anthropic-messages/messages-protocol.ts');
const invoke = () => import('./bedrock/invoke-envelope.ts');
const converse = () => import('./bedrock/converse-envelope.ts');
const geminiVectors = () => import('./gemini/gemini-embeddings.ts');

/** The loader of each API. All except the most used one are loaded at their first request. */
export const APIS: { readonly [Name in LoadedName]: () => Promise<ApiSelector<Name>> } = {
  'openai-chat': async () => openAi(CHAT_PROTOCOL),
  'openai-completions': async () =>
    openAi((await import('./openai-completions/completions-protocol.ts')).COMPLETIONS_PROTOCOL),
  'openai-embeddings': async () =>
    openAi((await import('./openai-embeddings/embeddings-protocol.ts')).EMBEDDINGS_PROTOCOL),
  'openai-images': async () => openAi((await import('./openai-images/images-protocol.ts')).IMAGES_PROTOCOL),
  'openai-image-edits': async () =>
    openAi((await import('./openai-images/image-edits-protocol.ts')).IMAGE_EDITS_PROTOCOL),
  'openai-transcriptions': async () => openAi((await transcripts()).TRANSCRIPTIONS_PROTOCOL),
  'openai-translations': async () => openAi((await transcripts()).TRANSLATIONS_PROTOCOL),
  'openai-speech': async () => openAi((await import('./openai-speech/speech-protocol.ts')).SPEECH_PROTOCOL),
  rerank: async () => {
    const { RERANK_PROTOCOL } = await import('./rerank/rerank-protocol.ts');
    return () => RERANK_PROTOCOL;
  },
  'openai-responses': async () => openAi((await import('./openai-responses/responses-protocol.ts')).RESPONSES_PROTOCOL),
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
    const { geminiCountProtocol } = await import('./gemini/gemini-count-tokens.ts');
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
  'bedrock-invoke': async () => {
    const { invokeProtocol } = await invoke();
    return (asked) => invokeProtocol(asked, false);
  },
  'bedrock-invoke-stream': async () => {
    const { invokeProtocol } = await invoke();
    return (asked) => invokeProtocol(asked, true);
  },
  'bedrock-converse': async () => {
    const { converseProtocol } = await converse();
    return (asked) => converseProtocol(asked, false);
  },
  'bedrock-converse-stream': async () => {
    const { converseProtocol } = await converse();
    return (asked) => converseProtocol(asked, true);
  },
  gemini: async () => (await import('./gemini/gemini-protocol.ts')).geminiProtocolOf,
};

/** A request without headers, query and parts of a path. */
const PLAIN: ApiRequest = { request: { url: 'http://gateway/', headers: new HeaderList([]) }, params: {} };

/** Loads the API of an operation. Its result selects what a request's path and headers ask for. */
export async function loadApi<Name extends LoadedName>(operation: Name): Promise<(asked?: ApiRequest) => ApiOf<Name>> {
  const select: ApiSelector<Name> = await APIS[operation]();
  return (asked = PLAIN) => select(asked);
}
