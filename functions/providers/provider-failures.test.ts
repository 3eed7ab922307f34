import { describe, expect, it } from '@jest/globals';
import { GatewayError } from '../core/base/errors.ts';
import { HttpFailure, type HttpFailureReason } from '../core/base/http-client.ts';
import { SseOverflow } from '../core/base/sse-decoder.ts';
import { providerStatusError, readBounded, toProviderFailure, unreadableResponse } from './provider-failures.ts';

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
    const error = providerStatusError('acme', status, {}, 'Incorrect API key provided: sk-123');
    expect(error).toMatchObject({ status: 502, code: 'provider_error' });
    expect(error.internal).toContain('refused our credentials');
    expect(error.message + error.internal).not.toContain('sk-123');
  });

  it('passes on 429 with its retry-after, and no other header', () => {
    const headers = { 'retry-after': '17', 'x-ratelimit-limit-requests': '5' };
    const error = providerStatusError('acme', 429, headers, 'Slow down.');
    expect(error.status).toBe(429);
    expect(error.headers).toEqual({ 'retry-after': '17' });
    expect(error.toBody()).toEqual({
      message: 'Slow down.',
      type: 'rate_limit_error',
      param: null,
      code: 'rate_limit_exceeded',
    });
    expect(providerStatusError('acme', 429, {}, undefined).headers).toEqual({});
  });

  it.each([400, 404, 408, 413, 422])('passes on %i with status and message', (status) => {
    const error = providerStatusError('acme', status, { 'retry-after': '1' }, 'Bad.');
    expect(error).toMatchObject({ status, headers: {} });
    expect(error.toBody()).toEqual({ message: 'Bad.', type: 'invalid_request_error', param: null, code: null });
  });

  it('has a message of its own where the provider gave none', () => {
    expect(providerStatusError('acme', 400, {}, undefined).message).toBe(
      'The provider acme refused the request with status 400.',
    );
  });

  it.each([302, 500, 503, 529])('turns %i into provider_error without the provider text', (status) => {
    const error = providerStatusError('acme', status, {}, 'stack trace');
    expect(error).toMatchObject({ status: 502, code: 'provider_error', internal: `acme returned status ${status}` });
    expect(error.message).not.toContain('stack trace');
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
