import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { GatewayError } from '../../../kernel/errors/index.ts';
import { type HttpClient, HttpFailure, type HttpRequest, type HttpResponse } from '../../../kernel/http/index.ts';
import { readJsonDocument } from '../../../kernel/json/index.ts';
import type { ChatDelta, ChatRequest } from '../../../kernel/model/index.ts';
import { MESSAGES_PROTOCOL } from '../../protocols/anthropic-messages/messages-protocol.ts';
import { type ChatCall, Translation } from '../../routing/index.ts';
import { AnthropicProvider, type AnthropicProviderOptions, nativeBody, nativeEvents } from './anthropic-provider.ts';
import { chatRequest } from './chat-request.fixture.ts';
import { arriving, readFixture } from './read-fixture.fixture.ts';

const KEY = 'sk-ant-api03-test';

class ReplayingHttpClient implements HttpClient {
  readonly requests: HttpRequest[] = [];
  private readonly reply: Error | HttpResponse;

  constructor(reply: Error | HttpResponse) {
    this.reply = reply;
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    this.requests.push(request);
    if (this.reply instanceof Error) throw this.reply;
    return this.reply;
  }
}

const reply = (status: number, body: Uint8Array | object, headers: Record<string, string> = {}): HttpResponse => ({
  status,
  headers,
  body: arriving(body instanceof Uint8Array ? body : new TextEncoder().encode(JSON.stringify(body))),
});
const refusal = (type: string, message: string) => ({ type: 'error', error: { type, message }, request_id: 'req_1' });

async function complete(
  answer: Error | HttpResponse,
  request: Partial<ChatRequest> = {},
  options: Partial<Omit<AnthropicProviderOptions, 'name'>> = {},
) {
  const http = new ReplayingHttpClient(answer);
  const provider = new AnthropicProvider({
    name: 'anthropic',
    http,
    apiKey: async () => KEY,
    keyVariable: 'ANTHROPIC_API_KEY',
    baseUrl: 'https://api.anthropic.com',
    headTimeoutMs: 1000,
    idleTimeoutMs: 2000,
    ...options,
  });
  const signal = new AbortController().signal;
  const call = {
    request: chatRequest({ model: 'anthropic/claude-sonnet-4-6', ...request }),
    operation: 'openai-chat' as const,
    source: { text: '{}', value: {} },
    model: 'claude-sonnet-4-6',
    translation: new Translation('anthropic'),
    signal,
  };
  const outcome = await provider.complete(call).then(
    (value) => ({ answer: value, error: undefined }),
    (error: GatewayError) => ({ answer: undefined, error }),
  );
  return { ...outcome, http, signal };
}

describe('a call', () => {
  it('goes to /v1/messages with the key, the version, the limits and the signal', async () => {
    const { http, signal } = await complete(reply(200, readFixture('text.json')));
    expect(http.requests).toEqual([
      {
        method: 'POST',
        url: 'https://api.anthropic.com/v1/messages',
        headers: {
          'x-api-key': KEY,
          'anthropic-version': '2023-06-01',
          'content-type': 'application/json',
          accept: 'application/json',
        },
        body: JSON.stringify({
          model: 'claude-sonnet-4-6',
          max_tokens: 4096,
          messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
          stream: false,
        }),
        headTimeoutMs: 1000,
        idleTimeoutMs: 2000,
        signal,
      },
    ]);
    expect(http.requests[0]?.signal).toBe(signal);
  });

  it('gives a whole answer translated', async () => {
    const { answer } = await complete(reply(200, readFixture('text.json')), {}, { defaultMaxTokens: 7 });
    expect(answer).toMatchObject({ kind: 'translated', completion: { id: 'msg_013Zva2CMHLNnXjNJJKqJ2EF' } });
  });

  it('gives a stream translated, and asks for one', async () => {
    const { answer, http } = await complete(reply(200, readFixture('text.sse')), { stream: true });
    expect(http.requests[0]?.headers.accept).toBe('text/event-stream');
    expect(JSON.parse(String(http.requests[0]?.body))).toMatchObject({ stream: true });
    if (answer?.kind !== 'translated-stream') throw new Error('not a stream');
    const deltas: ChatDelta[] = [];
    for await (const batch of answer.deltas) deltas.push(...batch);
    expect(deltas.map(({ type }) => type)).toEqual(['start', 'text', 'text', 'text', 'finish', 'usage']);
  });

  it.each([undefined, ''])('fails without sending anything where no key is configured (%j)', async (key) => {
    const { error, http } = await complete(reply(200, {}), {}, { apiKey: async () => key });
    expect(http.requests).toEqual([]);
    expect(error).toMatchObject({
      code: 'provider_error',
      message: 'The provider anthropic is not configured here: set ANTHROPIC_API_KEY.',
      headers: { 'x-should-retry': 'false' },
    });
  });

  it('fails without sending anything where the key store fails', async () => {
    const apiKey = async () => {
      throw new Error('store out of reach');
    };
    const { error, http } = await complete(reply(200, {}), {}, { apiKey });
    expect(http.requests).toEqual([]);
    expect(error).toMatchObject({ code: 'provider_error', status: 502 });
  });

  it('refuses what the API cannot do before anything is sent', async () => {
    const { error, http } = await complete(reply(200, {}), {
      others: [{ path: 'best_of', meaning: 'essential', value: 2 }],
    });
    expect(http.requests).toEqual([]);
    expect(error).toMatchObject({ status: 400, code: 'invalid_value', param: 'best_of' });
  });
});

