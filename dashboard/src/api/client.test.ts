import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { withChanges } from '../parts/use-url-state.ts';
import { ApiError, call, setCsrfToken, toSearch } from './client.ts';

interface Asked {
  readonly address: string;
  readonly init: RequestInit;
}

const realFetch = globalThis.fetch;
let asked: Asked[] = [];
let answer: () => Promise<Response>;

beforeEach(() => {
  asked = [];
  answer = async () => Response.json({ ok: true });
  globalThis.fetch = async (address, init) => {
    asked.push({ address: String(address), init: init ?? {} });
    return await answer();
  };
});

afterEach(() => {
  globalThis.fetch = realFetch;
  setCsrfToken(undefined);
});

const headersOf = ({ init }: Asked) => new Headers(init.headers);

describe('a call of the API', () => {
  it('carries the token with what changes something, and with nothing else', async () => {
    setCsrfToken('token');
    await call('GET', '/v1/a');
    await call('POST', '/v1/a', { body: { a: 1 } });
    await call('DELETE', '/v1/a');
    expect(asked.map((one) => headersOf(one).get('x-svc-csrf'))).toEqual([null, 'token', 'token']);
    expect(asked.map(({ init }) => [init.credentials, init.redirect])).toEqual(Array(3).fill(['same-origin', 'error']));
  });

  it('tells what the API refused, by its code and field', async () => {
    const error = { message: 'No.', code: 'invalid_value', param: 'name' };
    answer = async () => Response.json({ error }, { status: 400, headers: { 'x-request-id': 'req_1' } });
    const failed = await call('GET', '/v1/a').catch((reason) => reason);
    expect(failed).toBeInstanceOf(ApiError);
    expect(failed).toMatchObject({
      status: 400,
      code: 'invalid_value',
      message: 'No.',
      param: 'name',
      requestId: 'req_1',
    });
  });

  it.each([
    ['an answer of a proxy', async () => new Response('<html>', { status: 502 }), { status: 502, code: 'unknown' }],
    ['an answer that is no JSON', async () => new Response('<html>'), { status: 200, code: 'invalid_answer' }],
    ['no connection', async () => Promise.reject(new TypeError('fetch failed')), { status: 0, code: 'unreachable' }],
    [
      'no answer in time',
      async () => Promise.reject(new DOMException('', 'TimeoutError')),
      { status: 0, code: 'timeout' },
    ],
  ])('tells of %s as such', async (_, given, told) => {
    answer = given as () => Promise<Response>;
    expect(await call('GET', '/v1/a').catch((reason) => reason)).toMatchObject({ name: 'ApiError', ...told });
  });

  it('is given up when its caller gives it up, which is no failure of the service', async () => {
    answer = async () => Promise.reject(new DOMException('', 'AbortError'));
    expect(await call('GET', '/v1/a').catch((reason) => reason)).not.toBeInstanceOf(ApiError);
  });
});

const values = fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), fc.string());

describe('addresses', () => {
  it('hold what is set, whatever signs it has, and nothing that is empty', () => {
    fc.assert(
      fc.property(values, (query) => {
        const written = Object.fromEntries(new URLSearchParams(toSearch(query)));
        const set = Object.entries(query).filter(([, value]) => value !== '');
        expect(written).toEqual(Object.fromEntries(set.map(([name, value]) => [name, value.toWellFormed()])));
      }),
    );
  });

  it('keep what is not changed', () => {
    fc.assert(
      fc.property(values, values, (before, changes) => {
        const after = withChanges(new URLSearchParams(before), changes);
        for (const [name, value] of Object.entries({ ...before, ...changes })) {
          const isGone = name in changes && changes[name] === '';
          expect(after.get(name)).toBe(isGone ? null : value.toWellFormed());
        }
      }),
    );
  });
});
