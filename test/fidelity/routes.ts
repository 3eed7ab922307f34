import type { Demands } from './schema/leaves.ts';
import {
  ARGUMENTS,
  BUDGETS,
  chatAround,
  chunk,
  completion,
  editEvents,
  FILES,
  GEMINI_KINDS,
  geminiAround,
  HELD,
  HELLO,
  IDS,
  IMAGE_COMPLETED,
  IMAGES,
  type Json,
  MESSAGES,
  messageEvents,
  messagesAround,
  responseAround,
  responseEvents,
  SPEECH_DONE,
  storedAs,
  TEMPERATURES,
  TRANSCRIPT_DONE,
  wholeResponse,
} from './surroundings.ts';

export type Provider = 'openai' | 'anthropic' | 'gemini' | 'bedrock';

/** A route that a provider's API has too, and what its published types do not say. */
export interface SharedRoute {
  /** Request fields that the gateway handles itself and no provider sees. */
  readonly taken?: readonly string[];
  /** The API's provider, which gets the bodies unchanged. */
  readonly provider: Provider;
  /** Where `Published` describes it: its own name where absent. */
  readonly as?: string;
  readonly request?: Demands;
  readonly answer?: Demands;
  readonly event?: Demands;
  /** The field with a file, if its requests are forms (`multipart/form-data`) and not JSON. */
  readonly fileField?: 'file' | 'image';
  /** Its requests are a path and a query: a stored response of each lane, which the key gets first. */
  readonly isStored?: true;
  /** A response that is requested first: it gives the key the ids that samples name. */
  readonly held?: Json;
  /** The rest of a request around a sample, for a text model; sent if the body names a model. */
  path?(model: string, stream: boolean): string;
  body(sample: Json, model: string, stream: boolean): Json;
  /** A complete response around a sample. */
  whole?(sample: Json): Json;
  /** The events of a whole stream that has a sample of one. */
  stream?(sample: Json): Json[];
  /** How a stream ends on the wire. */
  readonly end?: string;
  /** A conversation around a sample: it has a user's turn, and tool calls before their results. */
  among?(sample: Json): Json;
  /** Providers of another protocol that it can be asked of. */
  readonly translated?: readonly Provider[];
}

/** Why a route has no published form to be held against. */
export interface OwnRoute {
  readonly own: string;
}

function ofStored(call: string): SharedRoute {
  return {
    provider: 'openai',
    isStored: true,
    path: (model) => `/v1/responses/${storedAs(model).id}${call}`,
    body: (sample, _, stream) => ({ ...sample, ...(stream && { stream: true }) }),
  };
}

/**
 * Every route with a body or a provider that the gateway serves outside /v1/admin and /v1/analytics, once for each protocol: a test compares it with the
 * gateway's own table. `(JSON)` is a second kind of body.
 */
