import { describe, expect, it } from '@jest/globals';
import { withCors } from './cors.ts';
import { HeaderList } from './request-headers.ts';
import { jsonResponse } from './responses.ts';
import type { App, IncomingRequest } from './router.ts';
import { toWebResponse } from './to-web-response.fixture.ts';

const PAGE = 'https://app.example.com';
const served = withCors(async () => jsonResponse(200, {}, { 'x-request-id': 'req_1' }), [PAGE]);
const app: (...asked: Parameters<App>) => Promise<Response> = async (...asked) => toWebResponse(await served(...asked));
const CONTEXT = { clientAddress: '203.0.113.7' };

function request(method: string, headers: Record<string, string>): IncomingRequest {
  return {
    method,
    url: 'http://gateway/v1/models',
    headers: new HeaderList(Object.entries(headers)),
    bytes: async () => new Uint8Array(),
  };
}

const preflightOf = (origin: string, asked = 'authorization, content-type, x-stainless-lang') =>
  request('OPTIONS', {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': asked,
  });

describe('a page of a named origin', () => {
  it('may ask before it calls, and call with the headers that it asked for', async () => {
    const { status, headers, body } = await app(preflightOf(PAGE), CONTEXT);
    expect([status, body]).toEqual([204, null]);
    expect(headers.get('access-control-allow-origin')).toBe(PAGE);
    expect(headers.get('access-control-allow-methods')).toContain('POST');
    expect(headers.get('access-control-allow-headers')).toBe('authorization, content-type, x-stainless-lang');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('is shown the answer with all its headers', async () => {
    const { status, headers } = await app(request('GET', { origin: PAGE }), CONTEXT);
    expect(status).toBe(200);
    expect(headers.get('access-control-allow-origin')).toBe(PAGE);
    expect(headers.get('access-control-expose-headers')?.split(', ')).toEqual(
      expect.arrayContaining(['x-request-id', 'content-type']),
    );
    expect(headers.get('vary')).toContain('Origin');
  });

  it.each(['a b', 'x\u0000', `x${', y'.repeat(100)}`, '*'])(
    'is told of no headers that are none: %j',
    async (asked) => {
      const { headers } = await app(preflightOf(PAGE, asked), CONTEXT);
      expect(headers.get('access-control-allow-headers')).toBeNull();
    },
  );
});

describe('any other page', () => {
  it.each(['https://evil.example', 'https://app.example.com.evil.example', 'http://app.example.com', 'null'])(
    'gets an answer that its browser does not show it: %s',
    async (origin) => {
      for (const asked of [preflightOf(origin), request('GET', { origin })]) {
        const { headers } = await app(asked, CONTEXT);
        expect(headers.get('access-control-allow-origin')).toBeNull();
        expect(headers.get('vary')).toContain('Origin');
      }
    },
  );
});

describe('without origins', () => {
  it('an app stays as it is', () => {
    const plain: App = async () => jsonResponse(200, {});
    expect(withCors(plain, [])).toBe(plain);
  });
});
