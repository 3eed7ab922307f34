import type { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import {
  call,
  chunk,
  closing,
  failureOf,
  HEAD,
  pause,
  serving,
  sockets,
  stopListening,
  textOf,
  WHOLE,
} from './undici-http-client.fixture.ts';
import { UndiciHttpClient } from './undici-http-client.ts';

describe('a call that fails', () => {
  it('on a refused connection was not sent', async () => {
    const url = await serving(() => {});
    stopListening();
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