export const ROUTES: Readonly<Record<string, SharedRoute | OwnRoute>> = {
  'POST /v1/chat/completions': {
    provider: 'openai',
    taken: ['moderation'],
    request: {
      least: { messages: MESSAGES, url: IMAGES[0], arguments: '{}' },
      values: { ...TEMPERATURES, url: IMAGES, file_data: FILES, arguments: ARGUMENTS },
      kinds: { JSONSchema: { schema: { type: 'object' } } },
    },
    body: (sample, model, stream) => ({
      ...sample,
      model,
      ...(stream && { stream: true, stream_options: { include_usage: true } }),
    }),
    stream: (sample) => [
      chunk([{ index: 0, delta: { role: 'assistant' }, finish_reason: null }]),
      sample,
      chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]),
    ],
    end: 'data: [DONE]\n\n',
    among: chatAround,
    translated: ['anthropic', 'gemini', 'bedrock'],
  },
  'POST /v1/completions': {
    provider: 'openai',
    request: { values: { ...TEMPERATURES, best_of: [2, 3] } },
    body: (sample, model, stream) => ({
      ...sample,
      model,
      ...(stream && { stream: true, stream_options: { include_usage: true } }),
    }),
    stream: (sample) => [sample, completion([{ index: 0, text: '', logprobs: null, finish_reason: 'stop' }])],
    end: 'data: [DONE]\n\n',
    translated: ['anthropic', 'gemini', 'bedrock'],
  },
  'POST /v1/responses': {
    provider: 'openai',
    request: {
      least: { arguments: '{}' },
      values: {
        ...TEMPERATURES,
        arguments: ARGUMENTS,
        image_url: IMAGES,
        file_data: FILES,
        top_logprobs: [1, 2],
        ...IDS,
      },
    },
    answer: { brief: true },
    whole: wholeResponse,
    event: { brief: true },
    held: HELD,
    taken: ['moderation'],
    body: (sample, model, stream) => ({ input: 'Good morning', ...sample, model, ...(stream && { stream: true }) }),
    stream: responseEvents,
    among: responseAround,
    translated: ['anthropic', 'gemini', 'bedrock'],
  },
  'POST /v1/responses/compact': {
    provider: 'openai',
    // Read as responses are, which are followed everywhere.
    request: { least: { arguments: '{}' }, brief: true, values: { ...IDS, image_url: IMAGES, file_data: FILES } },
    answer: { brief: true },
    held: HELD,
    body: (sample, model) => ({ input: 'Good morning', ...sample, model }),
  },
  'POST /v1/responses/input_tokens': {
    provider: 'openai',
    request: { least: { arguments: '{}' }, brief: true, values: { ...IDS, image_url: IMAGES, file_data: FILES } },
    held: HELD,
    body: (sample, model) => ({ input: 'Good morning', ...sample, model }),
  },
  'GET /v1/responses/{id}': {
    ...ofStored(''),
    taken: ['moderation', 'starting_after'],
    answer: { brief: true },
    whole: wholeResponse,
    event: { brief: true },
    stream: responseEvents,
  },
  'DELETE /v1/responses/{id}': ofStored(''),
  'POST /v1/responses/{id}/cancel': {
    ...ofStored('/cancel'),
    taken: ['moderation'],
    answer: { brief: true },
    whole: wholeResponse,
  },
  'GET /v1/responses/{id}/input_items': { ...ofStored('/input_items'), answer: { brief: true } },
  'POST /v1/images/generations': {
    provider: 'openai',
    request: { values: { n: [2, 3], partial_images: [1, 2] } },
    body: (sample, model, stream) => ({ ...sample, model, ...(stream && { stream: true }) }),
    stream: (sample) => (sample.type === 'image_generation.completed' ? [sample] : [sample, IMAGE_COMPLETED]),
  },
  'POST /v1/images/edits': {
    provider: 'openai',
    fileField: 'image',
    request: { values: { n: [2, 3], partial_images: [1, 2] } },
    body: (sample, model, stream) => ({ ...sample, model, ...(stream && { stream: true }) }),
    stream: editEvents,
  },
  'POST /v1/images/edits (JSON)': {
    provider: 'openai',
    request: {
      least: { images: [{ image_url: IMAGES[0] }] },
      values: { n: [2, 3], partial_images: [1, 2], image_url: IMAGES, ...IDS },
    },
    body: (sample, model, stream) => ({ ...sample, model, ...(stream && { stream: true }) }),
    stream: editEvents,
  },
  'POST /v1/audio/translations': {
    provider: 'openai',
    fileField: 'file',
    request: { values: { temperature: [0.25, 0.5] } },
    body: (sample, model) => ({ ...sample, model }),
  },
  'POST /v1/audio/speech': {
    provider: 'openai',
    request: { values: { speed: [0.5, 2] } },
    body: (sample, model, stream) => ({ ...sample, model, ...(stream && { stream_format: 'sse' }) }),
    stream: (sample) => (sample.type === SPEECH_DONE.type ? [sample] : [sample, SPEECH_DONE]),
  },
  'POST /v1/audio/transcriptions': {
    provider: 'openai',
    fileField: 'file',
    request: { values: { temperature: [0.25, 0.5] } },
    body: (sample, model, stream) => ({ ...sample, model, ...(stream && { stream: true }) }),
    whole: (sample) => ({ text: 'Good morning', ...sample }),
    stream: (sample) => (sample.type === 'transcript.text.done' ? [sample] : [sample, TRANSCRIPT_DONE]),
  },
  'POST /v1/embeddings': { provider: 'openai', body: (sample, model) => ({ ...sample, model }) },
  'POST /v1/messages': {
    provider: 'anthropic',
    request: { least: { messages: MESSAGES, max_tokens: 8_000 }, values: { ...TEMPERATURES, ...BUDGETS } },
    body: (sample, model, stream) => ({
      // InvokeModel lacks this member: all other requests of Claude at Bedrock would be forwarded, and not translated to Converse.
      ...(model.startsWith('anthropic.') && { output_config: {} }),
      ...sample,
      model,
      ...(stream && { stream: true }),
    }),
    stream: messageEvents,
    among: messagesAround,
    translated: ['openai', 'gemini', 'bedrock'],
  },
  'POST /v1/messages/count_tokens': {
    provider: 'anthropic',
    // Read as messages are, which are followed everywhere.
    request: { least: { messages: MESSAGES }, brief: true },
    body: (sample, model) => ({ ...sample, model }),
  },
  'POST /v1beta/models/{call}': {
    provider: 'gemini',
    request: {
      least: { contents: [HELLO] },
      values: { ...TEMPERATURES, ...BUDGETS, candidateCount: [2, 3] },
      kinds: GEMINI_KINDS,
    },
    path: (model, stream) => `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: (sample) => sample,
    whole: (sample) => ({ candidates: [{ content: { parts: [] }, finishReason: 'STOP' }], ...sample }),
    stream: (sample) => [
      { candidates: [{ content: { parts: [] } }], ...sample },
      { candidates: [{ content: { parts: [] }, finishReason: 'STOP' }] },
    ],
    among: geminiAround,
    translated: ['openai', 'anthropic', 'bedrock'],
  },
  'POST /v1beta/models/{model}:countTokens': {
    provider: 'gemini',
    // Read as generateContent is, which is followed everywhere.
    request: {
      least: { contents: [HELLO] },
      values: { ...TEMPERATURES, candidateCount: [2, 3] },
      kinds: GEMINI_KINDS,
      brief: true,
    },
    path: (model) => `/v1beta/models/${model}:countTokens`,
    body: (sample) => sample,
  },
  'POST /v1beta/models/{model}:embedContent': {
    provider: 'gemini',
    request: { kinds: GEMINI_KINDS },
    path: (model) => `/v1beta/models/${model}:embedContent`,
    body: (sample) => sample,
  },
  'POST /v1beta/models/{model}:batchEmbedContents': {
    provider: 'gemini',
    request: { kinds: GEMINI_KINDS },
    path: (model) => `/v1beta/models/${model}:batchEmbedContents`,
    body: (sample) => sample,
  },
  'POST /model/{modelId}/converse': {
    own: 'read as a message; AWS publishes it as a Smithy model, and test/contract/bedrock-api.test.ts asks with its SDK',
  },
  'POST /v1/messages/batches': {
    own: 'requests are bodies of POST /v1/messages, compared there; test/clients/anthropic.test.ts asks with the SDK',
  },
  'POST /v1/messages/batches/{id}/cancel': { own: 'it has no body' },
  'POST /model/{modelId}/converse-stream': { own: 'as /model/{modelId}/converse' },
  'POST /model/{modelId}/invoke': { own: 'a body of POST /v1/messages, compared there' },
  'POST /model/{modelId}/invoke-with-response-stream': { own: 'as /model/{modelId}/invoke' },
  'POST /v1/rerank': {
    own: 'none of these SDKs publishes it; its form is tested in test/contract/rerank-and-embeddings',
  },
  'POST /v1/requests/{id}/cancel': { own: 'no provider stands behind it' },
  'POST /v1/mcp': { own: 'messages of MCP for all servers, see test/contract/mcp-all.test.ts' },
  'POST /v1/mcp/{server}': { own: 'messages of MCP, whose bytes test/contract/mcp.test.ts compares' },
  'POST /v1/guard': { own: 'no provider stands behind it' },
  'POST /v1/moderations': {
    own: 'answered by the gateway itself; its form is tested in test/contract/inspection/guard.ts',
  },
};

export const SHARED: readonly (readonly [string, SharedRoute])[] = Object.entries(ROUTES).flatMap(([name, route]) =>
  'own' in route ? [] : [[name, route] as const],
);

const MODELS: Readonly<Record<Provider, string>> = {
  openai: 'gpt-5',
  anthropic: 'claude-opus-4-6',
  gemini: 'gemini-3',
  bedrock: 'anthropic.claude-opus-4-6',
};

/** The name of a provider's model, by the lane in which it is asked. */
export function modelIn(provider: Provider, lane: number): string {
  return `${MODELS[provider]}-w${lane}`;
}

/** For each provider, the route with its response format. */
export const NATIVE: Readonly<Record<Provider, readonly [string, SharedRoute]>> = {
  openai: sharedRoute('POST /v1/chat/completions'),
  anthropic: sharedRoute('POST /v1/messages'),
  gemini: sharedRoute('POST /v1beta/models/{call}'),
  bedrock: [
    'POST /model/{modelId}/converse',
    {
      provider: 'bedrock',
      body: (sample) => sample,
      whole: () => ({
        output: { message: { role: 'assistant', content: [{ text: 'Good morning' }] } },
        stopReason: 'end_turn',
        usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
        metrics: { latencyMs: 1 },
      }),
    },
  ],
};

function sharedRoute(name: string): readonly [string, SharedRoute] {
  return [name, ROUTES[name] as SharedRoute];
}
