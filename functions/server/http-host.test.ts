import http from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, expect, it, jest } from '@jest/globals';
import { DEADLINE_MS, eventually } from '../../test/support/eventually.ts';
import { type App, createApp, type OutgoingResponse } from '../kernel/http/index.ts';
import { type HttpHost, type Patience, startHttpHost } from './http-host.ts';

/** A response in pieces. */
function streamed(pieces: () => AsyncGenerator<string, void>): OutgoingResponse {
  return { status: 200, headers: { 'content-type': 'text/event-stream' }, body: pieces() };
}

let host: HttpHost | undefined;
afterEach(() => host?.stop(0));

async function serving(app: App, patience?: Patience, maxBodyBytes = 1_000): Promise<string> {
  host = await startHttpHost(app, { port: 0, host: '127.0.0.1', maxBodyBytes, ...(patience && { patience }) });
  return host.url;
}

/** A stream that reports its cancellation and ends. */
const untilCancelled: App = async (_, { signal }) =>
  streamed(async function* () {
    yield 'data: begun\n\n';
    await new Promise((resolve) => signal?.addEventListener('abort', resolve));
    yield 'data: cancelled\n\n';
  });

it('cancels a stream that exceeds the grace period of a stop', async () => {
  const response = await fetch(await serving(untilCancelled));
  const stopped = host?.stop(20);
  expect(await response.text()).toBe('data: begun\n\ndata: cancelled\n\n');
  await stopped;
});

