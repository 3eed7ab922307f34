import { spawnSync } from 'node:child_process';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { DEADLINE_MS, eventually } from '../../../test/support/eventually.ts';
import { startNameServer } from './name-server.fixture.ts';
import { HttpsWebhookSender } from './webhook-sender.ts';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

const post = (url: string) => ({
  url,
  headers: { 'content-type': 'application/json', 'x-own': 'kept' },
  body: '{"id":"evt_1"}',
});

/** A local receiver that counts its connections. */
async function receiver(handle: http.RequestListener, host = '127.0.0.1', port = 0) {
  const server = http.createServer(handle).listen(port, host);
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  await once(server, 'listening');
  undo.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port: own } = server.address() as AddressInfo;
  return { url: `http://${host}:${own}/hook?a=1`, port: own, connections: () => connections };
}

async function named(addresses: string[]): Promise<{ resolver: Resolver; asked: () => number }> {
  const names = await startNameServer(addresses);
  undo.push(() => names.stop());
  const resolver = new Resolver({ timeout: DEADLINE_MS, tries: 1 });
  resolver.setServers([names.server]);
  return { resolver, asked: names.asked };
}

const local = (deadlineMs = DEADLINE_MS) => new HttpsWebhookSender({ allowLoopback: true, deadlineMs });

describe('an attempt', () => {
  test('has 10 s from the name lookup to the status', async () => {
    const timers = jest.spyOn(globalThis, 'setTimeout');
    undo.push(() => timers.mockRestore());
    await new HttpsWebhookSender({ allowLoopback: true }).send(post('ftp://example.com/'));
    expect(timers.mock.calls.map(([, ms]) => ms)).toEqual([10_000]);
  });

  test('posts the exact body with its headers, and reports the status and the beginning of the response', async () => {
    const got: { method?: string | undefined; url?: string | undefined; own?: unknown; body?: string } = {};
    const { url } = await receiver(async (request, response) => {
      Object.assign(got, { method: request.method, url: request.url, own: request.headers['x-own'], body: '' });
      for await (const chunk of request) got.body += String(chunk);
      response.writeHead(503, { 'retry-after': '7' }).end('x'.repeat(5_000));
    });
    const outcome = await local().send(post(url));
    expect(got).toEqual({ method: 'POST', url: '/hook?a=1', own: 'kept', body: '{"id":"evt_1"}' });
    expect(outcome.answer).toEqual({ status: 503, retryAfter: '7', text: 'x'.repeat(1_024) });
  });

  test('follows no redirect', async () => {
    const target = await receiver((_, response) => response.end());
    const { url } = await receiver((_, response) => response.writeHead(307, { location: target.url }).end());
    expect((await local().send(post(url))).answer?.status).toBe(307);
    expect(target.connections()).toBe(0);
  });

  test('has a response once the head arrives, whatever happens to the body', async () => {
    const { url } = await receiver((_, response) => void response.writeHead(200).write('half'));
    expect(await local().send(post(url))).toEqual({ answer: { status: 200, text: 'half' } });
  });

  test('ends at its deadline', async () => {
    const { url } = await receiver(() => {});
    expect(await local(100).send(post(url))).toEqual({ failure: 'timeout' });
  });

  test('reports why there is no response', async () => {
    const { port } = await receiver(() => {});
    const broken = await receiver((request) => request.socket.destroy());
    const server = net.createServer((socket) => socket.end('nonsense\r\n\r\n')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    undo.push(() => server.close());
    const sender = local();
    const failureAt = async (url: string) => (await sender.send(post(url))).failure;
    expect(await failureAt(broken.url)).toBe('reset');
    expect(await failureAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)).toBe('protocol');
    expect(await failureAt(`https://127.0.0.1:${port}/`)).toBe('tls');
    expect(await failureAt('http://127.0.0.1:1/')).toBe('connect');
  });
});

describe('without permission for loopback', () => {
  const strict = new HttpsWebhookSender({ allowLoopback: false, deadlineMs: DEADLINE_MS });

  test('plain http is refused', async () => {
    expect(await strict.send(post('http://8.8.8.8/'))).toEqual({ failure: 'address' });
    expect(await strict.send(post('ftp://8.8.8.8/'))).toEqual({ failure: 'address' });
  });

  // Every notation for an address that a URL accepts.
  test.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '017700000001',
    '①②⑦.0.0.1',
    '127.0.0.1.',
    '0',
    '0.0.0.0',
    '169.254.169.254',
    '0xa9fea9fe',
    '2852039166',
    '10.0.0.1',
    '192.168.0.1',
    '100.100.100.200',
    '168.63.129.16',
    'localhost',
    'localhost.',
    'a.localhost',
    '[::]',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b::169.254.169.254]',
    '[2002:7f00:1::]',
    '[2001:0:4136:e378:8000:63bf:3fff:fdd2]',
    '[fe80::1]',
    '[fd00:ec2::254]',
    '[ff02::1]',
  ])('does not connect to https://%s', async (host) => {
    const server = await receiver((_, response) => response.end());
    expect(await strict.send(post(`https://${host}:${server.port}/`))).toEqual({ failure: 'address' });
    expect(server.connections()).toBe(0);
  });
});

