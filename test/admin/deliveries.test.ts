import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DynamoDeliveryStore } from '../../functions/adapters/dynamo/dynamo-delivery-store.ts';
import { deliveryIdOf, type NewDelivery } from '../../functions/control/webhooks/index.ts';
import { startHttpHost } from '../../functions/server/index.ts';
import { type AdminApp, startAdminApp } from '../support/admin-app.ts';
import { runAdminInProcess } from '../support/run-bin.ts';

let api: AdminApp;
let store: DynamoDeliveryStore;
beforeAll(async () => {
  api = await startAdminApp();
  store = new DynamoDeliveryStore(api.dynamo, 'deliveries', api.clock, 30);
});
afterAll(() => api.stop());

const newWebhook = async (): Promise<string> => {
  const body = { url: 'https://example.com/hook', events: ['key.created'] };
  return (await api.call('POST', '/webhooks', { body })).json.id;
};

let made = 0;
/** A delivery in a state that it comes to by its own ways. */
async function aDelivery(
  webhookId: string,
  state: 'pending' | 'delivered' | 'dead' | 'gathered',
  endUserId?: string,
): Promise<string> {
  made += 1;
  api.clock.time += 1_000;
  const eventId = `evt_${made}`;
  const id = deliveryIdOf(eventId, webhookId);
  const delivery: NewDelivery = { id, webhookId, eventId, type: 'key.created', body: '{"secretless":true}', endUserId };
  if (state === 'gathered') {
    await store.createGathered(delivery, 'delivery_digest');
    return id;
  }
  await store.create(delivery);
  const [stored] = await store.read([id]);
  if (stored === undefined || state === 'pending') return id;
  await store.begin(stored);
  const at = new Date(api.clock.now()).toISOString();
  const ended = {
    at,
    durationMs: 3,
    status: state === 'dead' ? 500 : 200,
    failure: state === 'dead' ? ('status' as const) : null,
    response: 'x',
  };
  await store.end(stored, ended, state === 'dead' ? { state, reason: 'exhausted' } : { state });
  return id;
}

describe('GET /v1/admin/webhooks/{id}/deliveries', () => {
  test('lists deliveries with their attempts, newest first, by page and state', async () => {
    const [id, other] = [await newWebhook(), await newWebhook()];
    const dead = await aDelivery(id, 'dead');
    const delivered = await aDelivery(id, 'delivered');
    const pending = await aDelivery(id, 'pending');
    await aDelivery(other, 'pending');
    const first = await api.call('GET', `/webhooks/${id}/deliveries?limit=2`);
    expect(first.status).toBe(200);
    expect(first.json.data.map((one: { id: string }) => one.id)).toEqual([pending, delivered]);
    expect(first.json.data[1]).toEqual({
      id: delivered,
      object: 'webhook.delivery',
      webhookId: id,
      eventId: expect.any(String),
      type: 'key.created',
      state: 'delivered',
      count: 1,
      digestId: null,
      createdAt: expect.any(String),
      nextAttemptAt: null,
      deadReason: null,
      attempts: [{ at: expect.any(String), durationMs: 3, status: 200, failure: null, response: 'x' }],
    });
    const second = await api.call(
      'GET',
      `/webhooks/${id}/deliveries?limit=2&cursor=${encodeURIComponent(first.json.nextCursor)}`,
    );
    expect(second.json.data.map((one: { id: string }) => one.id)).toEqual([dead]);
    expect(second.json.nextCursor).toBeNull();
    const ofDead = await api.call('GET', `/webhooks/${id}/deliveries?state=dead`);
    expect(ofDead.json.data).toEqual([expect.objectContaining({ id: dead, deadReason: 'exhausted' })]);
  });

  test('refuses an unknown state, an invalid cursor, an unknown webhook, and callers without permission', async () => {
    const id = await newWebhook();
    for (const query of ['state=lost', 'cursor=x', 'limit=0']) {
      expect((await api.call('GET', `/webhooks/${id}/deliveries?${query}`)).status).toBe(400);
    }
    expect((await api.call('GET', '/webhooks/wh_0/deliveries')).status).toBe(404);
    const { json } = await api.call('POST', '/keys', { body: { name: 'Reader', permissions: ['analytics'] } });
    expect((await api.call('GET', `/webhooks/${id}/deliveries`, { key: json.key })).status).toBe(403);
  });
});

