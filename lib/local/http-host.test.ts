import http from 'node:http';
import { afterEach, expect, it, jest } from '@jest/globals';
import type { OutgoingResponse } from '../../functions/core/http/outgoing-response.ts';
import type { App } from '../../functions/core/http/router.ts';
import { type HttpHost, startHttpHost } from './http-host.ts';

/** An answer that comes piece by piece. */
function streamed(pieces: () => AsyncGenerator<string, void>): OutgoingResponse {
  return { status: 200, headers: { 'content-type': 'text/event-stream' }, body: pieces() };
}

let host: HttpHost | undefined;
afterEach(() => host?.stop(0));

async function serving(app: App): Promise<string> {
  host = await startHttpHost(app, { port: 0, host: '127.0.0.1', maxBodyBytes: 1_000 });
  return host.url;
}

/** A stream that ends when it is cancelled, and says so. */
const untilCancelled: App = async (_, { signal }) =>
  streamed(async function* () {
    yield 'data: begun\n\n';
    await new Promise((resolve) => signal?.addEventListener('abort', resolve));
    yield 'data: cancelled\n\n';
  });

it('tells a stream that it was cancelled where it outlasts the time that a stop leaves it', async () => {
  const response = await fetch(await serving(untilCancelled));
  const stopped = host?.stop(20);
  expect(await response.text()).toBe('data: begun\n\ndata: cancelled\n\n');
  await stopped;
});

it('cuts off what goes on though it was cancelled', async () => {
  const response = await fetch(
    await serving(async () =>
      streamed(async function* () {
        yield 'data: begun\n\n';
        await new Promise(() => {});
      }),
    ),
  );
  const text = response.text();
  text.catch(() => {});
  await host?.stop(20);
  await expect(text).rejects.toThrow();
});

it('lets a running request end, and does not wait for the connection that it came by', async () => {
  let answer = (_: OutgoingResponse) => {};
  const answered = new Promise<OutgoingResponse>((resolve) => {
    answer = resolve;
  });
  const url = await serving(() => answered);
  const agent = new http.Agent({ keepAlive: true });
  const text = new Promise<string>((resolve, reject) => {
    const call = http.get(url, { agent }, (response) => {
      response.setEncoding('utf8').once('data', resolve);
    });
    call.once('error', reject);
    call.once('socket', (socket) => socket.once('connect', () => setTimeout(() => stopping.resolve(), 50)));
  });
  const stopping = Promise.withResolvers<void>();
  await stopping.promise;
  // Long beyond the test's own deadline: it must not be needed.
  const stopped = host?.stop(600_000);
  answer({ status: 200, headers: {}, body: 'fine' });
  expect(await text).toBe('fine');
  await stopped;
  agent.destroy();
});

it('waits for a slow reader as often as it must, and leaves nothing behind', async () => {
  const PIECES = 60;
  const PIECE = 'x'.repeat(256 * 1024);
  const url = await serving(async () =>
    streamed(async function* () {
      for (let sent = 0; sent < PIECES; sent += 1) yield PIECE;
    }),
  );
  const listeners: number[] = [];
  const { write } = http.ServerResponse.prototype;
  const writing = jest.spyOn(http.ServerResponse.prototype, 'write').mockImplementation(function (
    this: http.ServerResponse,
    ...piece: unknown[]
  ) {
    listeners.push(this.listenerCount('close') + this.listenerCount('drain'));
    return write.apply(this, piece as Parameters<typeof write>);
  });
  let received = 0;
  const { body } = await fetch(url);
  for await (const chunk of body ?? []) {
    received += chunk.length;
    await new Promise((resolve) => setImmediate(resolve));
  }
  writing.mockRestore();
  expect(received).toBe(PIECES * PIECE.length);
  expect(listeners).toHaveLength(PIECES);
  expect(new Set(listeners).size).toBe(1);
});
