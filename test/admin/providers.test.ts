import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DynamoRequestRecords } from '../../functions/adapters/dynamo/dynamo-request-records.ts';
import type { AdminDeps, UpstreamConfig } from '../../functions/admin-api/admin-deps.ts';
import { listedModel } from '../../functions/admin-api/test-provider.ts';
import { runTest } from '../../functions/admin-api/upstream.ts';
import { recordOf } from '../../functions/control/analytics/record.fixture.ts';
import type { Caller } from '../../functions/control/audit/index.ts';
import type { RequestRecord } from '../../functions/kernel/model/index.ts';
import { CircuitBreaker, ModelCatalog } from '../../functions/translation/index.ts';
import { type AdminApp, startAdminApp } from '../support/admin-app.ts';

const SECRET = 'sk-planted-1234567890';
const PASSWORD = 'planted-password';

const ROUTES = [
  {
    models: 'fast',
    targets: [
      { provider: 'openai', model: 'gpt-4o-mini', weight: 3 },
      { provider: 'lab', model: 'llama', weight: 1 },
      { provider: 'groq', model: 'llama' },
    ],
    fallbacks: [{ provider: 'anthropic', model: 'claude-haiku-4-5' }],
  },
];
let admin: AdminApp;
let provider: Server;
let reply: { status: number; body: object };
const sent: { path: string | undefined; body: string }[] = [];
let upstream: UpstreamConfig;

beforeAll(async () => {
  provider = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      sent.push({ path: request.url, body });
      response.writeHead(reply.status, { 'content-type': 'application/json' }).end(JSON.stringify(reply.body));
    });
  }).listen(0, '127.0.0.1');
  await once(provider, 'listening');
  const { port } = provider.address() as AddressInfo;
  admin = await startAdminApp((deps) => {
    const circuits = new CircuitBreaker(deps.clock);
    for (let failure = 0; failure < 5; failure += 1) circuits.failed({ provider: 'openai', model: 'gpt-4o' }, 0);
    upstream = {
      ...deps.upstream,
      settings: async () => ({
        OPENAI_API_KEY: SECRET,
        OPENAI_BASE_URL: `http://user:${PASSWORD}@127.0.0.1:${port}/${PASSWORD}/v1?key=${PASSWORD}`,
        SVC_PROVIDERS: 'lab',
        LAB_BASE_URL: 'http://lab.internal:8000/v1',
        GROQ_API_KEY: SECRET,
        GROQ_BASE_URL: PASSWORD,
      }),
      models: new ModelCatalog({ 'lab/llama': { input: 1, output: 2 } }),
      circuits: async () => circuits.list(),
    };
    return { ...deps, upstream };
  }, ROUTES);
});
afterAll(async () => {
  provider.closeAllConnections();
  provider.close();
  await admin.stop();
});
beforeEach(() => {
  sent.length = 0;
  const usage = { prompt_tokens: 12, completion_tokens: 2, total_tokens: 14 };
  const choices = [{ index: 0, message: { role: 'assistant', content: 'OK' }, finish_reason: 'stop' }];
  reply = { status: 200, body: { id: 'x', object: 'chat.completion', created: 1, model: 'm', choices, usage } };
});

const byName = async (name: string) => {
  const { json } = await admin.call('GET', '/providers');
  return json.data.find((one: { name: string }) => one.name === name);
};
const write = async (fields: readonly Partial<RequestRecord>[]) => {
  const clients = { together: admin.dynamo, alone: admin.dynamo };
  const records = new DynamoRequestRecords(clients, 'records', { keptDays: 30, lingerMs: 1, pendingIndex: false });
  await Promise.all(fields.map((one) => records.write(recordOf(one))));
};

it('shows no credential, and of a base URL only the host', async () => {
  for (const path of ['/providers', '/routes', '/settings']) {
    const { status, json } = await admin.call('GET', path);
    expect(status).toBe(200);
    const text = JSON.stringify(json);
    for (const secret of [SECRET, PASSWORD, 'user:', '/v1?']) expect(text).not.toContain(secret);
  }
});

it('names the setting of a provider that cannot be used', async () => {
  const { host, isCallable, test } = await byName('groq');
  const reason = 'It is not configured correctly: GROQ_BASE_URL must be an http or https URL.';
  expect({ host, isCallable, test }).toMatchObject({
    host: null,
    isCallable: false,
    test: { isPossible: false, reason },
  });
});

