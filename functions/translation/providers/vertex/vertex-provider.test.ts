import { describe, expect, it } from '@jest/globals';
import type { GatewayError } from '../../../kernel/errors/index.ts';
import type { HttpRequest } from '../../../kernel/http/index.ts';
import { readJsonDocument } from '../../../kernel/json/index.ts';
import type { OperationName } from '../../protocols/protocol.ts';
import { Translation } from '../../routing/index.ts';
import { chatRequest } from '../anthropic/chat-request.fixture.ts';
import { VertexProvider } from './vertex-provider.ts';

const BASE = 'https://aiplatform.googleapis.com/v1/projects/p/locations/global';
const CLAUDE = 'claude-sonnet-4-5@20250929';
const GEMINI = 'gemini-3-pro';
const MESSAGE = {
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-sonnet-4-5-20250929', stop_reason: 'end_turn' },
  ...{ content: [{ type: 'text', text: 'Hi' }], usage: { input_tokens: 3, output_tokens: 1 } },
};
const BODY = { model: CLAUDE, messages: [] };
const CANDIDATES = {
  candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 1 },
};

async function* once(text: string) {
  yield new TextEncoder().encode(text);
}

/** Calls a model; `body` is a caller's in the protocol of the operation. */
async function call(
  model: string,
  operation: OperationName,
  response: object | string,
  body: object = {},
  status = 200,
) {
  const requests: HttpRequest[] = [];
  const isStream = typeof response === 'string';
  const provider = new VertexProvider({
    ...{ name: 'vertex', apiKey: async () => 'KEY', keyVariable: 'VERTEX_API_KEY', baseUrl: BASE },
    ...{ headTimeoutMs: 1_000, idleTimeoutMs: 1_000 },
    http: {
      send: async (request) => {
        requests.push(request);
        const headers = { 'content-type': isStream ? 'text/event-stream' : 'application/json' };
        return { status, headers, body: once(isStream ? response : JSON.stringify(response)) };
      },
    },
  });
  const source = readJsonDocument(JSON.stringify(body));
  const translation = new Translation('vertex');
  const request = chatRequest({ model: `vertex/${model}`, stream: isStream });
  const outcome = await provider
    .complete({
      ...{ request, operation, source, model, query: 'beta=true', headers: { 'anthropic-beta': 'a-beta' } },
      ...{ translation, signal: new AbortController().signal },
    })
    .then(
      (response) => ({ response, error: undefined }),
      (error: GatewayError) => ({ response: undefined, error }),
    );
  return {
    ...outcome,
    provider,
    requests,
    translation,
    asked: requests[0],
    sent: JSON.parse(String(requests[0]?.body ?? 'null')),
  };
}

