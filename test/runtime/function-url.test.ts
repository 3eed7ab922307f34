import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { type FunctionUrl, startFunctionUrl } from './function-url.ts';

/** Tests of the host, with a function that the test controls. */
const bundleDir = path.join(import.meta.dirname, 'fixture');

let host: FunctionUrl;
/** A test and its functions signal their progress by folders here. */
let meetings: string;
beforeAll(async () => {
  meetings = await mkdtemp(path.join(tmpdir(), 'svc-function-url-'));
  host = await startFunctionUrl({ bundleDir, size: 2, timeoutMs: 10_000 });
});
afterAll(async () => {
  await host.stop();
  await rm(meetings, { recursive: true });
});

const post = (body: unknown, init: RequestInit = {}) =>
  fetch(`${host.url}/v1/x?a=1&a=2`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: 'c=1; d=2' },
    body: JSON.stringify(body),
    ...init,
  });

async function eventOf(response: Response) {
  return JSON.parse((await response.text()).split('\n')[0]?.slice('data: '.length) ?? '');
}

describe('a function URL', () => {
  test("returns the function's status, headers and cookies", async () => {
    const response = await post({});
    expect(response.status).toBe(201);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('x-runtime')).toBe('AWS_Lambda_nodejs24.x');
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    await response.text();
  });

  test('forwards each piece when it is written', async () => {
    // The function writes a piece once the one before it has arrived.
    const arrived = (piece: number) => path.join(meetings, `piece-${piece}`);
    const { body } = await post({ chunks: 3, waitFor: [0, 1, 2].map(arrived) });
    let pieces = 0;
    for await (const _ of body ?? []) await mkdir(arrived(pieces++));
    expect(pieces).toBe(4);
  });

  test('gives the function an event of payload format 2.0', async () => {
    const event = await eventOf(await post({ chunks: 0 }));
    expect(event).toMatchObject({
      version: '2.0',
      rawPath: '/v1/x',
      rawQueryString: 'a=1&a=2',
      queryStringParameters: { a: '1,2' },
      cookies: ['c=1', 'd=2'],
      body: '{"chunks":0}',
      isBase64Encoded: false,
      requestContext: { http: { method: 'POST', path: '/v1/x', sourceIp: '127.0.0.1' } },
    });
    expect(event.headers).not.toHaveProperty('cookie');
  });

  test('gives a body that is not text in base64', async () => {
    const headers = { 'content-type': 'application/octet-stream' };
    const event = await eventOf(await post({}, { body: new Uint8Array([255, 0]), headers }));
    expect(event).toMatchObject({ body: '/wA=', isBase64Encoded: true });
  });

  test("refuses bodies above Lambda's limit", async () => {
    expect((await post({ filler: 'x'.repeat(6 * 1024 * 1024) })).status).toBe(413);
  });

  test('serves as many requests at once as it has processes', async () => {
    // Neither ends before the other has begun.
    const [one, other] = ['one', 'other'].map((name) => path.join(meetings, name));
    const ask = (arrive?: string, meet?: string) => post({ chunks: 1, arrive, waitFor: [meet] });
    const answers = await Promise.all([ask(one, other), ask(other, one)]);
    expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(
      Array(2).fill(expect.stringMatching(/data: 0\n/)),
    );
  });
});

describe('a function that fails', () => {
  test('before the first byte returns 502', async () => {
    const response = await post({ fail: 'throw' });
    expect(response.status).toBe(502);
    expect(await response.json()).toEqual({ Message: 'Internal Server Error' });
  });

  test('after the first byte breaks the connection', async () => {
    const response = await post({ fail: 'midway' });
    expect(response.status).toBe(201);
    await expect(response.text()).rejects.toThrow();
  });

  test('by ending its process returns 502, and another process replaces it', async () => {
    expect((await post({ fail: 'exit' })).status).toBe(502);
    expect(host.logs()).toContain('[sandbox] exited with 3');
    const statuses = await Promise.all([1, 2, 3].map(async () => (await post({})).status));
    expect(statuses).toEqual([201, 201, 201]);
  });

  test('by running too long returns 502', async () => {
    expect((await post({ fail: 'hang' })).status).toBe(502);
  });

  test('to load does not start', async () => {
    await expect(startFunctionUrl({ bundleDir, handler: 'broken.handler', size: 1 })).rejects.toThrow(
      'cannot be loaded',
    );
  });
});

test('work after the response is frozen, as in Lambda', async () => {
  const one = await startFunctionUrl({ bundleDir, size: 1 });
  try {
    await (await fetch(one.url, { method: 'POST', body: '{"late":true}' })).text();
    const steps = () => one.logs().filter((line) => line.includes('late work')).length;
    // On a busy machine it takes some steps before the runtime asks for the next request.
    const frozenAt = await eventually(async () => {
      const before = steps();
      await sleep(300);
      return steps() === before && before;
    });
    await (await fetch(one.url, { method: 'POST', body: '{"gapMs":50}' })).text();
    await eventually(() => steps() > frozenAt);
  } finally {
    await one.stop();
  }
});

test('stopping leaves no process, not even one that is being replaced', async () => {
  const one = await startFunctionUrl({ bundleDir, size: 1 });
  await fetch(one.url, { method: 'POST', body: '{"fail":"exit"}' });
  await one.stop();
  const exits = one.logs().filter((line) => line.startsWith('[sandbox] exited'));
  expect(exits).toEqual(['[sandbox] exited with 3', '[sandbox] exited with SIGKILL']);
  await sleep(200);
  expect(one.logs().filter((line) => line.startsWith('[sandbox] exited'))).toEqual(exits);
});

test('a function that returns its response instead of streaming it is served too', async () => {
  const one = await startFunctionUrl({ bundleDir, handler: 'index.returning', size: 1 });
  try {
    const response = await fetch(`${one.url}/path`);
    expect([response.status, response.headers.get('x-a'), await response.text()]).toEqual([418, 'b', '/path']);
  } finally {
    await one.stop();
  }
});