it.each([
  ['GET', '/providers'],
  ['GET', '/routes'],
  ['GET', '/settings'],
  ['POST', '/providers/openai/test'],
  ['GET', '/policy?effective=true'],
  ['GET', '/policy/scores'],
  ['GET', '/keys/key_1/policy?effective=true'],
])('%s %s is for administrators', async (method, path) => {
  for (const permissions of [['chat_completions'], ['analytics']]) {
    const { key } = (await admin.call('POST', '/keys', { body: { name: 'app', permissions } })).json;
    expect((await admin.call(method, path, { key })).status).toBe(403);
  }
  expect((await admin.call(method, path, { key: null })).status).toBe(401);
  expect(sent).toEqual([]);
});

describe('the list of providers', () => {
  it('says which credentials are present, and which providers the gateway calls', async () => {
    const { port } = provider.address() as AddressInfo;
    expect(await byName('openai')).toMatchObject({
      credentials: 'present',
      keyVariable: 'OPENAI_API_KEY',
      host: `127.0.0.1:${port}`,
      isConfigured: true,
      isCallable: true,
      isBuiltIn: true,
      routes: ['fast'],
      circuit: [{ model: 'gpt-4o', state: 'open', failures: 5, openUntil: expect.any(String) }],
      test: { isPossible: true, model: 'gpt-4o-mini' },
    });
    expect(await byName('lab')).toMatchObject({ credentials: 'not_needed', isBuiltIn: false, isCallable: true });
    expect(await byName('anthropic')).toMatchObject({
      credentials: 'absent',
      isConfigured: false,
      isCallable: false,
      circuit: [],
      test: { isPossible: false, reason: 'It has no credentials or no address.' },
    });
    const { json } = await admin.call('GET', '/providers');
    expect(json.data.slice(0, 2).map(({ name }: { name: string }) => name)).toEqual(['echo', 'openai']);
  });

  it('derives health from the records of the last 15 minutes', async () => {
    const time = (minutesAgo: number) => new Date(admin.clock.time - minutesAgo * 60_000).toISOString();
    const failed = { provider: 'lab', state: 'failed', status: 502, errorCode: 'provider_error', attempts: 3 } as const;
    await write([
      { provider: 'lab', time: time(1), attempts: 1 },
      { ...failed, time: time(2) },
      { ...failed, time: time(3), errorCode: 'provider_timeout' },
      { ...failed, time: time(40) },
      // Limits of the gateway are not the provider's.
      { ...failed, time: time(1), attempts: 0, status: 429, errorCode: 'rate_limit_exceeded' },
    ]);
    expect((await byName('lab')).health).toEqual({
      state: 'failing',
      requests: 3,
      errors: 2,
      lastError: { code: 'provider_error', status: 502, time: time(2) },
    });
    expect((await byName('openai')).health).toEqual({ state: 'unknown', requests: 0, errors: 0, lastError: null });
  });

  it('reads a bounded number of records', async () => {
    const time = new Date(admin.clock.time - 5_000).toISOString();
    await write(Array.from({ length: 1_600 }, () => ({ provider: 'openai', time, attempts: 1 })));
    const { json } = await admin.call('GET', '/providers');
    expect(json.health.isCut).toBe(true);
    expect(json.health.records).toBeLessThanOrEqual(1_500);
    expect((await byName('openai')).health.state).toBe('ok');
  });
});

describe('the list of routes', () => {
  it("has the deployment's routes first, with the shares of callable targets", async () => {
    const { json } = await admin.call('GET', '/routes?effective=true');
    expect(json).toMatchObject({ version: 0, isOverridden: false });
    expect(json.data[0]).toEqual({
      object: 'route',
      models: 'fast',
      source: 'deployment',
      targets: [
        { provider: 'openai', model: 'gpt-4o-mini', isCallable: true, state: 'active', share: 0.75 },
        { provider: 'lab', model: 'llama', isCallable: true, state: 'active', share: 0.25 },
        { provider: 'groq', model: 'llama', isCallable: false, state: 'active', share: 0 },
      ],
      fallbacks: [{ provider: 'anthropic', model: 'claude-haiku-4-5', isCallable: false, state: 'active' }],
      state: 'active',
    });
    expect(json.data[1]).toMatchObject({ models: 'echo', source: 'standard' });
  });
});

