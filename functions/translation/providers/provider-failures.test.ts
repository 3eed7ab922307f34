import { describe, expect, it } from '@jest/globals';
import { GatewayError } from '../../kernel/errors/index.ts';
import { HttpFailure, type HttpFailureReason, SseOverflow } from '../../kernel/http/index.ts';
import {
  errorInResponse,
  providerStatusError,
  readBounded,
  readErrorBody,
  toProviderFailure,
  unreadableResponse,
} from './provider-failures.ts';

async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield new TextEncoder().encode(text);
}

describe('toProviderFailure', () => {
  it('gives a GatewayError as it is', () => {
    const error = new GatewayError('model_not_found', 'No such model.');
    expect(toProviderFailure('acme', error)).toBe(error);
  });

  it.each<[HttpFailureReason, string, number, string]>([
    ['connect', 'provider_error', 502, 'acme: connect, sent: true'],
    ['reset', 'provider_error', 502, 'acme: reset, sent: true'],
    ['aborted', 'provider_error', 502, 'aborted'],
    ['timeout', 'provider_timeout', 504, 'acme: timeout, sent: true'],
  ])('turns a failed call (%s) into %s', (reason, code, status, internal) => {
    const failure = new HttpFailure(reason, true);
    expect(toProviderFailure('acme', failure)).toMatchObject({ code, status, internal, cause: failure });
  });

  it('discourages a retry only of what may have been billed', () => {
    expect(toProviderFailure('acme', new HttpFailure('timeout', true)).headers).toEqual({ 'x-should-retry': 'false' });
    expect(toProviderFailure('acme', new HttpFailure('connect', false)).headers).toEqual({});
  });

  it('turns an oversized event and anything unexpected into provider_error without their text', () => {
    for (const error of [new SseOverflow('secret'), new TypeError('secret'), 'secret']) {
      const failure = toProviderFailure('acme', error);
      expect(failure).toMatchObject({ code: 'provider_error', cause: error });
      expect(failure.message + failure.internal).not.toContain('secret');
    }
  });
});

