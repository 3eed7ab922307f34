import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ApiError, request, retrying, setCsrfToken, toSearch } from './client.ts';

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
  it('sends the CSRF token with changes only', async () => {
    setCsrfToken('token');
    await request('GET', '/v1/a');
    await request('POST', '/v1/a', { body: { a: 1 } });
    await request('DELETE', '/v1/a');
    expect(asked.map((one) => headersOf(one).get('x-svc-csrf'))).toEqual([null, 'token', 'token']);
    expect(asked.map(({ init }) => [init.credentials, init.redirect])).toEqual(Array(3).fill(['same-origin', 'error']));
  });

  it("throws the API's error with its code and field", async () => {
    const error = { message: 'No.', code: 'invalid_value', param: 'name' };
    answer = async () => Response.json({ error }, { status: 400, headers: { 'x-request-id': 'req_1' } });
    const failed = await request('GET', '/v1/a').catch((reason) => reason);
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
      'no response in time',
      async () => Promise.reject(new DOMException('', 'TimeoutError')),
      { status: 0, code: 'timeout' },
    ],
  ])('throws %s as an error of its kind', async (_, given, fields) => {
    answer = given as () => Promise<Response>;
    expect(await request('GET', '/v1/a').catch((reason) => reason)).toMatchObject({ name: 'ApiError', ...fields });
  });

  it('ends with an AbortError when its caller aborts it', async () => {
    answer = async () => Promise.reject(new DOMException('', 'AbortError'));
    expect(await request('GET', '/v1/a').catch((reason) => reason)).not.toBeInstanceOf(ApiError);
  });
});

const values = fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), fc.string());

describe('search strings', () => {
  it('contain values that are set, escaped, and no empty ones', () => {
    fc.assert(
      fc.property(values, (query) => {
        const written = Object.fromEntries(new URLSearchParams(toSearch(query)));
        const set = Object.entries(query).filter(([, value]) => value !== '');
        expect(written).toEqual(Object.fromEntries(set.map(([name, value]) => [name, value.toWellFormed()])));
      }),
    );
  });
});

const failure = (status: number) => new ApiError(status, 'x', 'x');

async function run(outcomes: readonly (number | 'done')[]) {
  const pauses: number[] = [];
  let at = 0;
  const work = async () => {
    const outcome = outcomes[at] ?? 'done';
    at += 1;
    if (outcome !== 'done') throw failure(outcome);
    return 'done';
  };
  const result = await retrying(work, async (pauseMs) => void pauses.push(pauseMs)).catch((error) => error.status);
  return { result, calls: at, pauses };
}

describe('retries', () => {
  it('follow temporary failures, with growing pauses', async () => {
    const { result, calls, pauses } = await run([0, 503, 429, 'done']);
    expect([result, calls]).toEqual(['done', 4]);
    expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
    expect(pauses).toHaveLength(3);
  });

  it('end with the error if the failure persists', async () => {
    expect(await run([500, 500, 502, 503, 'done'])).toMatchObject({ result: 503, calls: 4 });
  });

  it('do not follow a refusal', async () => {
    for (const status of [400, 401, 403, 404, 412])
      expect(await run([status])).toMatchObject({ result: status, calls: 1 });
  });
});