describe('a test request', () => {
  const test = (name: string, body?: object) => admin.call('POST', `/providers/${name}/test`, { body: body ?? {} });

  it('is sent once, with a bounded response, and is in the audit log', async () => {
    const { status, json } = await test('lab', { model: 'llama' });
    expect([status, json.result]).toEqual([200, 'failed']);
    const { json: tested } = await test('openai');
    expect(tested).toEqual({
      object: 'provider.test',
      provider: 'openai',
      model: 'gpt-4o-mini',
      result: 'ok',
      code: null,
      status: null,
      message: 'The provider responded.',
      durationMs: expect.any(Number),
      tokens: { input: 12, output: 2 },
      costUsd: expect.any(Number),
    });
    expect(sent.length).toBe(1);
    expect(JSON.parse(sent[0]?.body ?? '')).toMatchObject({ model: 'gpt-4o-mini', max_completion_tokens: 16 });
    const { maxCostUsd } = (await byName('openai')).test;
    expect(tested.costUsd).toBeLessThanOrEqual(maxCostUsd);
    expect(maxCostUsd).toBeLessThan(0.001);
    const audited = (await admin.call('GET', '/audit?limit=1')).json.data[0];
    expect(audited).toMatchObject({
      action: 'provider.tested',
      target: { type: 'provider', id: 'openai' },
      after: { model: 'gpt-4o-mini' },
    });
  });

  it.each([
    [401, { error: { message: `Incorrect API key provided: ${SECRET}`, code: 'invalid_api_key' } }, 'provider_error'],
    [404, { error: { message: `no model ${SECRET}`, code: 'model_not_found' } }, 'model_not_found'],
    [429, { error: { message: 'slow down', code: 'rate_limit_exceeded' } }, 'rate_limit_exceeded'],
    [500, { error: { message: SECRET } }, 'provider_error'],
  ])('reports status %i without any text of the provider', async (status, body, code) => {
    reply = { status, body };
    const { json } = await test('openai');
    expect(json).toMatchObject({ result: 'failed', code, tokens: null, costUsd: null });
    expect(JSON.stringify(json)).not.toContain(SECRET);
    expect(json.message).toMatch(/^The provider /);
  });

  it('is refused without credentials, for an unknown provider and for an impossible model', async () => {
    const answers = await Promise.all([
      test('anthropic'),
      test('nowhere'),
      test('openai', { model: '../x y' }),
      test('openai', { more: 1 }),
    ]);
    expect(answers.map(({ status, json }) => [status, json.error.code])).toEqual([
      [409, 'conflict'],
      [404, 'not_found'],
      [400, 'invalid_value'],
      [400, 'invalid_value'],
    ]);
    expect(sent).toEqual([]);
  });
});

describe('the model of a test that names none', () => {
  const modelFrom = async (list: readonly object[] | undefined, name = 'openai') => {
    reply = list === undefined ? { status: 401, body: {} } : { status: 200, body: { data: list } };
    const base = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`;
    const settings = { OPENAI_API_KEY: SECRET, OPENAI_BASE_URL: base, SVC_PROVIDERS: 'lab', LAB_BASE_URL: base };
    return listedModel(name, settings, upstream);
  };
  const ids = (...names: string[]) => names.map((id) => ({ id }));

  it("is the cheapest chat model of the provider's own list", async () => {
    const list = ids(
      'babbage-002',
      'ada',
      'gpt-3.5-turbo-instruct',
      'text-embedding-3-small',
      'gpt-5.5',
      'gpt-4o',
      'o9',
    );
    expect(await modelFrom(list)).toBe('gpt-4o');
    expect(sent).toEqual([{ path: '/v1/models', body: '' }]);
  });

  it('is the first of a list without prices', async () => {
    expect(await modelFrom(ids('bge-embed', 'qwen3', 'a/llama'), 'lab')).toBe('qwen3');
    expect(await modelFrom([], 'lab')).toBeUndefined();
  });

  it('is not a retired one where the list cannot be read', async () => {
    const model = (await modelFrom(undefined)) as string;
    expect(upstream.models.ofProvider('openai')).toContainEqual({ provider: 'openai', model });
    expect(await modelFrom(undefined, 'lab')).toBe('llama');
  });
});

it('a test of Bedrock without the permission names the IAM action, and the way through the gateway', async () => {
  const routes = { current: async () => ({ settings: { routes: [] } }) };
  const providers = { current: async () => ({ settings: { providers: [] } }) };
  const at = { ...upstream, bedrock: true, signsBedrock: false };
  const deps = { upstream: at, routes, providers } as unknown as AdminDeps;
  const message = expect.stringMatching(/lacks the IAM action bedrock:InvokeModel.* Test through the gateway: /);
  await expect(runTest('bedrock', undefined, {} as Caller, deps)).rejects.toMatchObject({ code: 'conflict', message });
});
