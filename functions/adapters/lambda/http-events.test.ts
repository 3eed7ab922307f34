import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import type { App } from '../../kernel/http/index.ts';
import { type FunctionUrlEvent, type RestApiEvent, restApiRequest, serveFunctionUrl } from './http-events.ts';

function event(fields: Partial<FunctionUrlEvent> & { method?: string } = {}): FunctionUrlEvent {
  const { method = 'POST', ...rest } = fields;
  return {
    rawPath: '/v1/a%20b',
    rawQueryString: '',
    headers: {},
    requestContext: { http: { method, sourceIp: '9.9.9.9' } },
    isBase64Encoded: false,
    ...rest,
  };
}

/** The request that the app received. */
async function asked(given: FunctionUrlEvent) {
  let seen: unknown;
  const app: App = async (request, context) => {
    const { pathname, search } = new URL(request.url);
    seen = {
      method: request.method,
      path: pathname + search,
      header: request.headers.get('x-a'),
      body: Buffer.from(await request.bytes()).toString(),
      ...context,
    };
    return { status: 201, headers: { 'x-b': '2' }, body: 'ok' };
  };
  const result = await serveFunctionUrl(app, given);
  return { seen, result };
}

describe("a function URL's event", () => {
  it('becomes a request; the client address comes from the platform, whatever headers contain', async () => {
    const headers = { 'x-a': '1', 'x-forwarded-for': '1.1.1.1', absent: undefined };
    const { seen, result } = await asked(event({ headers, rawQueryString: 'a=1&b=%20', body: 'hé' }));
    expect(seen).toEqual({
      method: 'POST',
      path: '/v1/a%20b?a=1&b=%20',
      header: '1',
      body: 'hé',
      clientAddress: '9.9.9.9',
    });
    expect([result.statusCode, result.headers['x-b'], await text(result.body as Readable)]).toEqual([201, '2', 'ok']);
  });

  it.each([
    ['in base64', { body: Buffer.from('hé').toString('base64'), isBase64Encoded: true }, 'hé'],
    ['that is absent', {}, ''],
  ])('may have a body %s', async (_, fields, body) =>
    expect((await asked(event(fields))).seen).toMatchObject({ body }),
  );

  it('becomes a request with its separate cookies; headers of the distribution go only to the front door', async () => {
    const headers = { 'x-svc-origin-secret': 's', 'x-svc-viewer-address': '192.0.2.7:1', 'x-a': '1' };
    const names = ['cookie', 'x-svc-origin-secret', 'x-svc-viewer-address', 'x-a'];
    let seen: unknown;
    const app: App = async ({ headers: sent }, context) => {
      seen = [context, ...names.map((name) => sent.get(name))];
      return { status: 200, headers: {}, cookies: ['d=4'], body: 'ok' };
    };
    const { cookies } = await serveFunctionUrl(
      app,
      event({ headers, cookies: ['a=1', 'b=2'] }),
      async (all, source) => ({
        clientAddress: `${all['x-svc-viewer-address']} by ${source}`,
      }),
    );
    expect(seen).toEqual([{ clientAddress: '192.0.2.7:1 by 9.9.9.9' }, 'a=1; b=2', null, null, '1']);
    expect(cookies).toEqual(['d=4']);
  });

  it('has an empty response body as a string, since a stream that never writes would hang', async () => {
    expect((await serveFunctionUrl(async () => ({ status: 204, headers: {}, body: '' }), event())).body).toBe('');
  });

  it.each(['/v1\\admin\\keys', '@evil.example/v1', 'x', '', '/v1/../admin', 'http://other/v1/admin/keys'])(
    'passes its path on as sent, with no other host: %j',
    async (rawPath) => {
      const urls: string[] = [];
      const app: App = async ({ url }) => {
        urls.push(url);
        return { status: 200, headers: {}, body: '' };
      };
      await serveFunctionUrl(app, event({ rawPath }));
      await serveFunctionUrl(app, restEvent({ path: rawPath }));
      const sent = rawPath.startsWith('/') ? rawPath : `/${rawPath}`;
      expect(urls).toEqual([`http://gateway${sent}`, `http://gateway${sent}`]);
    },
  );

  it('has cookies separate from headers, in the request and the response', async () => {
    const app: App = async ({ headers }) => ({
      status: 200,
      headers: {},
      cookies: ['c=3; Path=/', 'd=4'],
      body: headers.get('cookie') ?? '',
    });
    const { headers, cookies, body } = await serveFunctionUrl(app, event({ cookies: ['a=1', 'b=2'] }));
    expect(await text(body as Readable)).toBe('a=1; b=2');
    expect(cookies).toEqual(['c=3; Path=/', 'd=4']);
    expect(headers).not.toHaveProperty('set-cookie');
  });
});

