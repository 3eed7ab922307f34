import { describe, expect, it } from '@jest/globals';
import { readTracking } from '../../pipeline/index.ts';
import { GatewayError } from '../errors/index.ts';
import { readJsonBody } from './request-body.ts';
import { jsonResponse } from './responses.ts';
import { createApp, type FinishedRequest, type Route, toAddress } from './router.ts';
import { toWebResponse } from './to-web-response.fixture.ts';

const echo = (method: Route['method'], path: string): Route => ({
  method,
  path,
  handle: async ({ params }) => jsonResponse(200, { path, params }),
});
const failed: string[] = [];
const answered: FinishedRequest[] = [];
/** Another API's errors. */
const OTHER: Pick<Route, 'errorShape' | 'requestIdHeader'> = {
  errorShape: ({ status }, id) => ({ other: status, id }),
  requestIdHeader: 'other-id',
};
const app = createApp(
  [
    echo('GET', '/v1/keys'),
    echo('POST', '/v1/keys'),
    echo('GET', '/v1/keys/{id}'),
    {
      ...echo('POST', '/v1/other'),
      ...OTHER,
    },
    { ...echo('GET', '/open'), open: true },
    {
      ...{ method: 'GET', path: '/shared', isFor: (headers) => headers.get('other-api') !== null },
      errorShape: ({ status }) => ({ other: status }),
      handle: async () => jsonResponse(200, { api: 'other' }),
    },
    { ...echo('GET', '/shared'), handle: async () => jsonResponse(200, { api: 'usual' }) },
    { method: 'GET', path: '/bug', handle: async () => Promise.reject(new Error('a secret')) },
    {
      method: 'GET',
      path: '/no',
      handle: async () => Promise.reject(new GatewayError('not_found', 'No.', { headers: { 'x-extra': '1' } })),
    },
  ],
  {
    monotonic: () => 0,
    onError: ({ requestId }) => failed.push(requestId),
    onAnswered: (one) => answered.push(one),
    errorsOf: ({ url }) => (new URL(url).pathname.startsWith('/v1/other/') ? OTHER : {}),
  },
);
const ask = async (method: string, path: string) =>
  toWebResponse(await app(new Request(`http://host${path}`, { method }), { clientAddress: '' }));
const reply = async (method: string, path: string) => {
  const response = await ask(method, path);
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
};

