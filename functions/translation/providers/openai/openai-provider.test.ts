import { describe, expect, it } from '@jest/globals';
import { GatewayError } from '../../../kernel/errors/index.ts';
import { HttpFailure } from '../../../kernel/http/index.ts';
import { BODY, callOf, provider } from './openai-provider.fixture.ts';
import type { OpenAiProvider } from './openai-provider.ts';

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