it('closes a stream that continues after its cancellation', async () => {
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

it('keeps an idle connection longer than pools and load balancers do', async () => {
  const response = await fetch(await serving(async () => ({ status: 200, headers: {}, body: 'ok' })));
  expect(response.headers.get('keep-alive')).toBe('timeout=65');
});

it('lets a running request end, without waiting for its connection', async () => {
  let answer = (_: OutgoingResponse) => {};
  const answered = new Promise<OutgoingResponse>((resolve) => {
    answer = resolve;
  });
  const arrived = Promise.withResolvers<void>();
  const url = await serving(() => {
    arrived.resolve();
    return answered;
  });
  const agent = new http.Agent({ keepAlive: true });
  const text = new Promise<string>((resolve, reject) => {
    const call = http.get(url, { agent }, (response) => {
      response.setEncoding('utf8').once('data', resolve);
    });
    call.once('error', reject);
  });
  await arrived.promise;
  // Beyond the test's deadline: must not be needed.
  const stopped = host?.stop(600_000);
  answer({ status: 200, headers: {}, body: 'fine' });
  expect(await text).toBe('fine');
  await stopped;
  agent.destroy();
});

it('waits for a slow reader repeatedly, and removes its listeners', async () => {
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

/** Sends only these bytes, and reads until the connection is closed. */
async function speaking(url: string, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('utf8');
  socket.write(bytes);
  let text = '';
  for await (const piece of socket) text += piece;
  return text;
}

const PATIENT: Patience = { headMs: DEADLINE_MS, bodyMs: DEADLINE_MS, readerMs: DEADLINE_MS };
const reading = createApp(
  [
    {
      method: 'POST',
      path: '/',
      handle: async ({ request }) => ({ status: 200, headers: {}, body: String((await request.bytes()).length) }),
    },
  ],
  { monotonic: () => 0, onError: () => {}, onAnswered: () => {} },
);

it('responds to a slow body with 408', async () => {
  const url = await serving(reading, { ...PATIENT, bodyMs: 50 });
  const reply = await speaking(url, 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\nx');
  expect(reply).toMatch(/^HTTP\/1\.1 408 /);
  expect(reply).toContain('"code":"request_timeout"');
});

it('keeps little more of a body than its bytes, also of one in very many chunks', async () => {
  const url = await serving(reading, PATIENT, 1_000_000);
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n');
  const chunks = '1\r\nx\r\n'.repeat(1_000);
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const heap = () => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = heap();
  for (let count = 0; count < 300; count += 1) await new Promise((written) => socket.write(chunks, written));
  // The server reads once a turn of the event loop.
  for (let turn = 0; turn < 1_000; turn += 1) await new Promise(setImmediate);
  const kept = heap() - before;
  socket.end('0\r\n\r\n');
  expect(await text(socket)).toMatch(/300000$/);
  expect(kept).toBeLessThan(8 * 1024 * 1024);
});

it('responds to a slow head with 408', async () => {
  const url = await serving(reading, { ...PATIENT, headMs: 50 });
  const reply = await speaking(url, 'POST / HTTP/1.1\r\nhost: a\r\nx-slow: ');
  expect(reply).toMatch(/^HTTP\/1\.1 408 /);
  expect(reply).toContain('"code":"request_timeout"');
});

it('refuses too many or too large headers', async () => {
  const url = await serving(reading);
  const many = Array.from({ length: 201 }, (_, at) => `x-${at}: a\r\n`).join('');
  const large = `x-large: ${'a'.repeat(20_000)}\r\n`;
  for (const headers of [many, large]) {
    const reply = await speaking(url, `POST / HTTP/1.1\r\nconnection: close\r\n${headers}content-length: 0\r\n\r\n`);
    expect(reply).toMatch(/^HTTP\/1\.1 431 /);
    expect(reply).toContain('"code":"headers_too_large"');
  }
});

it('disconnects a client that reads nothing of a response', async () => {
  let ended = () => {};
  const over = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const url = await serving(
    async () =>
      streamed(async function* () {
        try {
          for (;;) yield 'x'.repeat(1_000_000);
        } finally {
          ended();
        }
      }),
    { ...PATIENT, readerMs: 50 },
  );
  const socket = connect(Number(new URL(url).port), '127.0.0.1').pause();
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
  socket.on('error', () => {});
  await over;
  socket.destroy();
});

it('writes a large body in slices, and no character is cut', async () => {
  // Every slice would end within a pair if the first had an odd length.
  const body = `"${'😀'.repeat(1_600_000)}"`;
  const write = jest.spyOn(http.ServerResponse.prototype, 'write');
  const url = await serving(async () => ({ status: 200, headers: {}, body }));
  const response = await fetch(url);
  expect((await response.text()) === body).toBe(true);
  expect(Number(response.headers.get('content-length'))).toBe(Buffer.byteLength(body));
  const sizes = write.mock.calls.map(([slice]) => String(slice).length);
  expect(sizes.length).toBeGreaterThan(2);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(1_048_576);
  write.mockRestore();
});

it('lets a client that closes its connection send the rest of a body that is refused', async () => {
  const refuseBody: App = async ({ bytes }) => {
    const refused = await bytes().then(
      () => 'read',
      () => 'refused',
    );
    return { status: 413, headers: {}, body: refused };
  };
  const { port } = new URL(await serving(refuseBody));
  const answer = await new Promise<string>((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), '127.0.0.1');
    socket.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
    socket.once('error', reject).once('close', () => resolve(text));
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 8000000\r\n\r\n');
    socket.write(Buffer.alloc(4_000_000));
    setTimeout(() => socket.write(Buffer.alloc(4_000_000)), 100);
  });
  expect(answer).toMatch(/^HTTP\/1\.1 413 .*refused$/s);
});

/** Sends raw requests on one connection, and returns all that comes back until it closes or `isWhole` holds. */
function sent(url: string, requests: string, isWhole: (received: string) => boolean): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(Number(port), hostname, () => socket.write(requests));
    socket.on('error', () => {});
    socket.on('close', () => resolve(received));
    socket.on('data', (chunk) => {
      received += chunk;
      if (isWhole(received)) socket.destroy();
    });
  });
}
const GET = (path: string) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`;

it('serves the requests of one connection in turn, and other connections between them', async () => {
  const served: string[] = [];
  const url = await serving(async ({ url }) => {
    const name = url.replace('http://gateway/', '');
    served.push(`${name} begins`);
    await new Promise((resolve) => setImmediate(resolve));
    served.push(`${name} ends`);
    return { status: 200, headers: {}, body: `[${name}]` };
  });
  const others = Promise.all([sent(url, GET('/b1'), (text) => text.includes('[b1]'))]);
  const names = Array.from({ length: 100 }, (_, at) => `a${at}`);
  const text = await sent(url, names.map((name) => GET(`/${name}`)).join(''), (text) => text.includes('[a99]'));
  await others;
  expect(text.match(/\[\w+\]/g)).toEqual(names.map((name) => `[${name}]`));
  expect(served.filter((line) => line.startsWith('a'))).toEqual(
    names.flatMap((name) => [`${name} begins`, `${name} ends`]),
  );
  expect(served.indexOf('b1 ends')).toBeLessThan(served.indexOf('a99 begins'));
});

it('disconnects a client that sends very many requests without waiting for responses', async () => {
  let served = 0;
  let end = () => {};
  const url = await serving(async () => {
    served += 1;
    await new Promise<void>((resolve) => {
      end = resolve;
    });
    return { status: 200, headers: {}, body: 'ok' };
  });
  expect(await sent(url, GET('/').repeat(1_000), () => false)).toBe('');
  end();
  expect(
    await eventually(
      () => host?.running().requests,
      (running) => running === 0,
    ),
  ).toBe(0);
  expect(served).toBe(1);
});

it('writes no error into a response that streams, whatever requests follow it on its connection', async () => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const url = await serving(async ({ url }) => {
    if (url.endsWith('/2')) await released;
    return streamed(async function* () {
      yield 'data: begun\n\n';
      await released;
    });
  });
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname, () => socket.write(GET('/1') + GET('/2')));
  let received = '';
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    received += chunk;
    if (received.endsWith('begun\n\n\r\n')) socket.write('GARBAGE\r\n\r\n');
  });
  await new Promise((resolve) => socket.on('close', resolve));
  release();
  expect(received).toContain('begun');
  expect(received).not.toContain('400');
});