describe('POST /v1/admin/webhooks/{id}/deliveries/{deliveryId}/redeliver', () => {
  const redeliver = (id: string, delivery: string) =>
    api.call('POST', `/webhooks/${id}/deliveries/${delivery}/redeliver`);

  test.each(['dead', 'delivered'] as const)('sends one that is %s again, and is audited', async (state) => {
    const id = await newWebhook();
    const delivery = await aDelivery(id, state);
    api.wakes.splice(0);
    const answer = await redeliver(id, delivery);
    expect(answer.status).toBe(202);
    expect(answer.json).toMatchObject({
      id: delivery,
      state: 'pending',
      deadReason: null,
      attempts: [{ durationMs: 3 }],
    });
    expect(await store.due(id, 10)).toEqual([delivery]);
    expect(api.wakes).toEqual([id]);
    const { json } = await api.call('GET', '/audit?limit=1');
    expect(json.data[0]).toMatchObject({ action: 'webhook.redelivered', target: { type: 'delivery', id: delivery } });
  });

  test('is a conflict for one in progress, one in a digest, or one whose webhook is disabled', async () => {
    const id = await newWebhook();
    expect((await redeliver(id, await aDelivery(id, 'pending'))).status).toBe(409);
    const gathered = await redeliver(id, await aDelivery(id, 'gathered'));
    expect([gathered.status, gathered.json.error.message]).toEqual([
      409,
      'The event is part of a digest: redeliver delivery_digest.',
    ]);
    const dead = await aDelivery(id, 'dead');
    await api.call('PATCH', `/webhooks/${id}`, { body: { state: 'disabled' } });
    expect((await redeliver(id, dead)).status).toBe(409);
  });

  test('is 404 for one of another webhook, and for an unknown one', async () => {
    const [id, other] = [await newWebhook(), await newWebhook()];
    const dead = await aDelivery(other, 'dead');
    expect((await redeliver(id, dead)).status).toBe(404);
    expect((await redeliver(id, 'delivery_0')).status).toBe(404);
    expect((await redeliver('wh_0', dead)).status).toBe(404);
  });
});

test('deliveries that name an end user are deleted with their data, pending ones included', async () => {
  const id = await newWebhook();
  const [his, waiting, hers] = [
    await aDelivery(id, 'delivered', 'ann'),
    await aDelivery(id, 'pending', 'ann'),
    await aDelivery(id, 'pending', 'eve'),
  ];
  const { json } = await api.call('DELETE', '/end-users/ann');
  expect(json.deleted).toMatchObject({ deliveries: 2 });
  expect((await store.read([his, waiting, hers])).map((one) => one.id)).toEqual([hers]);
  expect(await store.due(id, 10)).toEqual([hers]);
});

test('admin webhooks redrive sends all dead deliveries again, and prints their number', async () => {
  const host = await startHttpHost(api.app, { port: 0, host: '127.0.0.1', maxBodyBytes: 100_000 });
  const [one, other] = [await newWebhook(), await newWebhook()];
  const dead = [await aDelivery(one, 'dead'), await aDelivery(one, 'dead')];
  await aDelivery(other, 'dead');
  const run = (...more: string[]) =>
    runAdminInProcess(['webhooks', 'redrive', '--url', `${host.url}/v1`, ...more], { SVC_ADMIN_KEY: api.admin.secret });
  expect(await run('--webhook', one, '--dry-run')).toMatchObject({
    code: 0,
    out: `${one}, https://example.com/hook: 2 dead, 0 queued again\n`,
  });
  expect(await run('--webhook', one)).toMatchObject({
    code: 0,
    out: `${one}, https://example.com/hook: 2 dead, 2 queued again\n`,
  });
  expect([...(await store.due(one, 10))].sort()).toEqual(dead.sort());
  expect((await run()).out).toContain(`${other}, https://example.com/hook: 1 dead, 1 queued again\n`);
  expect((await run('--since', 'yesterday')).code).toBe(2);
  await host.stop(100);
});