function restEvent(fields: Partial<RestApiEvent> = {}): RestApiEvent {
  return {
    httpMethod: 'POST',
    path: '/v1/models/a%20b:generateContent',
    multiValueHeaders: null,
    multiValueQueryStringParameters: null,
    requestContext: { identity: { sourceIp: '203.0.113.7' } },
    body: null,
    isBase64Encoded: false,
    ...fields,
  };
}

describe("a REST API's event", () => {
  it('becomes a request: method, path, query, headers, body', async () => {
    const request = restApiRequest(
      restEvent({
        multiValueHeaders: { 'X-A': ['1', '2'], Accept: ['*/*'] },
        multiValueQueryStringParameters: { a: ['1', '2'], 'b c': ['d&e=ü'] },
        body: 'hé',
      }),
    );
    const { pathname, searchParams } = new URL(request.url);
    expect([request.method, pathname]).toEqual(['POST', '/v1/models/a%20b:generateContent']);
    expect([...searchParams]).toEqual([
      ['a', '1'],
      ['a', '2'],
      ['b c', 'd&e=ü'],
    ]);
    expect([request.headers.get('x-a'), request.headers.get('accept')]).toEqual(['1, 2', '*/*']);
    expect(Buffer.from(await request.bytes()).toString()).toBe('hé');
  });

  it.each([
    ['in base64', { body: Buffer.from([255, 0]).toString('base64'), isBase64Encoded: true }, [255, 0]],
    ['that is absent', {}, []],
  ])('may have a body %s', async (_, fields, bytes) => {
    expect([...(await restApiRequest(restEvent(fields)).bytes())]).toEqual(bytes);
  });

  it("may contain only the required fields, as the console's tests send it", () => {
    expect(restApiRequest(restEvent()).url).toBe('http://gateway/v1/models/a%20b:generateContent');
  });

  it("has the client address from the platform; headers are ignored, and a distribution's are not passed on", async () => {
    const multiValueHeaders = {
      'X-Forwarded-For': ['192.0.2.66'],
      'CloudFront-Viewer-Address': ['192.0.2.66:443'],
      'X-Svc-Origin-Secret': ['a'.repeat(64)],
    };
    const refusing = async () => ({ clientAddress: '192.0.2.66' });
    let seen: unknown;
    const app = async (request: ReturnType<typeof restApiRequest>, context: object) => {
      const named = ['x-svc-origin-secret', 'x-svc-viewer-address'].map((name) => request.headers.get(name));
      seen = [context, ...named];
      return { status: 204, headers: { 'x-a': '1' }, cookies: ['a=1', 'b=2'], body: '' };
    };
    const result = await serveFunctionUrl(app, restEvent({ multiValueHeaders }), refusing);
    expect(seen).toEqual([{ clientAddress: '203.0.113.7' }, null, null]);
    expect(result).toEqual({ statusCode: 204, headers: { 'x-a': '1' }, cookies: ['a=1', 'b=2'], body: '' });
  });
});