describe('a call that fails', () => {
  it.each([
    ['connect', 502, 'provider_error', {}],
    ['reset', 502, 'provider_error', {}],
    ['aborted', 502, 'provider_error', {}],
    ['timeout', 504, 'provider_timeout', { 'x-should-retry': 'false' }],
  ] as const)('%s gives %i', async (reason, status, code, headers) => {
    const { error } = await complete(new HttpFailure(reason, true));
    expect(error).toMatchObject({ status, code, headers });
  });

  it('that breaks within the answer gives provider_error', async () => {
    const body = (async function* () {
      yield readFixture('text.json').subarray(0, 20);
      throw new HttpFailure('reset', true);
    })();
    expect((await complete({ status: 200, headers: {}, body })).error).toMatchObject({ code: 'provider_error' });
  });

  it.each([
    [400, 'invalid_request_error', refusal('invalid_request_error', 'max_tokens: 9 > 4'), 'max_tokens: 9 > 4'],
    [
      413,
      'request_too_large',
      refusal('request_too_large', 'Request exceeds the maximum'),
      'Request exceeds the maximum',
    ],
    [404, 'something_else', refusal('something_else', 'Not here'), 'Not here'],
    [422, 'invalid_request_error', { detail: 'no' }, 'no'],
    [400, 'invalid_request_error', new TextEncoder().encode('<html>'), /refused the request with status 400/],
  ])('passes on %i with its message and type %s', async (status, type, body, message) => {
    const { error } = await complete(reply(status, body));
    expect(error?.status).toBe(status);
    const shown = typeof message === 'string' ? message : expect.stringMatching(message);
    expect(error?.toBody()).toEqual({ message: shown, type, param: null, code: null });
  });

  it('passes on 402 as an account without credit', async () => {
    const { error } = await complete(reply(402, refusal('billing_error', 'Your credit balance is too low')));
    expect(error).toMatchObject({ status: 402, fallback: 'now', headers: { 'x-should-retry': 'false' } });
    expect(error?.toBody()).toMatchObject({ type: 'billing_error', code: 'insufficient_quota' });
  });

  it("passes on a prompt that is too long with OpenAI's code", async () => {
    const body = refusal('invalid_request_error', 'prompt is too long: 201234 tokens > 200000 maximum');
    const { error } = await complete(reply(400, body));
    expect(error?.toBody()).toMatchObject({ type: 'invalid_request_error', code: 'context_length_exceeded' });
  });

  it('gives model_not_found for a model that does not exist', async () => {
    const { error } = await complete(reply(404, refusal('not_found_error', 'model: claude-sonnet-4-6')));
    expect(error).toMatchObject({ status: 404, code: 'model_not_found', param: 'model', passedOn: undefined });
  });

  it('passes on 429 with retry-after', async () => {
    const body = refusal('rate_limit_error', 'Number of request tokens has exceeded your rate limit');
    const { error } = await complete(
      reply(429, body, { 'retry-after': '12', 'anthropic-ratelimit-requests-limit': '5' }),
    );
    expect(error).toMatchObject({ status: 429, headers: { 'retry-after': '12' } });
    expect(error?.toBody()).toMatchObject({ type: 'rate_limit_error', code: 'rate_limit_exceeded' });
  });

  it.each([
    [401, 'authentication_error'],
    [403, 'permission_error'],
    [500, 'api_error'],
    [504, 'timeout_error'],
    [529, 'overloaded_error'],
  ])('keeps the text of %i to itself', async (status, type) => {
    const { error } = await complete(reply(status, refusal(type, `no: ${KEY}`)), { stream: true });
    const shown = status === 529 ? [529, 'provider_overloaded'] : [502, 'provider_error'];
    expect([error?.status, error?.code, error?.headers]).toEqual([...shown, {}]);
    expect(JSON.stringify([error?.message, error?.internal])).not.toContain(KEY);
    expect(error?.internal).toContain(String(status));
  });

  it('reads no more than 64 KB of an error, and survives one that breaks off', async () => {
    let given = 0;
    const endless = (async function* () {
      for (;;) {
        given += 4096;
        yield new Uint8Array(4096).fill(0x20);
      }
    })();
    expect((await complete({ status: 400, headers: {}, body: endless })).error?.status).toBe(400);
    expect(given).toBeLessThanOrEqual(64 * 1024);
    const broken = (async function* () {
      yield new TextEncoder().encode('{"type":');
      throw new HttpFailure('reset', true);
    })();
    expect((await complete({ status: 400, headers: {}, body: broken })).error?.status).toBe(400);
  });
});

