import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { GatewayError } from '../../core/base/errors.ts';
import { HttpFailure, type HttpRequest, type HttpResponse } from '../../core/base/http-client.ts';
import { readJsonDocument } from '../../core/base/json-document.ts';
import { checkChatRequest, fromOpenAiChatRequest } from '../../core/protocols/openai-chat/from-chat-request.ts';
import type { ChatCall } from '../../core/routing/provider.ts';
import { Translation } from '../../core/routing/translation.ts';
import { azureUrl, OpenAiProvider, type OpenAiProviderOptions, readAccounts, readAzureApi } from './openai-provider.ts';
import { OPENAI_DIALECT, toOpenAiBody } from './to-openai-request.ts';

function callOf(text: string, model: string): ChatCall {
  const source = readJsonDocument(text);
  const request = fromOpenAiChatRequest(checkChatRequest(source));
  return {
    operation: 'openai-chat',
    source,
    request,
    model,
    translation: new Translation('openai'),
    signal: new AbortController().signal,
  };
}

const BODY = '{ "messages":[{"role":"user","content":"\\u0068i"}],"temperature":1.0,\n "model":"gpt-4o" }';

describe('the body that OpenAI gets', () => {
  it("is the client's, byte for byte, if nothing has to change", () =>
    expect(toOpenAiBody(callOf(BODY, 'gpt-4o'), OPENAI_DIALECT)).toBe(BODY));

  it.each([
    ['the provider prefix', BODY.replace('gpt-4o', 'openai/gpt-4o'), 'gpt-4o', BODY],
    ["the gateway's fields", BODY.replace('{ ', '{ "svc":{"a":[1]}, "moderation" : "score" ,'), 'gpt-4o', BODY],
    [
      'usage requested',
      '{"model":"m","messages":[{"role":"user","content":"a"}],"stream":true}',
      'm',
      '{"model":"m","messages":[{"role":"user","content":"a"}],"stream":true,"stream_options":{"include_usage":true}}',
    ],
    [
      'usage requested instead of null',
      '{"stream_options": null,"model":"m","messages":[{"role":"user","content":"a"}],"stream":true}',
      'm',
      '{"stream_options": {"include_usage":true},"model":"m","messages":[{"role":"user","content":"a"}],"stream":true}',
    ],
    [
      'usage requested instead of false',
      '{"stream_options":{"include_usage":false,"x":1},"model":"m","messages":[{"role":"user","content":"a"}],"stream":true}',
      'm',
      '{"stream_options":{"include_usage":true,"x":1},"model":"m","messages":[{"role":"user","content":"a"}],"stream":true}',
    ],
    [
      'usage requested beside other options',
      '{"stream_options":{"x":1},"model":"m","messages":[{"role":"user","content":"a"}],"stream":true}',
      'm',
      '{"stream_options":{"x":1,"include_usage":true},"model":"m","messages":[{"role":"user","content":"a"}],"stream":true}',
    ],
  ])('differs only in %s', (_, text, model, expected) =>
    expect(toOpenAiBody(callOf(text, model), OPENAI_DIALECT)).toBe(expected),
  );

  it("equals the client's except for the documented edits", () => {
    // Member names that a request may not have.
    const hasNoReservedName = (value: unknown) => !/__proto__|prototype|constructor/.test(JSON.stringify(value));
    const other = fc.dictionary(
      fc.constantFrom('seed', 'a"b', 'x\\y', 'é', 'metadata'),
      fc.jsonValue({ maxDepth: 2 }).filter(hasNoReservedName),
      { maxKeys: 3 },
    );
    const own = fc.record(
      {
        svc: fc.jsonValue({ maxDepth: 1 }).filter(hasNoReservedName),
        moderation: fc.constantFrom('score', null, { model: 'm', policy: { input: { mode: 'block' } } }),
      },
      { requiredKeys: [] },
    );
    const options = fc.option(fc.record({ include_usage: fc.boolean(), y: fc.integer() }, { requiredKeys: [] }), {
      nil: null,
    });
    const spaces = fc.constantFrom(undefined, 1, '\t');
    fc.assert(
      fc.property(
        other,
        own,
        fc.boolean(),
        fc.option(options, { nil: undefined }),
        fc.boolean(),
        spaces,
        (fields, ours, stream, stream_options, prefixed, indent) => {
          const kept = {
            ...fields,
            stream,
            ...(stream_options !== undefined && { stream_options }),
            messages: [{ role: 'user', content: 'a' }],
          };
          const text = JSON.stringify({ ...ours, ...kept, model: prefixed ? 'openai/m' : 'm' }, undefined, indent);
          const expected = {
            ...kept,
            model: 'm',
            ...(stream && { stream_options: { ...stream_options, include_usage: true } }),
          };
          expect(JSON.parse(toOpenAiBody(callOf(text, 'm'), OPENAI_DIALECT))).toEqual(
            JSON.parse(JSON.stringify(expected)),
          );
        },
      ),
    );
  });
});

