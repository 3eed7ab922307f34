import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startLocalProcess } from '../../contract/local-process.ts';
import type { ProviderSettings, Service } from '../../contract/service.ts';
import { eventually } from '../../support/eventually.ts';
import { WITHOUT_EVENTS } from '../../support/quick-start.ts';

const FIRST = ['stored', 'k3y', 'of', 'openai', '8Zr4Tn1W'].join('-');
const SECOND = ['stored', 'k3y', 'rotated', '6Yk3Vb2Q'].join('-');
const OF_CUSTOMER = ['stored', 'k3y', 'of', 'customer', '9Hn2Mx7P'].join('-');
const OF_SETTINGS = ['settings', 'k3y', 'of', 'openai', '1Lp8Ws5D'].join('-');
const STORED = [FIRST, SECOND, OF_CUSTOMER];

/** A provider that accepts some keys, and writes the key that it got into its response. */
class EchoingProvider {
  accepted: ReadonlySet<string> = new Set([...STORED, OF_SETTINGS]);
  readonly keys: string[] = [];
  private readonly server: Server = createServer((request, response) => {
    const key = request.headers.authorization?.replace('Bearer ', '') ?? 'none';
    this.keys.push(key);
    request.resume();
    const isAccepted = this.accepted.has(key);
    response.writeHead(isAccepted ? 200 : 401, { 'content-type': 'application/json', 'x-request-id': key });
    if (!isAccepted) return void response.end(JSON.stringify({ error: { message: `Incorrect API key: ${key}` } }));
    if (request.url?.endsWith('/models')) return void response.end(JSON.stringify({ data: [{ id: 'gpt-4o-mini' }] }));
    const message = { role: 'assistant', content: `Your key is ${key}, backwards ${[...key].reverse().join('')}.` };
    const usage = { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    response.end(JSON.stringify({ id: 'x', object: 'chat.completion', created: 1, model: 'm', choices, usage }));
  });

  async start(): Promise<void> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

const provider = new EchoingProvider();
/** Where a changed base URL leads. */
const elsewhere = new EchoingProvider();
let folder: string;
let service: Service;
const replies: string[] = [];

/** The same data folder after each start. */
const start = (settings: Readonly<Record<string, string>>) =>
  startLocalProcess({} as ProviderSettings, { SVC_DATA_DIR: folder, ...WITHOUT_EVENTS, ...settings });

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'svc-credentials-'));
  await Promise.all([provider.start(), elsewhere.start()]);
  service = await start({ OPENAI_BASE_URL: provider.url, OPENAI_API_KEY: OF_SETTINGS });
});
afterAll(async () => {
  await service.stop();
  provider.stop();
  elsewhere.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

async function call(method: string, at: string, body?: object, key = service.adminKey) {
  const response = await fetch(`${service.baseUrl}${at}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  replies.push(text, JSON.stringify([...response.headers]));
  // biome-ignore lint/suspicious/noExplicitAny: its shape is what is tested
  return { status: response.status, json: JSON.parse(text) as any, requestId: response.headers.get('x-request-id') };
}
const chat = (key?: string) =>
  call('POST', '/chat/completions', { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hi' }] }, key);
/** The key of the last call, once a request was called with this one: a change takes effect within 10 s. */
const untilUsed = (wanted: string, key?: string) =>
  eventually(
    async () => {
      const { status } = await chat(key);
      return [status, provider.keys.at(-1)];
    },
    ([status, used]) => status === 200 && used === wanted,
  );
const credential = (body: object) => call('POST', '/admin/credentials', { provider: 'openai', ...body });

describe('a stored credential', () => {
  let id: string;
  let ofCustomer: string;
  let customerKey: string;

  it('is used before the key of the settings, within ten seconds, and named in the record', async () => {
    expect([(await chat()).status, provider.keys.at(-1)]).toEqual([200, OF_SETTINGS]);
    const made = await credential({ name: 'Shared', value: FIRST });
    expect(made.status).toBe(201);
    id = made.json.id;
    expect(await untilUsed(FIRST)).toEqual([200, FIRST]);
    const { requestId } = await chat();
    const record = await eventually(
      () => call('GET', `/analytics/requests/${requestId}`),
      ({ status }) => status === 200,
    );
    expect(record.json.credentialId).toBe(id);
    expect((await call('GET', `/admin/credentials/${id}`)).json.lastUsedAt).not.toBeNull();
  });

  it('that a key names is used for its requests only', async () => {
    const own = await credential({ name: 'Customer', value: OF_CUSTOMER, keysOnly: true });
    ofCustomer = own.json.id;
    const key = await call('POST', '/admin/keys', { name: 'customer', credentialId: ofCustomer });
    customerKey = key.json.key;
    expect(await untilUsed(OF_CUSTOMER, customerKey)).toEqual([200, OF_CUSTOMER]);
    expect([(await chat()).status, provider.keys.at(-1)]).toEqual([200, FIRST]);
  });

  it('that a key names is replaced by no other while it is disabled', async () => {
    await call('PATCH', `/admin/credentials/${ofCustomer}`, { state: 'disabled' });
    const before = provider.keys.length;
    const refused = await eventually(
      () => chat(customerKey),
      ({ status }) => status !== 200,
    );
    expect([refused.status, refused.json.error.code]).toEqual([502, 'provider_error']);
    expect(provider.keys.slice(before).every((used) => used === OF_CUSTOMER)).toBe(true);
  });

  it('is rotated without a failed request; the old value serves while the provider refuses the new one', async () => {
    expect((await call('POST', `/admin/credentials/${id}/rotate`, { value: SECOND })).json.last4).toBe(
      SECOND.slice(-4),
    );
    expect(await untilUsed(SECOND)).toEqual([200, SECOND]);
    provider.accepted = new Set([FIRST]);
    const before = provider.keys.length;
    expect((await chat()).status).toBe(200);
    expect(provider.keys.slice(before)).toEqual([SECOND, FIRST]);
    // It is not asked with the refused value for a while.
    expect((await chat()).status).toBe(200);
    expect(provider.keys.at(-1)).toBe(FIRST);
    expect(provider.keys.length).toBe(before + 3);
    expect(service.logs()).toContain('rotated credential refused');
  });

  it('is never sent to the host of another base URL', async () => {
    await service.stop();
    service = await start({ OPENAI_BASE_URL: elsewhere.url, OPENAI_API_KEY: OF_SETTINGS });
    const { status, json } = await chat();
    expect([status, json.error.message]).toEqual([
      502,
      'The credential of the provider is not for the host of its base URL.',
    ]);
    await call('GET', '/models');
    await call('POST', '/admin/providers/openai/test', {});
    expect(elsewhere.keys).toEqual([]);
    // Another provider with another host does not get it either.
    const lab = { name: 'lab', protocol: 'openai', baseUrl: `${elsewhere.url}`, credentialId: id };
    expect((await call('POST', '/admin/providers', lab)).json.error.param).toBe('credentialId');
    await call('DELETE', `/admin/credentials/${id}`);
    const freed = await eventually(chat, (reply) => reply.status === 200);
    expect(freed.status).toBe(200);
    expect(new Set(elsewhere.keys)).toEqual(new Set([OF_SETTINGS]));
  });

  it('never leaves: no response, log, record, audit record or file has its value', async () => {
    for (const at of [
      '/admin/credentials',
      '/admin/audit',
      '/admin/providers',
      '/admin/settings',
      '/analytics/requests',
    ]) {
      await call('GET', at);
    }
    const files = await Promise.all(
      (await readdir(folder, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => readFile(path.join(entry.parentPath, entry.name), 'latin1')),
    );
    expect(files.length).toBeGreaterThan(3);
    const all = [...replies, service.logs(), ...files].join('\n');
    for (const value of STORED) {
      expect(all).not.toContain(value);
      expect(all).not.toContain([...value].reverse().join(''));
    }
    // The responses did have it.
    expect(replies.join()).toContain('[REDACTED_PROVIDER_KEY]');
  });
});