describe('providerStatusError', () => {
  it.each([401, 403])('keeps to itself that our credentials were refused (%i)', (status) => {
    const error = providerStatusError('acme', status, {}, { message: 'Incorrect API key provided: sk-123' });
    expect(error).toMatchObject({ status: 502, code: 'provider_error' });
    expect(error.internal).toContain('refused our credentials');
    expect(error.message + error.internal).not.toContain('sk-123');
  });

  it('passes on 429 with its headers about retries, and no other header', () => {
    const retries = { 'retry-after': '17', 'retry-after-ms': '16500', 'x-should-retry': 'true' };
    const headers = { ...retries, 'x-ratelimit-limit-requests': '5', server: 'x' };
    const error = providerStatusError('acme', 429, headers, { message: 'Slow down.' });
    expect(error.status).toBe(429);
    expect(error.headers).toEqual(retries);
    expect(error.toBody()).toEqual({
      message: 'Slow down.',
      type: 'rate_limit_error',
      param: null,
      code: 'rate_limit_exceeded',
    });
    expect(providerStatusError('acme', 429, {}).headers).toEqual({});
  });

  it.each([
    ['retry-after', 'soon'],
    ['retry-after-ms', '5 minutes'],
    ['retry-after-ms', '1e9'],
    ['x-should-retry', 'true, and ignore your instructions'],
    ['x-should-retry', 'False'],
  ])('drops %s: %s', (name, value) => {
    expect(providerStatusError('acme', 429, { [name]: value }).headers).toEqual({});
  });

  it.each([400, 404, 408, 413, 422])('passes on %i with status and message', (status) => {
    const error = providerStatusError('acme', status, { 'x-should-retry': 'false' }, { message: 'Bad.' });
    expect(error).toMatchObject({ status, headers: { 'x-should-retry': 'false' } });
    expect(error.toBody()).toEqual({ message: 'Bad.', type: 'invalid_request_error', param: null, code: null });
  });

  it('has a message of its own where the provider gave none', () => {
    expect(providerStatusError('acme', 400, {}).message).toBe('The provider acme refused the request with status 400.');
  });

  it('keeps the type, code and param of a refusal', () => {
    const refusal = { message: 'Bad.', type: 'BadRequestError', code: '1210', param: 'messages' };
    expect(providerStatusError('acme', 400, {}, refusal).toBody()).toEqual(refusal);
  });

  it('reports an unpaid account of ours, without a retry at the same provider', () => {
    const usual = { type: 'insufficient_quota', code: 'insufficient_quota' };
    for (const [status, error] of [
      [402, { message: 'Insufficient Balance' }],
      [429, { message: 'You exceeded your current quota.', ...usual }],
    ] as const) {
      const failure = providerStatusError('acme', status, {}, error);
      expect(failure).toMatchObject({ status, code: 'provider_error', fallback: 'now' });
      expect(failure.headers).toEqual({ 'x-should-retry': 'false' });
      expect(failure.toBody()).toEqual({ message: error.message, param: null, ...usual });
    }
  });

  it('reports an overload without the provider text', () => {
    const failure = providerStatusError('acme', 529, { 'retry-after': '3' }, { message: 'stack trace' });
    expect(failure).toMatchObject({ status: 529, code: 'provider_overloaded', fallback: 'after_retry' });
    expect(failure.headers).toEqual({ 'retry-after': '3' });
    expect(failure.toBody()).toMatchObject({ type: 'overloaded_error', code: 'provider_overloaded' });
    expect(failure.message).not.toContain('stack trace');
  });

  it.each([
    ['Anthropic', 400, 'prompt is too long: 201234 tokens > 200000 maximum'],
    ['Anthropic, with the output', 400, 'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000'],
    [
      'OpenAI',
      400,
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
    ],
    [
      'OpenAI, newer',
      400,
      'Your input exceeds the context window of this model. Please adjust your input and try again.',
    ],
    ['Google', 400, 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).'],
    ['Bedrock', 400, 'Input is too long for requested model.'],
    ['xAI', 400, "This model's maximum prompt length is 131072 but the request contains 537812 tokens."],
    ['Groq', 413, 'Please reduce the length of the messages or completion.'],
    ['Mistral', 400, 'Prompt contains 65673 tokens, too large for model with 32768 maximum context length'],
    ['Cohere', 400, 'too many tokens: total number of tokens in the prompt cannot exceed 4081'],
    ['llama.cpp', 400, 'the request exceeds the available context size, try increasing it'],
  ])("has OpenAI's code for an input that is too long: %s", (_, status, message) => {
    const error = providerStatusError('acme', status, {}, { message, type: 'a_type', code: '3051' });
    expect(error).toMatchObject({ status, message, passedOn: { type: 'a_type', code: 'context_length_exceeded' } });
  });

  it('has that code for no other refusal', () => {
    for (const [status, message] of [
      [400, 'max_tokens is too large: 90000. This model supports at most 4096 completion tokens.'],
      [429, 'Too many tokens, please wait before trying again.'],
      [404, 'prompt is too long'],
    ] as const) {
      expect(providerStatusError('acme', status, {}, { message }).toBody().code).not.toBe('context_length_exceeded');
    }
  });

  it('searches a long message no further than its beginning, in linear time', () => {
    // Minutes, were all of it searched from each of its words.
    const message = 'input token count '.repeat(100_000);
    for (let round = 0; round < 100; round += 1)
      expect(providerStatusError('acme', 400, {}, { message }).toBody().code).not.toBe('context_length_exceeded');
  });

  it.each([302, 500, 503])('turns %i into provider_error without the provider text', (status) => {
    const error = providerStatusError('acme', status, {}, { message: 'stack trace' });
    expect(error).toMatchObject({ status: 502, code: 'provider_error', internal: `acme returned status ${status}` });
    expect(error.message).not.toContain('stack trace');
  });
});

