import { describe, expect, test } from '@jest/globals';
import { serveFunctionUrl } from './function-url.ts';
import { type RestApiEvent, restApiRequest } from './rest-api-event.ts';

function event(fields: Partial<RestApiEvent> = {}): RestApiEvent {
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
  test('is a request: method, path, query, headers, body', async () => {
    const request = restApiRequest(
      event({
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

  test.each([
    ['in base64', { body: Buffer.from([255, 0]).toString('base64'), isBase64Encoded: true }, [255, 0]],
    ['that is absent', {}, []],
  ])('may have a body %s', async (_, fields, bytes) => {
    expect([...(await restApiRequest(event(fields)).bytes())]).toEqual(bytes);
  });

  test('may hold nothing but what it must, as the console’s tests send it', () => {
    expect(restApiRequest(event()).url).toBe('http://rest-api/v1/models/a%20b:generateContent');
  });

  test("comes from whom the platform names; no header has a say, nor is a distribution's passed on", async () => {
    const multiValueHeaders = {
      'X-Forwarded-For': ['192.0.2.66'],
      'CloudFront-Viewer-Address': ['192.0.2.66:443'],
      'X-Svc-Origin-Secret': ['a'.repeat(64)],
    };
    const refusing = async () => ({ clientAddress: '192.0.2.66' });
    let seen: unknown;
    const app = async (request: ReturnType<typeof restApiRequest>, context: object) => {
      const named = ['x-svc-origin-secret', 'cloudfront-viewer-address'].map((name) => request.headers.get(name));
      seen = [context, ...named];
      return { status: 204, headers: { 'x-a': '1' }, cookies: ['a=1', 'b=2'], body: '' };
    };
    const result = await serveFunctionUrl(app, event({ multiValueHeaders }), refusing);
    expect(seen).toEqual([{ clientAddress: '203.0.113.7' }, null, null]);
    expect(result).toEqual({ statusCode: 204, headers: { 'x-a': '1' }, cookies: ['a=1', 'b=2'], body: '' });
  });
});