describe('Claude', () => {
  it('gets a request in its own protocol with the version in the body and the model in the address, else unchanged', async () => {
    const body = { model: `vertex/${CLAUDE}`, max_tokens: 9, messages: [{ role: 'user', content: 'Hé' }], unknown: 1 };
    const { asked, response, provider } = await call(CLAUDE, 'anthropic-messages', MESSAGE, body);
    expect(asked?.url).toBe(`${BASE}/publishers/anthropic/models/${CLAUDE}:rawPredict`);
    expect(asked?.body).toBe(
      '{"max_tokens":9,"messages":[{"role":"user","content":"Hé"}],"unknown":1,"anthropic_version":"vertex-2023-10-16"}',
    );
    expect(asked?.headers).toMatchObject({ 'x-goog-api-key': 'KEY', 'anthropic-beta': 'a-beta' });
    expect(response).toEqual({ kind: 'native', body: JSON.stringify(MESSAGE) });
    expect(provider.isNative('anthropic-messages', CLAUDE)).toBe(true);
    expect(provider.isNative('gemini', CLAUDE)).toBe(false);
  });

  it('gets a version that the caller names', async () => {
    const body = { model: CLAUDE, anthropic_version: 'vertex-2', messages: [] };
    expect((await call(CLAUDE, 'anthropic-messages', MESSAGE, body)).sent).toEqual({
      anthropic_version: 'vertex-2',
      messages: [],
    });
  });

  it('streams', async () => {
    const events = 'event: message_stop\ndata: {"type":"message_stop"}\n\n';
    const { asked, response } = await call(CLAUDE, 'anthropic-messages', events, { ...BODY, stream: true });
    expect(asked?.url).toBe(`${BASE}/publishers/anthropic/models/${CLAUDE}:streamRawPredict`);
    expect(response?.kind).toBe('native-stream');
    const chunks: unknown[] = [];
    if (response?.kind === 'native-stream') for await (const batch of response.chunks) chunks.push(batch);
    expect(chunks).toEqual([['{"type":"message_stop"}']]);
  });

  it.each(['openai-chat', 'openai-responses', 'gemini'] as const)(
    'gets a translated request of %s',
    async (operation) => {
      const { asked, sent, response } = await call(CLAUDE, operation, MESSAGE);
      expect(asked?.url).toBe(`${BASE}/publishers/anthropic/models/${CLAUDE}:rawPredict`);
      expect(sent).toMatchObject({ anthropic_version: 'vertex-2023-10-16', messages: [{ role: 'user' }] });
      expect(sent).not.toHaveProperty('model');
      expect(response).toMatchObject({ kind: 'translated', completion: { choices: [{ text: 'Hi' }] } });
    },
  );

  it('counts tokens, with its model in the body', async () => {
    const body = { model: `vertex/${CLAUDE}`, messages: [] };
    const { asked, sent } = await call(CLAUDE, 'anthropic-count-tokens', { input_tokens: 3 }, body);
    expect(asked?.url).toBe(`${BASE}/publishers/anthropic/models/count-tokens:rawPredict`);
    expect(sent).toEqual({ model: CLAUDE, messages: [], anthropic_version: 'vertex-2023-10-16' });
  });

  it('is asked again without beta versions that it refuses, which is a warning', async () => {
    const message = 'Unexpected value(s) `a-beta` for the `anthropic-beta` header.';
    const refusal = { type: 'error', error: { type: 'invalid_request_error', message } };
    const { requests, error, translation } = await call(CLAUDE, 'anthropic-messages', refusal, BODY, 400);
    expect(requests.map(({ headers }) => headers['anthropic-beta'])).toEqual(['a-beta', undefined]);
    expect(error?.message).toContain(message);
    expect(translation.warnings.map(({ field }) => field)).toEqual(['anthropic-beta']);
  });

  it('that does not exist is reported as such, whichever form the error has', async () => {
    const googles = { error: { code: 404, message: 'Publisher Model was not found', status: 'NOT_FOUND' } };
    for (const error of [googles, [googles], { type: 'error', error: { type: 'not_found_error', message: 'no' } }]) {
      const { error: thrown } = await call(CLAUDE, 'anthropic-messages', error, BODY, 404);
      expect(thrown).toMatchObject({ code: 'model_not_found' });
    }
  });
});

describe('Gemini', () => {
  it('gets a request in its own protocol unchanged', async () => {
    const body = { contents: [{ role: 'user', parts: [{ text: 'Hé' }] }], labels: { team: 'a' } };
    const { asked, response, provider } = await call(GEMINI, 'gemini', CANDIDATES, body);
    expect(asked?.url).toBe(`${BASE}/publishers/google/models/${GEMINI}:generateContent`);
    expect(asked?.body).toBe(JSON.stringify(body));
    expect(response).toEqual({ kind: 'native', body: JSON.stringify(CANDIDATES) });
    expect(provider.isNative('gemini', GEMINI)).toBe(true);
    expect(provider.isNative('anthropic-messages', GEMINI)).toBe(false);
  });

  it('streams', async () => {
    const { asked, response } = await call(GEMINI, 'gemini', `data: ${JSON.stringify(CANDIDATES)}\n\n`);
    expect(asked?.url).toBe(`${BASE}/publishers/google/models/${GEMINI}:streamGenerateContent?alt=sse`);
    expect(response?.kind).toBe('native-stream');
  });

  it('gets a translated request, and counts tokens', async () => {
    const { response } = await call(GEMINI, 'anthropic-messages', CANDIDATES, { model: GEMINI });
    expect(response).toMatchObject({ kind: 'translated', completion: { choices: [{ text: 'Hi' }] } });
    const { asked } = await call(GEMINI, 'gemini-count-tokens', { totalTokens: 3 }, { contents: [] });
    expect(asked?.url).toBe(`${BASE}/publishers/google/models/${GEMINI}:countTokens`);
  });
});

it('counts tokens only in the protocol of the model, and has no embeddings', async () => {
  for (const [model, operation] of [
    [CLAUDE, 'gemini-count-tokens'],
    [GEMINI, 'anthropic-count-tokens'],
  ] as const) {
    const { error, asked, provider } = await call(model, operation, {});
    expect(error).toMatchObject({ code: 'invalid_value' });
    expect(asked).toBeUndefined();
    expect(provider.isNative(operation, model)).toBe(false);
  }
  const { provider } = await call(GEMINI, 'gemini', CANDIDATES);
  expect(provider.serves.has('gemini-embed-content')).toBe(false);
  expect(provider.isNative('gemini-embed-content', GEMINI)).toBe(false);
});

it('sends no name of a model that leads elsewhere', async () => {
  for (const model of ['claude/../x', '..', 'claude?x=1', 'gemini/../x']) {
    const { error, asked } = await call(model, 'openai-chat', MESSAGE);
    expect([error?.code, asked]).toEqual(['invalid_value', undefined]);
  }
});
