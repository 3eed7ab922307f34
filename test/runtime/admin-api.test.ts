import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createDynamoClient, type DynamoClient } from '../../functions/adapters/aws/clients.ts';
import { DynamoDeliveryStore } from '../../functions/adapters/dynamo/dynamo-delivery-store.ts';
import { DynamoIssuedIds } from '../../functions/adapters/dynamo/dynamo-issued-ids.ts';
import { systemClock } from '../../functions/adapters/node/process-time.ts';
import { deliveryIdOf } from '../../functions/control/webhooks/index.ts';
import { embeddedAccess } from '../../lib/local/create-resources.ts';
import { eventually } from '../support/eventually.ts';
import { type Deployment, startDeployment } from './deployment.ts';
import { putAdminKey } from './put-admin-key.ts';

const USER = 'maria.lopez@example.org';

let deployment: Deployment;
let adminKey: string;
let dynamo: DynamoClient;
beforeAll(async () => {
  deployment = await startDeployment();
  adminKey = await putAdminKey(deployment);
  dynamo = createDynamoClient(embeddedAccess(deployment.stores.dynamodbUrl));
});
afterAll(async () => {
  await deployment?.stop();
});

async function call(method: string, path: string, body?: object, { key = adminKey, headers = {} } = {}) {
  const base = /^\/(admin\/|analytics\/|approvals)/.test(path) ? deployment.adminUrl : deployment.baseUrl;
  const response = await fetch(base + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, json: JSON.parse((await response.text()) || 'null') };
}

/** A delivery that was given up, as the delivering function leaves it. */
async function deadDelivery(webhookId: string, eventId: string): Promise<string> {
  const store = new DynamoDeliveryStore(dynamo, 'deliveries', systemClock, 30);
  const id = deliveryIdOf(eventId, webhookId);
  await store.create({ id, webhookId, eventId, type: 'threat.detected', body: '{}', endUserId: USER });
  const [stored] = await store.read([id]);
  if (stored === undefined) throw new Error('not stored');
  await store.begin(stored);
  const attempt = {
    at: new Date().toISOString(),
    durationMs: 3,
    status: 500,
    failure: 'status' as const,
    response: '',
  };
  await store.end(stored, attempt, { state: 'dead', reason: 'exhausted' });
  return id;
}

test("the deployed admin API lists a webhook's deliveries with each filter, and redelivers one", async () => {
  const { json: webhook } = await call('POST', '/admin/webhooks', {
    url: 'https://example.com/hook',
    events: ['threat.detected'],
  });
  const dead = await deadDelivery(webhook.id, 'evt_1');
  for (const query of ['', '?state=dead']) {
    const { json } = await call('GET', `/admin/webhooks/${webhook.id}/deliveries${query}`);
    expect(json.data).toEqual([expect.objectContaining({ id: dead, state: 'dead' })]);
  }
  const again = await call('POST', `/admin/webhooks/${webhook.id}/deliveries/${dead}/redeliver`);
  expect([again.status, again.json.state]).toEqual([202, 'pending']);
});

test('and providers by their secret without any of its values, routes, settings, and tests one', async () => {
  deployment.rotateProviders({
    OPENAI_API_KEY: 'sk-planted-1',
    OPENAI_BASE_URL: 'http://user:sk-planted-2@127.0.0.1:9/v1',
  });
  const { status, json } = await call('GET', '/admin/providers');
  expect(status).toBe(200);
  expect(json.data.find(({ name }: { name: string }) => name === 'openai')).toMatchObject({
    credentials: 'present',
    host: '127.0.0.1:9',
    circuit: [],
  });
  expect(json.data.find(({ name }: { name: string }) => name === 'bedrock')).toMatchObject({
    credentials: 'aws_role',
    test: { isPossible: false },
  });
  expect(JSON.stringify(json)).not.toContain('sk-planted');
  expect((await call('GET', '/admin/routes?effective=true')).json.data[0]).toMatchObject({ models: 'echo' });
  expect((await call('GET', '/admin/settings')).json).toMatchObject({
    stage: 'Development',
    stores: { database: 'dynamodb' },
  });
  const failed = await call('POST', '/admin/providers/openai/test', { model: 'gpt-4o-mini' });
  expect(failed.json).toMatchObject({ result: 'failed', code: 'provider_error' });
  expect((await call('POST', '/admin/providers/echo/test')).json).toMatchObject({ result: 'ok', costUsd: 0 });
});

test('and versions of the policy, and a key whose secret was changed twice', async () => {
  for (const preset of ['monitor', 'balanced']) {
    expect((await call('PUT', '/admin/policy', { preset })).status).toBe(200);
  }
  const versions = await call('GET', '/admin/policy/versions');
  expect(versions.json.data.map(({ preset }: { preset: string }) => preset).slice(0, 2)).toEqual([
    'balanced',
    'monitor',
  ]);

  const { json: made } = await call('POST', '/admin/keys', { name: 'app' });
  const secrets = [made.key];
  for (const graceSeconds of [0, 0]) {
    const { json } = await call('POST', `/admin/keys/${made.id}/rotate`, { graceSeconds });
    secrets.push(json.key);
  }
  const statuses = await Promise.all(
    secrets.map(async (key) => (await call('GET', '/models', undefined, { key })).status),
  );
  expect(statuses).toEqual([401, 401, 200]);
});

test("and deletes an end user's data in every table", async () => {
  const { json: made } = await call('POST', '/admin/keys', { name: 'app', policy: { capture: 'full' } });
  const headers = { 'x-end-user-id': USER, 'idempotency-key': 'once', 'x-session-id': 'a talk' };
  const body = { model: 'echo', messages: [{ role: 'user', content: 'SVC-TEST-FLAG-7f3a' }] };
  expect((await call('POST', '/chat/completions', body, { key: made.key, headers })).status).toBe(200);
  const ofUser = `/analytics/requests?endUserId=${encodeURIComponent(USER)}`;
  await eventually(async () => (await call('GET', ofUser)).json.data.length > 0);
  // What it adds up to comes behind it.
  const totals = `/analytics/summary?endUserId=${encodeURIComponent(USER)}`;
  await eventually(async () => (await call('GET', totals)).json.requests > 0);

  await new DynamoIssuedIds(dynamo, 'sessions').keep(['resp_1'], { keyId: made.id, score: undefined }, USER);

  // It may be repeated, as after a 503: on a busy machine one of its many writes can exceed the store's deadline.
  const deletion = await eventually(
    () => call('DELETE', `/admin/end-users/${encodeURIComponent(USER)}`),
    ({ status }) => status !== 503,
  );
  expect([deletion.status, deletion.json.object]).toEqual([200, 'end_user.deletion']);
  expect((await call('GET', ofUser)).json.data).toEqual([]);
  expect((await call('GET', totals)).json.requests).toBe(0);
  expect(deployment.logs().join('\n')).not.toContain(USER);
});