const ENCODER = new TextEncoder();
function provider(
  answer: (
    request: HttpRequest,
  ) => Promise<{ status?: number; headers?: Record<string, string>; body: readonly string[]; fails?: Error }>,
  apiKey = 'the key',
  more: Partial<OpenAiProviderOptions> = {},
) {
  const requests: HttpRequest[] = [];
  const http = {
    async send(request: HttpRequest): Promise<HttpResponse> {
      requests.push(request);
      const { status = 200, headers = {}, body, fails } = await answer(request);
      async function* pieces() {
        for (const text of body) yield ENCODER.encode(text);
        if (fails) throw fails;
      }
      return { status, headers, body: pieces() };
    },
  };
  const subject = new OpenAiProvider({
    name: 'openai',
    dialect: OPENAI_DIALECT,
    http,
    apiKey: async () => apiKey,
    keyVariable: 'OPENAI_API_KEY',
    baseUrl: 'https://host/v1',
    headTimeoutMs: 1,
    idleTimeoutMs: 2,
    ...more,
  });
  return { subject, requests };
}
const EVENTS = { 'content-type': 'text/event-stream' };
const STREAM = BODY.replace('{ ', '{ "stream":true,');
async function failure(run: () => Promise<unknown>): Promise<GatewayError> {
  try {
    await run();
  } catch (error) {
    expect(error).toBeInstanceOf(GatewayError);
    return error as GatewayError;
  }
  throw new Error('nothing was thrown');
}
async function chunksOf(subject: OpenAiProvider): Promise<string[]> {
  const answer = await subject.complete(callOf(STREAM, 'gpt-4o'));
  const chunks: string[] = [];
  if (answer.kind === 'native-stream') for await (const batch of answer.chunks) chunks.push(...batch);
  return chunks;
}

