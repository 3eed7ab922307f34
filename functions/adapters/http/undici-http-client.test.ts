import { execFileSync } from 'node:child_process';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { HttpFailure } from '../../kernel/http/index.ts';
import { call, failureOf, listening, pause, serving, sockets, textOf, WHOLE } from './undici-http-client.fixture.ts';
import { UndiciHttpClient } from './undici-http-client.ts';

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
    const port = await listening((socket) => {
      socket
        .on('error', () => {})
        .once('data', (data) => {
          hello = data;
          socket.destroy();
        });
    });
    const sending = () => new UndiciHttpClient().send(call(`https://127.0.0.1:${port}/`));
    expect(await failureOf(sending)).toEqual(['connect', false]);
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

it('V8 accepts the flag that is set', () => {
  expect(execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' })).toContain('--wasm-tiering-budget');
});
