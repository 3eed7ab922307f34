import { afterEach, describe, expect, it } from '@jest/globals';
import { behindDistribution, type FrontDoor, openFrontDoor } from '../adapters/aws/front-door.ts';
import type { App, RequestContext } from '../kernel/http/index.ts';
import { BackgroundTasks } from '../kernel/tasks/index.ts';
import type { HttpHost } from './http-host.ts';
import { lastForwarded, readEndpoint, startWebFunction } from './web-function-host.ts';

const SECRET = 'a'.repeat(64);
const DISTRIBUTION = behindDistribution({ secret: async () => JSON.stringify({ sent: SECRET }), only: true });

let host: HttpHost | undefined;
afterEach(() => host?.stop(0));

/** What the app learns about the client of a request with these headers. */
async function contextOf(frontDoor: FrontDoor, headers: readonly (readonly [string, string])[]) {
  let seen: (RequestContext & { readonly passed: string | null }) | undefined;
  const app: App = async (request, context) => {
    seen = { ...context, passed: request.headers.get('x-svc-origin-secret') };
    return { status: 200, headers: {}, body: 'ok' };
  };
  host = await startWebFunction({ app, frontDoor, backgroundTasks: new BackgroundTasks() }, '127.0.0.1:0');
  const response = await rawRequest(host.url, headers);
  expect(response).toMatch(/^HTTP\/1\.1 200 /);
  return seen;
}

/** fetch joins repeated headers. */
async function rawRequest(url: string, headers: readonly (readonly [string, string])[]): Promise<string> {
  const { connect } = await import('node:net');
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('utf8');
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.write(`GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${lines}\r\n`);
  let text = '';
  for await (const piece of socket) text += piece;
  return text;
}

describe('the client of a Web Function', () => {
  it('is the last forwarded address, which Lambda appends', async () => {
    const context = await contextOf(openFrontDoor, [['X-Forwarded-For', '10.0.0.1, 203.0.113.7']]);
    expect(context?.clientAddress).toBe('203.0.113.7');
  });

  it('is unknown without that header, or if the client repeats it', async () => {
    expect((await contextOf(openFrontDoor, []))?.clientAddress).toBe('');
    await host?.stop(0);
    const repeated = [
      ['X-Forwarded-For', '203.0.113.7'],
      ['X-Forwarded-For', '10.0.0.1'],
    ] as const;
    expect((await contextOf(openFrontDoor, repeated))?.clientAddress).toBe('');
  });

  it("is the distribution's viewer if the secret proves it; the app never sees the secret", async () => {
    const headers = [
      ['X-Svc-Origin-Secret', SECRET],
      ['X-Svc-Viewer-Address', '198.51.100.9'],
      ['X-Forwarded-For', '10.0.0.1, 203.0.113.7'],
    ] as const;
    const context = await contextOf(DISTRIBUTION, headers);
    expect(context).toMatchObject({ clientAddress: '198.51.100.9', passed: null });
    expect(context?.refusal).toBeUndefined();
  });

  it.each([
    ['no secret', [['X-Svc-Viewer-Address', '198.51.100.9']]],
    ['a wrong secret', [['X-Svc-Origin-Secret', 'b'.repeat(64)]]],
    [
      'the secret twice',
      [
        ['X-Svc-Origin-Secret', SECRET],
        ['X-Svc-Origin-Secret', SECRET],
      ],
    ],
  ] as const)('is refused with %s where only the distribution may call', async (_, headers) => {
    const context = await contextOf(DISTRIBUTION, [...headers, ['X-Forwarded-For', '203.0.113.7']]);
    expect(context).toMatchObject({ clientAddress: '203.0.113.7', refusal: { code: 'insufficient_permissions' } });
  });

  it.each(['', 'unknown', '203.0.113.7,', '203.0.113.7, host', '203.0.113.7:443', '::1%eth0', '1.1.1.1\n2.2.2.2'])(
    'is not read from %j',
    (header) => expect(lastForwarded(header)).toBe(''),
  );
});

describe('the endpoint', () => {
  it('is the host and port of the variable', () => {
    expect(readEndpoint('127.0.0.1:8080')).toEqual({ host: '127.0.0.1', port: 8080 });
    expect(readEndpoint('[::1]:8080')).toEqual({ host: '::1', port: 8080 });
  });

  it.each([undefined, '', '8080', '127.0.0.1', ':8080'])('is required: %j', (endpoint) =>
    expect(() => readEndpoint(endpoint)).toThrow('AWS_LAMBDA_HTTP_ENDPOINT'),
  );
});

it('ends a response after the background tasks, since the process may be frozen then', async () => {
  const backgroundTasks = new BackgroundTasks();
  const write = Promise.withResolvers<void>();
  const app: App = async () => {
    backgroundTasks.add(write.promise);
    const pieces = (async function* () {
      yield 'all of it';
    })();
    return { status: 200, headers: {}, body: pieces };
  };
  host = await startWebFunction({ app, frontDoor: openFrontDoor, backgroundTasks }, '127.0.0.1:0');
  const { body } = await fetch(host.url);
  const reader = body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('all of it');
  const end = reader?.read();
  const early = new Promise((resolve) => setTimeout(() => resolve('still open'), 30));
  expect(await Promise.race([end, early])).toBe('still open');
  write.resolve();
  expect((await end)?.done).toBe(true);
});
