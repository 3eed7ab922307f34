import { once } from 'node:events';
import { mkdtemp, readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDynamoClient } from '../../../functions/adapters/aws/clients.ts';
import { embeddedAccess } from '../../../lib/local/create-resources.ts';
import { type AwsStores, startAwsStores } from '../../stores/aws-stores.ts';
import { eventually } from '../../support/eventually.ts';
import { type MockUpstream, startMockUpstream } from '../../support/mock-upstream/start-mock-upstream.ts';
import { startLocalProcess } from '../local-process.ts';
import type { ProviderSettings, Service } from '../service.ts';

const [FIRST, SECOND] = ['q7Zt2', 'w4Lp9'].map((text) => `sk-in-aws-${text.repeat(5)}`) as [string, string];
const REQUESTS = 30;
const LIMIT = 20;

let stores: AwsStores;
let upstream: MockUpstream;
let dataDir: string;
let services: Service[] = [];
const started: Service[] = [];
let accepted = FIRST;

const start = async (settings: object = {}) => {
  const service = await startLocalProcess({} as ProviderSettings, {
    ...stores.settings,
    SVC_DATA_DIR: dataDir,
    ...settings,
  });
  started.push(service);
  return service;
};
beforeAll(async () => {
  stores = await startAwsStores();
  upstream = await startMockUpstream({
    behave: ({ headers }) => (headers.authorization === `Bearer ${accepted}` ? {} : { status: 401 }),
  });
  putProviderKey(FIRST);
  dataDir = await mkdtemp(path.join(tmpdir(), 'svc-in-aws-'));
  services = await Promise.all([start(), start()]);
});
afterAll(async () => {
  await Promise.all(started.map((service) => service.stop()));
  await upstream?.close();
  await stores?.stop();
});

function putProviderKey(key: string): void {
  const settings = { OPENAI_API_KEY: key, OPENAI_BASE_URL: `${upstream.url}/v1` };
  stores.secrets.put(stores.parameter.secrets.providers, JSON.stringify(settings));
}

async function call(service: Service | undefined, address: string, key: string, body?: object) {
  const response = await fetch(`${service?.baseUrl}${address}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const json = (await response.json()) as { id: string; key: string; requests: number; stores: { database: string } };
  return { status: response.status, json };
}
const hello = (model = 'echo') => ({ model, messages: [{ role: 'user', content: 'Hello' }] });

async function itemsOf(table: 'records' | 'keys') {
  const client = createDynamoClient(embeddedAccess(stores.settings.AWS_ENDPOINT_URL_DYNAMODB as string));
  const { Items = [] } = await client.send(new ScanCommand({ TableName: stores.parameter.tables[table] }));
  return Items;
}

describe('containers that use tables, queues and secrets in AWS', () => {
  test('know the same keys, keep a limit together, count each request once, and write nothing to the data folder', async () => {
    const [one, two] = services;
    const adminKey = one?.adminKey ?? '';
    const rateLimit = { requests: LIMIT, period: 'day' };
    const made = await call(one, '/admin/keys', adminKey, { name: 'shared', rateLimit, maxConcurrent: null });
    const asked = Array.from({ length: REQUESTS }, (_, at) =>
      call(at % 2 === 0 ? one : two, '/chat/completions', made.json.key, hello()),
    );
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(LIMIT);
    expect(statuses.filter((status) => status === 429)).toHaveLength(REQUESTS - LIMIT);
    const summary = () => call(two, `/analytics/summary?keyId=${made.json.id}`, adminKey);
    await eventually(summary, ({ json }) => json.requests === REQUESTS);
    expect(await readdir(dataDir)).toEqual([]);
  });

  test('read keys of providers from the secret, and again when a provider refuses one', async () => {
    const [one] = services;
    const ask = () => call(one, '/chat/completions', one?.adminKey ?? '', hello('gpt-4o-mini'));
    expect((await ask()).status).toBe(200);
    accepted = SECOND;
    putProviderKey(SECOND);
    await eventually(ask, ({ status }) => status === 200);
  });

  test('show where their data is, and none of the names', async () => {
    const [one] = services;
    const { json } = await call(one, '/admin/settings', one?.adminKey ?? '');
    expect(json.stores).toEqual({ database: 'dynamodb', queues: 'sqs', dataFolder: null });
    expect(services.map((service) => service.logs()).join('\n')).not.toMatch(/sk-in-aws-\w/);
  });

  test('open webhook secrets with a sealing key that was put after the start', async () => {
    const [one] = services;
    const { promise: delivered, resolve } = Promise.withResolvers<string>();
    const receiver = createServer((request, response) => {
      resolve(String(request.headers['x-svc-signature']));
      request.resume();
      response.writeHead(204).end();
    });
    await once(receiver.listen(0, '127.0.0.1'), 'listening');
    // Neither the admin API nor the delivery has read it yet.
    stores.secrets.put(stores.parameter.secrets.sealingKey, 'n'.repeat(64));
    try {
      const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
      expect((await call(one, '/admin/webhooks', one?.adminKey ?? '', { url, events: ['key.created'] })).status).toBe(
        201,
      );
      expect((await call(one, '/admin/keys', one?.adminKey ?? '', { name: 'tells' })).status).toBe(201);
      expect(await delivered).toMatch(/[0-9a-f]{64}/);
    } finally {
      receiver.close();
    }
  });

  test('leave counting and events to the functions of a deployment', async () => {
    stores.putParameter(JSON.stringify({ ...stores.parameter, background: 'functions', later: 'unknown' }));
    const beside = await start();
    const before = await itemsOf('records');
    expect((await call(beside, '/chat/completions', beside.adminKey, hello())).status).toBe(200);
    const added = await eventually(
      async () =>
        (await itemsOf('records')).filter((item) => !before.some(({ pk, sk }) => pk === item.pk && sk === item.sk)),
      (items) => items.length > 0,
    );
    for (const item of added) expect(item).not.toHaveProperty('pendingPk');
    const { json } = await call(beside, '/admin/settings', beside.adminKey);
    expect(json.stores.database).toBe('dynamodb');
  });

  test.each([
    ['is missing', undefined, /'\/svc\/svc-test-data\/stores' .* does not exist in this region and account/],
    ['is no JSON', 'x', /is not one of this version/],
    ['lacks a table', JSON.stringify({ tables: {} }), /tables\.keys: .*Deploy the data stack/],
  ])('do not start if the parameter %s', async (_, value, message) => {
    stores.putParameter(value);
    await expect(start()).rejects.toThrow(message);
  });

  test('do not start without a secret, whose name the error has', async () => {
    const { sealingKey } = stores.parameter.secrets;
    stores.putParameter(JSON.stringify(stores.parameter));
    stores.secrets.put(sealingKey, undefined);
    await expect(start()).rejects.toThrow(/the secret '.*sealing-key' \(sealingKey in '.*'\) cannot be read/);
  });

  test('do not start without the name of a parameter', async () => {
    await expect(start({ SVC_STORES_PARAMETER: '' })).rejects.toThrow('SVC_STORES=aws needs SVC_STORES_PARAMETER');
  });
});
