import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { DEADLINE_MS } from '../../../test/support/eventually.ts';
import { HttpFailure, type HttpRequest } from '../../kernel/http/index.ts';
import { UndiciHttpClient } from './undici-http-client.ts';

let server: Server | undefined;
let sockets: Socket[] = [];

/** A server that handles each request as the test says, given the text so far and its number on the connection. */
async function serving(onRequest: (socket: Socket, text: string, turn: number) => void): Promise<string> {
  server = createServer((socket) => {
    sockets.push(socket);
    let turn = 0;
    socket.on('error', () => {});
    socket.on('data', (data) => {
      turn += 1;
      onRequest(socket, String(data), turn);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/a?b`;
}
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  server?.close();
});

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
/** Waits until the connection is closed without a replacement. */
async function closing(): Promise<void> {
  const socket = sockets[0] as Socket;
  if (!socket.closed) await once(socket, 'close');
  await pause(30);
  expect(sockets).toHaveLength(1);
}

const HEAD = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const WHOLE = 'HTTP/1.1 201 Created\r\ncontent-length: 2\r\nX-A: 1\r\nX-A: 2\r\n\r\nok';

function call(url: string, fields: Partial<HttpRequest> = {}): HttpRequest {
  return {
    method: 'POST',
    url,
    headers: { 'x-test': 'yes' },
    body: 'é',
    headTimeoutMs: DEADLINE_MS,
    idleTimeoutMs: DEADLINE_MS,
    signal: new AbortController().signal,
    ...fields,
  };
}
async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const bytes of body) text += Buffer.from(bytes).toString();
  return text;
}
async function failureOf(run: () => Promise<unknown>): Promise<[string, boolean]> {
  try {
    await run();
  } catch (error) {
    expect(error).toBeInstanceOf(HttpFailure);
    return [(error as HttpFailure).reason, (error as HttpFailure).sent];
  }
  throw new Error('nothing was thrown');
}

describe('an outgoing call', () => {
  it('sends method, path, headers and body with its length in bytes, and reads status, headers and body', async () => {
    let sent = '';
    const url = await serving((socket, text) => {
      sent += text;
      if (sent.endsWith('é')) socket.write(WHOLE);
    });
    const response = await new UndiciHttpClient().send(call(url));
    expect([response.status, response.headers['x-a'], await textOf(response.body)]).toEqual([201, '1, 2', 'ok']);
    expect(sent).toMatch(
      /^POST \/a\?b HTTP\/1\.1\r\n[\s\S]*\r\nx-test: yes\r\n([\s\S]*\r\n)?content-length: 2\r\n([\s\S]*\r\n)?\r\né$/i,
    );
  });

  it.each([
    [{}, 'svc/1'],
    [{ 'user-agent': 'svc-webhooks/1' }, 'svc-webhooks/1'],
  ])(
    'with the headers %j has the user agent %s, as firewalls refuse a request without one',
    async (headers, expected) => {
      let sent = '';
      const url = await serving((socket, text) => {
        sent = text;
        socket.write(WHOLE);
      });
      await textOf((await new UndiciHttpClient().send(call(url, { headers }))).body);
      expect(sent.match(/^user-agent: .*(?=\r$)/gim)).toEqual([`user-agent: ${expected}`]);
    },
  );

  it('reuses a connection', async () => {
    const url = await serving((socket) => socket.write(WHOLE));
    const client = new UndiciHttpClient();
    for (let i = 0; i < 3; i += 1) {
      await textOf((await client.send(call(url))).body);
      await pause(5);
    }
    expect(sockets).toHaveLength(1);
  });

  it('is written to a kept connection when it is reported as sent', async () => {
    const url = await serving((socket) => socket.write(WHOLE));
    const client = new UndiciHttpClient();
    await textOf((await client.send(call(url))).body);
    const steps: string[] = [];
    const { write } = Socket.prototype;
    Socket.prototype.write = function (this: Socket, ...given: Parameters<typeof write>) {
      steps.push('written');
      return write.apply(this, given);
    } as typeof write;
    const onSent = () => {
      steps.push('sent');
      void Promise.resolve().then(() => steps.push('other work'));
    };
    try {
      const { body } = await client.send(call(url, { onSent }));
      Socket.prototype.write = write;
      await textOf(body);
    } finally {
      Socket.prototype.write = write;
    }
    // Head and body, in the same turn; then the server's response.
    expect(steps).toEqual(['sent', 'written', 'written', 'other work', 'written']);
  });

  it('is repeated on a fresh connection if a kept one was closed', async () => {
    const url = await serving((socket, _, turn) => {
      if (turn === 1) socket.write(WHOLE);
      else socket.destroy();
    });
    const client = new UndiciHttpClient();
    await textOf((await client.send(call(url))).body);
    await pause(5);
    expect(await textOf((await client.send(call(url))).body)).toBe('ok');
    expect(sockets).toHaveLength(2);
  });

  it('is not repeated if it must run only once: the server may have executed it before it closed', async () => {
    let requests = 0;
    const url = await serving((socket, _, turn) => {
      requests += 1;
      if (turn === 1) socket.write(WHOLE);
      else socket.destroy();
    });
    const client = new UndiciHttpClient();
    await textOf((await client.send(call(url))).body);
    await pause(5);
    expect(await failureOf(() => client.send(call(url, { once: true })))).toEqual(['reset', true]);
    expect(requests).toBe(2);
  });

  it('is repeated even if it must run only once, if the connection closed before any of it was sent', async () => {
    const url = await serving((socket) => socket.end(WHOLE));
    const client = new UndiciHttpClient();
    await textOf((await client.send(call(url))).body);
    await pause(20);
    expect((await client.send(call(url, { once: true }))).status).toBe(201);
    expect(sockets).toHaveLength(2);
  });

  it('does not wait for other calls to the same server', async () => {
    const waiting: Socket[] = [];
    const url = await serving((socket) => {
      waiting.push(socket);
      if (waiting.length === 3) for (const one of waiting) one.write(WHOLE);
    });
    const client = new UndiciHttpClient();
    const responses = await Promise.all([1, 2, 3].map(() => client.send(call(url))));
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201]);
  });

  it('takes the first value of a single-value header, and joins others', async () => {
    const repeated = 'Retry-After: 1\r\nRetry-After: 2\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nX-Name: \xe9\r\n';
    const url = await serving((socket) =>
      socket.write(`HTTP/1.1 200 OK\r\n${repeated}content-length: 0\r\n\r\n`, 'latin1'),
    );
    expect((await new UndiciHttpClient().send(call(url))).headers).toEqual({
      'retry-after': '1',
      'set-cookie': 'a=1, b=2',
      'x-name': 'é',
      'content-length': '0',
    });
  });

  it('ignores informational responses', async () => {
    const url = await serving((socket) => socket.write(`HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${WHOLE}`));
    const { status, body } = await new UndiciHttpClient().send(call(url));
    expect([status, await textOf(body)]).toEqual([201, 'ok']);
  });

  it('with an invalid header is not a connection failure', async () => {
    const url = await serving(() => {});
    const sending = new UndiciHttpClient().send(call(url, { headers: { 'x-test': 'a\nb' } }));
    await expect(sending).rejects.not.toBeInstanceOf(HttpFailure);
    await expect(sending).rejects.toThrow('invalid x-test header');
  });

  it('offers HTTP/1.1 alone', async () => {
    let hello = Buffer.alloc(0);
    server = createServer((socket) => {
      socket
        .on('error', () => {})
        .once('data', (data) => {
          hello = data;
          socket.destroy();
        });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    expect(await failureOf(() => new UndiciHttpClient().send(call(url)))).toEqual(['connect', false]);
    // Protocol negotiation, extension 16 (RFC 7301): its length, its list's and its only entry's.
    expect(hello.includes(Buffer.from('\x00\x10\x00\x0b\x00\x09\x08http/1.1'))).toBe(true);
  });

  it('follows no redirect', async () => {
    const url = await serving((socket) =>
      socket.write('HTTP/1.1 302 Found\r\nlocation: /b\r\ncontent-length: 0\r\n\r\n'),
    );
    expect((await new UndiciHttpClient().send(call(url))).status).toBe(302);
  });
});

describe('a client of some addresses', () => {
  it('connects to those only, also by a name', async () => {
    const url = await serving((socket) => socket.write(WHOLE));
    const named = url.replace('127.0.0.1', 'localhost');
    const asked: string[] = [];
    const client = new UndiciHttpClient((address) => {
      asked.push(address);
      return false;
    });
    for (const refused of [url, named])
      expect(await failureOf(() => client.send(call(refused)))).toEqual(['connect', false]);
    expect(sockets).toEqual([]);
    expect(asked.slice(0, 2)).toEqual(['127.0.0.1', expect.stringMatching(/^(?:127\.0\.0\.1|::1)$/)]);
    const loopback = new UndiciHttpClient((address) => /^(?:127\.0\.0\.1|::1)$/.test(address));
    for (const allowed of [url, named]) expect((await loopback.send(call(allowed))).status).toBe(201);
  });

  it('reads an IPv6 address without its brackets', async () => {
    const asked: string[] = [];
    const client = new UndiciHttpClient((address) => asked.push(address) < 0);
    expect(await failureOf(() => client.send(call('http://[::1]:9/')))).toEqual(['connect', false]);
    expect(asked).toEqual(['::1']);
  });
});

describe('a call that fails', () => {
  it('on a refused connection was not sent', async () => {
    const url = await serving(() => {});
    server?.close();
    expect(await failureOf(() => new UndiciHttpClient().send(call(url)))).toEqual(['connect', false]);
  });

  it('on a connection that breaks before the head may have been sent', async () => {
    const url = await serving((socket) => socket.destroy());
    expect(await failureOf(() => new UndiciHttpClient().send(call(url)))).toEqual(['reset', true]);
    expect(sockets).toHaveLength(1);
  });

  it.each([
    ['is destroyed', (socket: Socket) => socket.destroy()],
    ['is ended gracefully', (socket: Socket) => socket.end()],
  ])('within the body delivers what came and then a failure: the connection %s', async (_, close) => {
    const url = await serving((socket) => {
      socket.write(HEAD + chunk('part'));
      setTimeout(close, 30, socket);
    });
    const { body } = await new UndiciHttpClient().send(call(url));
    let got = '';
    expect(
      await failureOf(async () => {
        for await (const bytes of body) got += Buffer.from(bytes).toString();
      }),
    ).toEqual(['reset', true]);
    expect(got).toBe('part');
  });

  it('without a head in time closes the connection', async () => {
    const url = await serving(() => {});
    expect(await failureOf(() => new UndiciHttpClient().send(call(url, { headTimeoutMs: 60 })))).toEqual([
      'timeout',
      true,
    ]);
    await closing();
  });

  it('with a silent body closes the connection', async () => {
    const url = await serving((socket) => socket.write(HEAD + chunk('part')));
    const { body } = await new UndiciHttpClient().send(call(url, { idleTimeoutMs: 60 }));
    expect(await failureOf(() => textOf(body))).toEqual(['timeout', true]);
    await closing();
  });
});

describe('the idle timeout', () => {
  it('never ends a slow body that keeps coming', async () => {
    const url = await serving(async (socket) => {
      socket.write(HEAD);
      for (let i = 0; i < 6; i += 1) {
        await pause(150);
        socket.write(chunk('x'));
      }
      socket.write(chunk(''));
    });
    const { body } = await new UndiciHttpClient().send(call(url, { idleTimeoutMs: 700 }));
    expect(await textOf(body)).toBe('xxxxxx');
  });

  it('does not count the time of a slow reader', async () => {
    const url = await serving((socket) => socket.write(HEAD + chunk('a') + chunk('b') + chunk('')));
    const { body } = await new UndiciHttpClient().send(call(url, { idleTimeoutMs: 50 }));
    let text = '';
    for await (const bytes of body) {
      text += Buffer.from(bytes).toString();
      await pause(120);
    }
    expect(text).toBe('ab');
  });
});

describe('a slow reader', () => {
  it('slows the server down, and receives everything', async () => {
    const bytes = Buffer.alloc(32 * 1024 * 1024, 'x');
    const url = await serving((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${bytes.length}\r\n\r\n`);
      socket.write(bytes);
    });
    const { body } = await new UndiciHttpClient().send(call(url));
    await pause(200);
    expect(sockets[0]?.writableLength).toBeGreaterThan(0);
    expect(await textOf(body)).toHaveLength(bytes.length);
  });
});