describe('a call to OpenAI', () => {
  it('sends the key, and returns the response unchanged', async () => {
    const { subject, requests } = provider(async () => ({ body: ['{"a": 1', '.50}'] }));
    expect(await subject.complete(callOf(BODY, 'gpt-4o'))).toEqual({ kind: 'native', body: '{"a": 1.50}' });
    expect(requests).toMatchObject([{ method: 'POST', url: 'https://host/v1/chat/completions', body: BODY }]);
    expect(requests[0]?.headers).toEqual({
      authorization: 'Bearer the key',
      'content-type': 'application/json',
      accept: 'application/json',
    });
  });

  it('returns the chunks of a stream unchanged, up to [DONE]', async () => {
    const { subject } = provider(async () => ({
      body: ['data: {"a":1}\n\nda', 'ta: {"b": 2}\n\ndata: [DONE]\n\ndata: {"c":3}\n\n'],
    }));
    expect(await chunksOf(subject)).toEqual(['{"a":1}', '{"b": 2}']);
  });

  it.each([
    ['a connection that breaks', new HttpFailure('reset', true), 'provider_error', 502],
    ['silence', new HttpFailure('timeout', true), 'provider_timeout', 504],
  ])('never takes %s for an ordinary end', async (_, fails, code, status) => {
    const { subject } = provider(async () => ({ body: ['data: {"a":1}\n\n'], fails }));
    expect(await failure(() => chunksOf(subject))).toMatchObject({ code, status });
  });

  it.each([
    ['without [DONE]', ['data: {"a":1}\n\n']],
    ['without a line break at its end', ['data: {"a":1}']],
    ['with CR as line break', ['data: {"a":1}\r', '\rdata: [DONE]\r\r']],
    ['with CR, and no [DONE]', ['data: {"a":1}\r\r']],
    ['of an undeclared type', [' \n', 'data: {"a":1}\n\n']],
  ])('returns the chunks of a stream %s', async (_, body) => {
    const { subject } = provider(async () => ({ body }));
    expect(await chunksOf(subject)).toEqual(['{"a":1}']);
  });

  it('reports an error in a stream by its meaning, after the chunks before it', async () => {
    const error = {
      message: 'Too long.',
      type: 'invalid_request_error',
      code: 'context_length_exceeded',
      param: 'messages',
    };
    const body = `data: {"a":1}\n\ndata: ${JSON.stringify({ error })}\n\ndata: {"b":1}\n\n`;
    const { subject } = provider(async () => ({ headers: EVENTS, body: [body] }));
    const answer = await subject.complete(callOf(STREAM, 'gpt-4o'));
    const chunks: string[] = [];
    const thrown = await failure(async () => {
      if (answer.kind === 'native-stream') for await (const batch of answer.chunks) chunks.push(...batch);
    });
    expect([chunks, thrown.status, thrown.toBody(), thrown.fallback]).toEqual([['{"a":1}'], 400, error, undefined]);
  });

  it.each([['{"error":{"code":502,"message":"Bad"},"user_id":"u"}'], ['{"error":{"code":429,"message":"Slow."}}']])(
    'reports an error with status 200, whole or in place of a stream: %s',
    async (json) => {
      for (const text of [BODY, STREAM]) {
        const { subject } = provider(async () => ({ headers: { 'content-type': 'application/json' }, body: [json] }));
        const { status } = await failure(() => subject.complete(callOf(text, 'gpt-4o')));
        expect(status).toBe(json.includes('429') ? 429 : 502);
      }
    },
  );

  it('turns a whole response into the stream that was requested', async () => {
    const calls = [
      { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } },
      { id: 'b', type: 'function', function: { name: 'g', arguments: '{}' } },
    ];
    const message = { role: 'assistant', content: null, reasoning_content: 'so', tool_calls: calls };
    const choice = { index: 0, finish_reason: 'tool_calls' };
    const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
    const whole = { id: 'c', object: 'chat.completion', x: 1, choices: [{ ...choice, message }], usage };
    for (const type of ['application/json; charset=utf-8', 'text/plain', '']) {
      const body = [' ', JSON.stringify(whole).slice(0, 9), JSON.stringify(whole).slice(9)];
      const { subject } = provider(async () => ({ headers: { 'content-type': type }, body }));
      const head = { id: 'c', object: 'chat.completion.chunk', x: 1 };
      const delta = { ...message, tool_calls: calls.map((call, index) => ({ index, ...call })) };
      expect((await chunksOf(subject)).map((json) => JSON.parse(json))).toEqual([
        { ...head, choices: [{ ...choice, delta }] },
        { ...head, choices: [], usage },
      ]);
    }
  });

  it.each([400, 404, 409, 422])(
    'passes on an error with its status, message, type, code and param: %d',
    async (status) => {
      const error = { message: 'Bad thing.', type: 'some_type', code: 'some_code', param: 'messages' };
      const { subject } = provider(async () => ({ status, body: [JSON.stringify({ error })] }));
      const thrown = await failure(() => subject.complete(callOf(BODY, 'gpt-4o')));
      expect([thrown.status, thrown.toBody()]).toEqual([status, error]);
    },
  );

  it('passes on a 429 with its retry-after', async () => {
    const { subject } = provider(async () => ({
      status: 429,
      headers: { 'retry-after': '7', 'x-ratelimit-limit-requests': '1' },
      body: ['{"error":{"message":"Slow."}}'],
    }));
    expect(await failure(() => subject.complete(callOf(BODY, 'gpt-4o')))).toMatchObject({
      status: 429,
      message: 'Slow.',
      headers: { 'retry-after': '7' },
    });
  });

  it.each([401, 403, 500, 503, 302])(
    "keeps the provider's own words to itself for a failure that the caller cannot mend: %d",
    async (status) => {
      const { subject } = provider(async () => ({
        status,
        body: ['{"error":{"message":"Incorrect API key provided: the key"}}'],
      }));
      const thrown = await failure(() => subject.complete(callOf(BODY, 'gpt-4o')));
      expect([thrown.status, thrown.code]).toEqual([502, 'provider_error']);
      expect(JSON.stringify([thrown.toBody(), thrown.internal])).not.toContain('the key');
    },
  );

  it('is not made without a configured key', async () => {
    const { subject, requests } = provider(async () => ({ body: [] }), '');
    expect(await failure(() => subject.complete(callOf(BODY, 'gpt-4o')))).toMatchObject({ status: 502 });
    expect(requests).toEqual([]);
  });
});