describe('a host name', () => {
  test('that resolves to a public and a local address is refused', async () => {
    const resolver = {
      resolve4: async () => ['8.8.8.8', '127.0.0.1'],
      resolve6: async () => [],
    } as unknown as Resolver;
    const sender = new HttpsWebhookSender({ allowLoopback: false, resolver, deadlineMs: DEADLINE_MS });
    expect(await sender.send(post('https://mixed.test/'))).toEqual({ failure: 'address' });
    const v6 = { resolve4: async () => ['8.8.8.8'], resolve6: async () => ['::ffff:7f00:1'] } as unknown as Resolver;
    const other = new HttpsWebhookSender({ allowLoopback: false, resolver: v6, deadlineMs: DEADLINE_MS });
    expect(await other.send(post('https://mixed.test/'))).toEqual({ failure: 'address' });
  });

  test('that resolves to a public address first and to loopback later never reaches loopback', async () => {
    const server = await receiver((_, response) => response.end());
    // 240.0.0.1 would be refused, and 8.8.8.8 is unreachable without a network: the deadline is short.
    const { resolver, asked } = await named(['8.8.8.8', '127.0.0.1']);
    const sender = new HttpsWebhookSender({ allowLoopback: false, resolver, deadlineMs: 300 });
    const first = await sender.send(post(`https://rebind.test:${server.port}/`));
    expect(['timeout', 'connect', 'reset']).toContain(first.failure);
    // If the connection had resolved the name itself, there would be two queries.
    expect(await eventually(asked, (count) => count > 0)).toBe(1);
    const patient = new HttpsWebhookSender({ allowLoopback: false, resolver, deadlineMs: DEADLINE_MS });
    expect(await patient.send(post(`https://rebind.test:${server.port}/`))).toEqual({ failure: 'address' });
    expect(asked()).toBe(2);
    expect(server.connections()).toBe(0);
  });

  test('is resolved once, and the checked address is connected to', async () => {
    const checked = await receiver((_, response) => response.end('checked'));
    const later = await receiver((_, response) => response.end('later'), '127.0.0.2', checked.port);
    const { resolver, asked } = await named(['127.0.0.1', '127.0.0.2']);
    const sender = new HttpsWebhookSender({ allowLoopback: true, resolver });
    expect((await sender.send(post(`http://rebind.test:${checked.port}/`))).answer?.text).toBe('checked');
    expect(asked()).toBe(1);
    expect(later.connections()).toBe(0);
  });

  test('that does not exist is reported as such', async () => {
    const resolver = new Resolver({ timeout: 50, tries: 1 });
    resolver.setServers(['127.0.0.1:1']);
    const sender = new HttpsWebhookSender({ allowLoopback: false, resolver });
    expect(await sender.send(post('https://unknown.test/'))).toEqual({ failure: 'dns' });
  });
});

const openssl = spawnSync('openssl', ['version']).status === 0;
(openssl ? test : test.skip)('TLS asks for the name, and refuses a certificate that nobody vouches for', async () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'svc-tls-'));
  const files = ['-keyout', path.join(dir, 'key'), '-out', path.join(dir, 'cert')];
  spawnSync('openssl', [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-subj',
    '/CN=hooks.test',
    ...files,
  ]);
  const asked: string[] = [];
  const server = https.createServer({
    key: readFileSync(path.join(dir, 'key')),
    cert: readFileSync(path.join(dir, 'cert')),
    SNICallback: (name, done) => {
      asked.push(name);
      done(null);
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  undo.push(() => server.close());
  const { resolver } = await named(['127.0.0.1']);
  const sender = new HttpsWebhookSender({ allowLoopback: true, resolver });
  const { port } = server.address() as AddressInfo;
  expect(await sender.send(post(`https://hooks.test:${port}/`))).toEqual({ failure: 'tls' });
  expect(asked).toEqual(['hooks.test']);
});