describe('requests of the Messages API', () => {
  const ODD =
    '{ "max_tokens":5, "model" :"anthropic/claude-x",\t"messages":[ {"role":"user","content":"caf\\u00e9"}],"top_k":1.0, "x":12345678901234567890 }\n';

  function callOf(text: string): ChatCall {
    const source = readJsonDocument(text);
    const request = MESSAGES_PROTOCOL.read(MESSAGES_PROTOCOL.check(source));
    return {
      request,
      source,
      operation: 'anthropic-messages',
      model: 'claude-x',
      translation: new Translation('anthropic'),
      signal: new AbortController().signal,
    };
  }

  describe('the body that Anthropic gets', () => {
    it("is the caller's own, byte for byte, but for the model's name and fields of ours", () => {
      const bare = ODD.replace('anthropic/', '');
      expect(nativeBody(callOf(bare))).toBe(bare);
      expect(nativeBody(callOf(ODD))).toBe(bare);
      expect(nativeBody(callOf(ODD.replace('"top_k"', '"svc":{"a":1},"moderation":"score","top_k"')))).toBe(bare);
    });
  });

  describe('the line of a batch', () => {
    const OPTIONS = {
      name: 'anthropic',
      http: new ReplayingHttpClient(new Error('not called')),
      apiKey: async () => KEY,
      keyVariable: 'ANTHROPIC_API_KEY',
      baseUrl: 'https://api.anthropic.com',
      headTimeoutMs: 1000,
      idleTimeoutMs: 2000,
    };

    it('is the body of its request, and there is none of another operation or of Vertex AI', () => {
      const call = callOf(ODD);
      const lineOf = (options: object, operation = call.operation) =>
        new AnthropicProvider({ ...OPTIONS, ...options }).batchBody({ ...call, operation });
      expect(lineOf({})).toBe(nativeBody(call));
      expect(lineOf({}, 'anthropic-count-tokens')).toBeUndefined();
      expect(lineOf({}, 'openai-chat')).toBeUndefined();
      expect(lineOf({ vertexUrl: () => 'https://vertex' })).toBeUndefined();
    });
  });

  describe('the events of a streamed message', () => {
    const EVENTS = [
      '{"type":"message_start","message":{"id":"msg_1"}}',
      '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a message_stop \u{1f600} b"}}',
      '{"type":"aside"}',
      '{"type":"message_stop"}',
    ];
    const named = (json: string) => `event: ${JSON.parse(json).type}\ndata: ${json}\n\n`;
    async function* inPieces(bytes: Uint8Array, at: readonly number[]): AsyncGenerator<Uint8Array> {
      const places = [0, ...new Set(at.filter((place) => place < bytes.length)), bytes.length].sort((a, b) => a - b);
      for (const [index, to] of places.slice(1).entries()) yield bytes.subarray(places[index], to);
    }
    async function read(text: string, at: readonly number[] = []): Promise<string[]> {
      const out: string[] = [];
      for await (const batch of nativeEvents('anthropic', inPieces(new TextEncoder().encode(text), at)))
        out.push(...batch);
      return out;
    }

    it.each([
      ['with their names', EVENTS.map(named).join('')],
      ['without names', EVENTS.map((json) => `data: ${json}\n\n`).join('')],
      ['with comments, and more behind the end', `: hi\n\n${EVENTS.map(named).join('')}event: late\ndata: {}\n\n`],
    ])('come as they are %s, however the bytes come', async (_, text) => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 20 }), async (at) => {
          expect(await read(text, at)).toEqual(EVENTS);
        }),
        { numRuns: 50 },
      );
    });

    it.each([
      ['nothing', ''],
      ['no end', named(EVENTS[0] as string)],
      ['half an end', `${named(EVENTS[0] as string)}event: message_stop\ndata: {"type"`],
    ])('that are %s were cut', async (_, text) => {
      await expect(read(text)).rejects.toThrow(expect.objectContaining({ code: 'provider_error' }));
    });
  });
});