describe("the caller's headers of OpenAI's API", () => {
  const HEADERS = { 'openai-beta': 'a=v1', 'openai-organization': 'org-1', 'openai-project': 'proj_1' };
  const send = async (more: Partial<OpenAiProviderOptions>, call: Partial<ChatCall> = {}, status = 200) => {
    const body = [status === 200 ? '{"choices":[]}' : '{"error":{"message":"the key is no member of org-1"}}'];
    const { subject, requests } = provider(async () => ({ status, body }), 'the key', more);
    const run = subject.complete({ ...callOf(BODY, 'gpt-4o'), headers: HEADERS, ...call });
    const error = await run.then(
      () => undefined,
      (thrown: GatewayError) => thrown,
    );
    return { error, sent: requests[0]?.headers };
  };
  const allowsAccount = () => true;

  it('reach OpenAI, and cannot replace those of the gateway', async () => {
    const forged = { ...HEADERS, authorization: 'Bearer forged', accept: 'x' };
    const { sent } = await send({ allowsAccount }, { headers: forged });
    expect(sent).toMatchObject({ ...HEADERS, authorization: 'Bearer the key', accept: 'application/json' });
  });

  it('name no organization and project at other servers', async () => {
    const { sent } = await send({});
    expect(sent).toMatchObject({ 'openai-beta': 'a=v1' });
    expect(Object.keys(sent ?? {})).not.toEqual(expect.arrayContaining(['openai-organization']));
    expect(sent).not.toHaveProperty('openai-project');
  });

  it('stay here if the request is translated', async () => {
    const { sent } = await send({ allowsAccount }, { operation: 'anthropic-messages' });
    expect(Object.keys(sent ?? {}).filter((name) => name.startsWith('openai-'))).toEqual([]);
  });

  it('name only organizations and projects that the operator lists', async () => {
    const listed = await send({ allowsAccount: readAccounts('org-1, proj_1', 'X') });
    expect([listed.error, listed.sent?.['openai-project']]).toEqual([undefined, 'proj_1']);
    for (const accounts of ['org-1', 'proj_1', 'none', 'ORG-1,proj_1']) {
      const { error, sent } = await send({ allowsAccount: readAccounts(accounts, 'X') });
      expect([error?.code, error?.status, sent]).toEqual(['insufficient_permissions', 403, undefined]);
    }
    expect((await send({ allowsAccount: readAccounts(undefined, 'X') })).error).toBeUndefined();
    expect(() => readAccounts('org-1;proj_1', 'OPENAI_ACCOUNTS')).toThrow(/^OPENAI_ACCOUNTS: /);
  });

  it.each([401, 403])('are at fault if OpenAI then refuses the call with %i', async (status) => {
    const { error } = await send({ allowsAccount }, {}, status);
    expect(error).toMatchObject({ status: 403, param: 'openai-organization', fallback: 'after_new_credentials' });
    expect(JSON.stringify([error?.message, error?.internal])).not.toMatch(/the key|org-1/);
    const without = await send({ allowsAccount }, { headers: { 'openai-beta': 'a' } }, status);
    expect(without.error).toMatchObject({ status: 502 });
  });
});