describe('an app', () => {
  it.each([
    ['/v1/keys', { path: '/v1/keys', params: {} }],
    ['/v1/keys/', { path: '/v1/keys', params: {} }],
    ['/v1/keys/key_1/', { path: '/v1/keys/{id}', params: { id: 'key_1' } }],
    ['/v1/keys?x=1', { path: '/v1/keys', params: {} }],
    ['/v1/keys/key_1', { path: '/v1/keys/{id}', params: { id: 'key_1' } }],
    ['/v1/keys/a%2Fb', { path: '/v1/keys/{id}', params: { id: 'a/b' } }],
  ])('finds the route of %s', async (path, body) => expect(await (await ask('GET', path)).json()).toEqual(body));

  it.each(['/v1/keys//', '/v1/keys/a/b', '//v1/keys', '/V1/keys', '/', '/v1/keys/%zz'])(
    'answers 404 for %s',
    async (path) => expect((await ask('GET', path)).status).toBe(404),
  );

  /** A request with its target as a client sent it; `Request` would already have changed it. */
  const asSent = (target: string, method = 'GET') => {
    const { headers } = new Request('http://host/');
    const bytes = async () => new Uint8Array();
    return app({ method, url: toAddress(target), headers, bytes }, { clientAddress: '' });
  };

  it.each([
    ['backslashes', '/v1\\keys', '\\v1\\keys', '/\\v1/keys', '/v1/keys\\', '/v1/keys/a\\b'],
    ['dot segments', '/v1/./keys', '/v1/x/../keys', '/./v1/keys', '/v1/keys/.', '/v1/keys/x/..', '/v1/keys/..'],
    ['encoded dot segments', '/v1/%2e/keys', '/v1/x/%2e%2E/keys', '/v1/x/.%2e/keys', '/v1/keys/%2e%2e'],
    ['dot segments in a parameter', '/v1/keys/a%2F..%2Fb', '/v1/keys/..%2fx', '/v1/keys/a%5c..', '/v1/keys/..;x'],
    ['dot segments encoded twice', '/v1/keys/%252e%252e', '/v1/keys/a%252f%252e%252e%252fb', '/v1/keys/..%25252fx'],
    ['encoded separators', '/v1%2Fkeys', '/v1%2fkeys', '/v1%5Ckeys', '/v1%252Fkeys'],
    ['empty segments', '//v1/keys', '/v1//keys', '/v1/keys//', '/v1/keys//a', '///v1/keys'],
    ['encoded letters and other case', '/v1/%6beys', '/%76%31/keys', '/V1/keys', '/v1/KEYS'],
    ['parameters of a segment', '/v1;a/keys', '/v1/keys;a=b', '/v1/keys;', '/v1;/keys'],
    ['white space and controls', '/v1/ke\tys', '/v1/k\neys', '/v1/keys\r', '/v1/keys ', ' /v1/keys', '/v1/keys\0'],
    ['encoded controls', '/v1/keys%00', '/v1/keys/a%0a', '/v1/keys/%7f', '/v1/keys/a%2500', '/v1/keys%20'],
    ['fragments', '/v1/keys#', '/v1/keys#a', '/v1/keys/a#b', '/v1/keys?x=1#y', '#/v1/keys'],
    ['another host', '@evil.example/v1/keys', 'x/v1/keys', '.evil.example/v1/keys', 'http://host/v1/keys', '*', ''],
    ['letters that are no ASCII', '/v1/key\u017f', '/v1\uff0fkeys', '/v1/\u2024\u2024/keys', '/v1/keys/\u00e9'],
    ['broken escapes', '/v1/keys/%', '/v1/keys/%4', '/v1/keys/%zz', '/v1/keys/%u0041', '/v1/keys/%ff'],
    ['other endings', '/v1/keys.', '/v1/keys..', '/v1/keys/./', '/v1/keys.json', '/v1/keys%2F', '/v1/keys/%2F..'],
    ['tabs and lines in the query', '/v1/keys?a=\t', '/v1/keys?\n', '/v1/keys?a b'],
  ])('routes a path only as it was sent: %s', async (_, ...targets) => {
    for (const target of targets) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        expect([target, method, (await asSent(target, method)).status]).toEqual([target, method, 404]);
      }
    }
  });

  it.each([
    ['/v1/keys/openai%2Fgpt-4o', 'openai/gpt-4o'],
    ['/v1/keys/CORP%5Cann', 'CORP\\ann'],
    ['/v1/keys/100%25', '100%'],
    ['/v1/keys/a%252Fb', 'a%2Fb'],
    ['/v1/keys/...', '...'],
    ['/v1/keys/gpt-4.1;x', 'gpt-4.1;x'],
    ["/v1/keys/~a!$&'()*+,=:@", "~a!$&'()*+,=:@"],
    ['/v1/keys/%C3%A9?a=\u00e9&b=\\', 'é'],
  ])('decodes the parameter of %s once', async (target, id) => {
    expect(JSON.parse((await asSent(target)).body as string).params).toEqual({ id });
  });

  it('lets who is refused ask for nothing but what is open, and says so as the path’s API does', async () => {
    const refusal = new GatewayError('insufficient_permissions', 'Not here.');
    const refused = async (method: string, path: string) => {
      const request = new Request(`http://host${path}`, { method });
      const response = toWebResponse(await app(request, { clientAddress: '', refusal }));
      return [response.status, await response.json()];
    };
    expect(await refused('GET', '/open')).toEqual([200, { path: '/open', params: {} }]);
    expect(await refused('POST', '/v1/other')).toEqual([403, { other: 403, id: expect.stringMatching(/^req_/) }]);
    for (const [method, path] of [
      ['GET', '/v1/keys'],
      ['GET', '/bug'],
      ['POST', '/open'],
      ['GET', '/open/more'],
      ['GET', '/nowhere'],
    ] as const) {
      const shape = { error: expect.objectContaining({ code: 'insufficient_permissions', message: 'Not here.' }) };
      expect(await refused(method, path)).toEqual([403, shape]);
    }
  });

  it('serves the clients of one API by a route of their own', async () => {
    const shared = async (headers: Record<string, string>, method = 'GET') => {
      const request = new Request('http://host/shared', { method, headers });
      return (await toWebResponse(await app(request, { clientAddress: '' }))).json();
    };
    expect(await shared({ 'other-api': '1' })).toEqual({ api: 'other' });
    expect(await shared({})).toEqual({ api: 'usual' });
    expect(await shared({ 'other-api': '1' }, 'POST')).toEqual({ other: 405 });
    expect(await shared({}, 'POST')).toMatchObject({ error: { code: 'method_not_allowed' } });
  });

  it('answers 405 and what is allowed', async () => {
    const response = await ask('DELETE', '/v1/keys');
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, POST']);
  });

  it('answers a caller of another API in its own shape, where the path or the method is wrong too', async () => {
    for (const [method, path, status] of [
      ['GET', '/v1/other', 405],
      ['POST', '/v1/other/more', 404],
    ] as const) {
      const { headers, ...response } = await reply(method, path);
      expect(response).toEqual({ status, body: { other: status, id: headers.get('x-request-id') } });
      expect(headers.get('other-id')).toBe(headers.get('x-request-id'));
    }
    expect((await ask('POST', '/v1/other')).headers.get('other-id')).toMatch(/^req_/);
    const elsewhere = await reply('POST', '/v1/others');
    expect([elsewhere.body.error.code, elsewhere.headers.get('other-id')]).toEqual(['not_found', null]);
  });

  it('puts a new request id on every answer', async () => {
    const answers = await Promise.all([ask('GET', '/v1/keys'), ask('GET', '/none'), ask('GET', '/bug')]);
    const ids = answers.map(({ headers }) => headers.get('x-request-id') as string);
    for (const id of ids) expect(id).toMatch(/^req_[0-9a-f]{32}$/);
    expect(new Set(ids).size).toBe(3);
  });

  it('tells nothing of a fault of ours but the request id, and tells the log', async () => {
    const response = await ask('GET', '/bug');
    const id = response.headers.get('x-request-id') as string;
    const text = await response.text();
    expect(JSON.parse(text).error).toEqual({
      message: expect.stringContaining(id),
      type: 'server_error',
      param: null,
      code: 'internal_error',
    });
    expect(text).not.toContain('a secret');
    expect(failed).toContain(id);
  });

  it("answers an error in OpenAI's shape with its headers", async () => {
    const response = await ask('GET', '/no');
    expect([response.status, response.headers.get('x-extra'), await response.json()]).toEqual([
      404,
      '1',
      { error: { message: 'No.', type: 'invalid_request_error', param: null, code: 'not_found' } },
    ]);
  });
});