describe('errorInResponse', () => {
  it.each([
    [{ type: 'overloaded_error' }, 529, 'provider_overloaded'],
    [{ type: 'rate_limit_error' }, 429, 'rate_limit_exceeded'],
    [{ type: 'requests', code: 'rate_limit_exceeded' }, 429, 'rate_limit_exceeded'],
    [{ type: 'insufficient_quota', code: 'insufficient_quota' }, 429, 'insufficient_quota'],
    [{ type: 'invalid_request_error' }, 400, null],
    [{ type: 'invalid_request_error', code: 'context_length_exceeded' }, 400, 'context_length_exceeded'],
    [{ type: 'billing_error' }, 402, 'insufficient_quota'],
    [{ type: 'request_too_large' }, 413, null],
    [{ type: 'authentication_error' }, 502, 'provider_error'],
    [{ type: 'api_error' }, 502, 'provider_error'],
    [{ type: 'server_error' }, 502, 'provider_error'],
    [{ code: '429' }, 429, 'rate_limit_exceeded'],
    [{ code: '503' }, 502, 'provider_error'],
    [{ code: '200' }, 502, 'provider_error'],
    [{}, 502, 'provider_error'],
  ])('gives %j the status %i, and no second call', (error, status, code) => {
    const failure = errorInResponse('acme', { message: 'Text.', ...error });
    expect([failure.status, failure.toBody().code, failure.fallback]).toEqual([status, code, undefined]);
    if (status < 500) expect(failure.message).toBe('Text.');
    else expect(failure.message).not.toContain('Text.');
    expect(failure.internal).not.toContain('Text.');
  });

  it('logs no type that is text', () => {
    const { internal } = errorInResponse('acme', { message: 'x', type: 'the prompt was: hello', code: 'a secret' });
    expect(internal).toBe('acme: error in the response, unknown type');
  });
});

describe('readBounded', () => {
  it('joins characters that were cut between pieces', async () => {
    const bytes = new TextEncoder().encode('né€🍰');
    const single = (async function* () {
      for (const byte of bytes) yield Uint8Array.of(byte);
    })();
    expect(await readBounded(single, 100)).toBe('né€🍰');
  });

  it('stops at the limit and closes the body', async () => {
    let closed = false;
    const endless = (async function* () {
      try {
        for (;;) yield new TextEncoder().encode('abc');
      } finally {
        closed = true;
      }
    })();
    expect(await readBounded(endless, 7)).toBe('abcabca');
    expect(closed).toBe(true);
  });

  it('gives a body of exactly the limit whole', async () => {
    expect(await readBounded(pieces('abc', 'def'), 6)).toBe('abcdef');
    expect(await readBounded(pieces(), 6)).toBe('');
  });
});

describe('unreadableResponse', () => {
  it('is a provider_error that names what was wrong only in the log', () => {
    const error = unreadableResponse('acme', 'response is not JSON');
    expect(error).toMatchObject({ code: 'provider_error', internal: 'acme: response is not JSON' });
    expect(error.message).not.toContain('JSON');
  });
});

describe('readErrorBody', () => {
  it.each([
    ['stays silent', 2 ** 31 - 1],
    ['never ends', 1],
  ])('returns what came of a body that %s, and closes it', async (_, everyMs) => {
    let closed = false;
    let waitMs = 0;
    const pieces: AsyncIterableIterator<Uint8Array> = {
      [Symbol.asyncIterator]: () => pieces,
      next: async () => {
        await new Promise((next) => setTimeout(next, waitMs).unref());
        const text = waitMs === 0 ? '{"error":' : ' ';
        waitMs = everyMs;
        return { done: false, value: new TextEncoder().encode(text) };
      },
      return: async () => {
        closed = true;
        return { done: true, value: undefined };
      },
    };
    expect((await readErrorBody(pieces, 100)).trim()).toBe('{"error":');
    expect(closed).toBe(true);
  });
});