describe('Azure', () => {
  const RESOURCE = 'https://mine.openai.azure.com';
  const url = (version: string | undefined, resource = RESOURCE, deployment = 'my-gpt') =>
    azureUrl(readAzureApi(version, 'VERSION'), resource, '/chat/completions', deployment);

  describe('the URL of a deployment', () => {
    it.each([
      [undefined, `${RESOURCE}/openai/v1/chat/completions`],
      ['', `${RESOURCE}/openai/v1/chat/completions`],
      ['preview', `${RESOURCE}/openai/v1/chat/completions?api-version=preview`],
      ['2024-10-21', `${RESOURCE}/openai/deployments/my-gpt/chat/completions?api-version=2024-10-21`],
      ['2025-04-01-preview', `${RESOURCE}/openai/deployments/my-gpt/chat/completions?api-version=2025-04-01-preview`],
    ])('by version %j', (version, expected) => expect(url(version)).toBe(expected));

    it.each([
      ['openai-images', 'images/generations'],
      ['openai-image-edits', 'images/edits'],
      ['openai-transcriptions', 'audio/transcriptions'],
      ['openai-translations', 'audio/translations'],
      ['openai-speech', 'audio/speech'],
    ] as const)('by operation: %s', async (operation, path) => {
      const urls: string[] = [];
      const send = async ({ url }: HttpRequest): Promise<HttpResponse> => {
        urls.push(url);
        async function* body() {
          yield Buffer.from('{}');
        }
        return { status: 200, headers: { 'content-type': 'audio/mpeg' }, body: body() };
      };
      const azure = readAzureApi('2025-04-01-preview', 'VERSION');
      const options = {
        name: 'azure',
        dialect: OPENAI_DIALECT,
        keyVariable: 'KEY',
        headTimeoutMs: 1,
        idleTimeoutMs: 1,
      };
      const subject = new OpenAiProvider({
        ...options,
        azure,
        http: { send },
        apiKey: async () => 'k',
        baseUrl: RESOURCE,
      });
      await subject.complete({ ...callOf(BODY, 'mine'), operation });
      expect(urls).toEqual([`${RESOURCE}/openai/deployments/mine/${path}?api-version=2025-04-01-preview`]);
    });

    it.each(['/openai', '/openai/v1'])('ignores a path at the end of the address: %s', (ending) => {
      for (const version of [undefined, '2024-10-21']) expect(url(version, RESOURCE + ending)).toBe(url(version));
    });

    it.each(['..', '../a', 'a?b', 'a b', ''])('is refused for the name %j in each version', (name) => {
      for (const version of ['2024-10-21', undefined]) {
        expect(() => url(version, RESOURCE, name)).toThrow(expect.objectContaining({ code: 'invalid_value' }));
      }
    });

    it.each(['newest', '2024', '2024-10-21&x=1', '2024-10-21-beta'])('is refused for version %j', (version) =>
      expect(() => url(version)).toThrow(/^VERSION: /),
    );
  });
});