describe('the tracking headers', () => {
  it('are read, X-User-ID where X-End-User-ID is absent', () => {
    expect(
      readTracking(
        new Headers({ 'x-session-id': 's', 'x-user-id': 'u', 'x-environment': 'e', 'x-app-version': '1 2' }),
        {},
      ),
    ).toMatchObject({ sessionId: 's', endUserId: 'u', environment: 'e', appVersion: '1 2' });
    expect(readTracking(new Headers({ 'x-end-user-id': 'e', 'x-user-id': 'u' }), {}).endUserId).toBe('e');
    expect(readTracking(new Headers({ 'x-session-id': 'a'.repeat(256) }), {}).sessionId).toHaveLength(256);
  });
  it.each([
    ['too long', 'a'.repeat(257)],
    ['not ASCII', 'é'],
    ['with a tab', 'a\tb'],
  ])('are refused by name: %s', (_, value) =>
    expect(() => readTracking(new Headers({ 'x-session-id': value }), {})).toThrow(
      expect.objectContaining({ code: 'invalid_value', param: 'X-Session-ID' }),
    ),
  );
});

describe('a JSON body', () => {
  const post = (body: string | Uint8Array<ArrayBuffer>, type: string | null = 'application/json') =>
    new Request('http://h', {
      method: 'POST',
      body,
      headers: type === null ? { 'content-type': '' } : { 'content-type': type },
    });
  it.each(['application/json', 'Application/JSON; charset=utf-8'])('is read as %s', async (type) =>
    expect((await readJsonBody(post('{"a":"é"}', type))).value).toEqual({ a: 'é' }),
  );
  it.each([
    ['another type', post('{}', 'text/plain'), 'unsupported_media_type'],
    ['no type', post('{}', null), 'unsupported_media_type'],
    ['no JSON', post('{'), 'invalid_json'],
    ['nothing', post(''), 'invalid_json'],
    ['bytes that are not UTF-8', post(new Uint8Array([0x22, 0xff, 0x22])), 'invalid_json'],
    ['more bytes than allowed', post(`"${'é'.repeat(5)}"`), 'request_too_large'],
  ])('is refused: %s', async (_, request, code) => expect(readJsonBody(request, 11)).rejects.toMatchObject({ code }));
});

describe('an app tells of every request that leaves no record', () => {
  it.each([
    ['GET', '/v1/keys/key_1', { route: '/v1/keys/{id}', status: 200, errorCode: null }],
    ['GET', '/no', { route: '/no', status: 404, errorCode: 'not_found' }],
    ['GET', '/nowhere', { route: null, status: 404, errorCode: 'not_found' }],
    ['GET', '/bug', { route: '/bug', status: 500, errorCode: 'internal_error' }],
  ])('%s %s', async (method, path, told) => {
    answered.length = 0;
    const { headers } = await reply(method, path);
    const ids = { requestId: headers.get('x-request-id'), traceId: headers.get('x-trace-id') };
    expect(answered).toEqual([{ ...ids, method, durationMs: 0, ...told }]);
  });
});