describe('aborting', () => {
  it('before the call makes no call', async () => {
    const url = await serving(() => {});
    expect(await failureOf(() => new UndiciHttpClient().send(call(url, { signal: AbortSignal.abort() })))).toEqual([
      'aborted',
      false,
    ]);
    expect(sockets).toHaveLength(0);
  });

  it('before there is a connection is no failure to connect', async () => {
    const client = new UndiciHttpClient();
    const url = await serving((socket) => socket.write(WHOLE));
    await client.send(call(url));
    // Another origin: there is no kept connection, and this one is not made within the same turn.
    const leaving = new AbortController();
    const sending = failureOf(() =>
      client.send(call(url.replace('127.0.0.1', 'localhost'), { signal: leaving.signal })),
    );
    leaving.abort();
    expect(await sending).toEqual(['aborted', false]);
  });

  it('while waiting for the head closes the connection', async () => {
    const abort = new AbortController();
    const url = await serving(() => abort.abort());
    expect(await failureOf(() => new UndiciHttpClient().send(call(url, { signal: abort.signal })))).toEqual([
      'aborted',
      true,
    ]);
    await closing();
  });

  it('within the body closes the connection', async () => {
    const abort = new AbortController();
    const url = await serving((socket) => socket.write(HEAD + chunk('part')));
    const { body } = await new UndiciHttpClient().send(call(url, { signal: abort.signal }));
    const closed = closing();
    expect(
      await failureOf(async () => {
        for await (const _ of body) abort.abort();
      }),
    ).toEqual(['aborted', true]);
    await closed;
  });

  it('by reading no further keeps the connection if the rest comes at once', async () => {
    let isOver = Promise.withResolvers<void>();
    const url = await serving((socket) => {
      socket.write(HEAD + chunk('part'));
      setTimeout(() => socket.write(chunk(''), () => isOver.resolve()), 20);
    });
    const client = new UndiciHttpClient();
    for (let i = 0; i < 2; i += 1) {
      const { body } = await client.send(call(url));
      for await (const _ of body) break;
      await isOver.promise;
      isOver = Promise.withResolvers();
      await pause(60);
    }
    expect(sockets).toHaveLength(1);
  });

  it('by reading no further closes the connection otherwise', async () => {
    const url = await serving((socket) => socket.write(HEAD + chunk('part')));
    const { body } = await new UndiciHttpClient().send(call(url));
    const closed = closing();
    for await (const _ of body) break;
    await closed;
  });
});

it('V8 accepts the flag that is set', () => {
  expect(execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' })).toContain('--wasm-tiering-budget');
});
