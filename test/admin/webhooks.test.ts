import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSecretSealer } from '../../functions/adapters/aws/secret-sealer.ts';
import { DynamoEndpointTurns } from '../../functions/adapters/dynamo/dynamo-endpoint-turns.ts';
import { DynamoWebhookStore } from '../../functions/adapters/dynamo/dynamo-webhook-store.ts';
import { StoreUnavailable } from '../../functions/kernel/errors/index.ts';
import type { Webhook } from '../../functions/kernel/model/index.ts';
import { type AdminApp, startAdminApp } from '../support/admin-app.ts';

let admin: AdminApp;
beforeAll(async () => {
  admin = await startAdminApp();
});
afterAll(() => admin.stop());

const HOOK = { url: 'https://alerts.example.com/svc', events: ['request.blocked'] };
const call = (method: string, path: string, body?: object) =>
  admin.call(method, `/webhooks${path}`, body === undefined ? {} : { body });
const register = async (fields: object = {}) =>
  (await call('POST', '', { ...HOOK, ...fields })).json as { id: string; secret: string };
const storeWith = (sealingKey: string) =>
  new DynamoWebhookStore(
    admin.dynamo,
    'webhooks',
    createSecretSealer(async () => sealingKey),
    admin.clock,
  );
const store = () => storeWith('s'.repeat(64));
const stored = async (id: string) => (await store().get(id)) as Webhook;
const reported = async (id: string) =>
  (await admin.events()).filter(({ data }) => JSON.stringify(data).includes(id)).map(({ type }) => type);

describe('the address of an endpoint', () => {
  it('is stored, shown and audited as the URL standard writes it', async () => {
    const { id, json } = await call('POST', '', { ...HOOK, url: 'HTTPS://Alérts.example.com:443/a/../svc?t=ü' }).then(
      ({ json }) => ({ id: json.id, json }),
    );
    const url = 'https://xn--alrts-csa.example.com/svc?t=%C3%BC';
    expect([json.url, (await stored(id)).url]).toEqual([url, url]);
    const changed = await call('PATCH', `/${id}`, { url: 'https://EXAMPLE.com' });
    expect([changed.status, changed.json.url]).toEqual([200, 'https://example.com/']);
    expect((await admin.call('GET', '/audit?limit=1')).json.data[0]).toMatchObject({
      before: { url },
      after: { url: 'https://example.com/' },
    });
  });

  it('of an older release is shown in this form too', async () => {
    const { id } = await register();
    const old = await store().find(id);
    if (old === undefined) throw new Error('not stored');
    await store().replace(old, { ...old.webhook, url: 'https://exa\r\nmple.com/a b' });
    expect((await call('GET', `/${id}`)).json.url).toBe('https://example.com/a%20b');
  });

  it.each([
    'https://example.com/svc\r\nX-A: b',
    'https://exa\nmple.com/',
    ' https://example.com/',
    'https://a.example/a b',
  ])('holds no white space: %j', async (url) => {
    const { id } = await register();
    for (const answer of [await call('POST', '', { ...HOOK, url }), await call('PATCH', `/${id}`, { url })]) {
      expect([answer.status, answer.json.error]).toEqual([400, expect.objectContaining({ param: 'url' })]);
      expect(answer.json.error.message).toContain('must hold no white space');
    }
  });

  it('has a description of one line, without control characters', async () => {
    for (const description of ['a\nb', 'a\r', '\u001b[31mred', 'a\u0000', '\u0085']) {
      expect(await call('POST', '', { ...HOOK, description })).toMatchObject({
        status: 400,
        json: { error: { param: 'description' } },
      });
    }
    expect((await call('POST', '', { ...HOOK, description: 'Größe 🎉' })).status).toBe(201);
  });
});

describe('a signing secret', () => {
  it('is sealed in the table, in no event, list or record, and readable only with the sealing key', async () => {
    const { id, secret } = await register();
    const { secret: next } = (await call('POST', `/${id}/rotate-secret`, {})).json;
    await call('POST', `/${id}/test`);
    await call('PATCH', `/${id}`, { state: 'disabled' });
    const pages = ['webhooks', 'audit'].map((TableName) => admin.dynamo.send(new ScanCommand({ TableName })));
    const everything = JSON.stringify([
      await Promise.all(pages),
      await admin.events(),
      (await call('GET', '')).json,
      (await admin.call('GET', '/audit')).json,
    ]);
    for (const shown of [secret, next]) {
      for (const part of [shown, shown.slice('whsec_'.length), shown.slice(10, 30)]) {
        expect(everything).not.toContain(part);
        expect(everything).not.toContain(Buffer.from(part).toString('base64').slice(0, 16));
      }
    }
    expect((await stored(id)).secrets.map((one) => one.secret)).toEqual([next, secret]);
    await expect(storeWith('another').get(id)).rejects.toBeInstanceOf(StoreUnavailable);
  });

  it('of another webhook cannot be opened here', async () => {
    const [one, other] = [await register(), await register()];
    const { Items = [] } = await admin.dynamo.send(new ScanCommand({ TableName: 'webhooks' }));
    const itemOf = (id: string) => Items.find(({ sk }) => sk === id);
    const sealer = createSecretSealer(async () => 's'.repeat(64));
    expect(await sealer.open(itemOf(one.id)?.secrets ?? '', one.id)).toContain(one.secret);
    await expect(sealer.open(itemOf(one.id)?.secrets ?? '', other.id)).rejects.toBeInstanceOf(StoreUnavailable);
  });

  it('is sealed with the new key by any change', async () => {
    const { id, secret } = await register();
    const both = storeWith(`${'n'.repeat(64)} ${'s'.repeat(64)}`);
    const read = await both.find(id);
    await both.replace(read as NonNullable<typeof read>, (read as NonNullable<typeof read>).webhook);
    expect((await storeWith('n'.repeat(64)).get(id))?.secrets[0]?.secret).toBe(secret);
    // Who has only the old key could open no list with it any more.
    await both.delete((await both.find(id)) as NonNullable<typeof read>);
  });

  it('is deleted with its webhook', async () => {
    const { id } = await register();
    await call('DELETE', `/${id}`);
    expect(await store().get(id)).toBeUndefined();
  });
});

describe('a webhook that failed', () => {
  const since = '2026-06-01T00:00:00.000Z';

  it('is marked since its first failure, until a success', async () => {
    const { id } = await register();
    await store().noteFailing(id, since);
    await store().noteFailing(id, '2026-06-02T00:00:00.000Z');
    expect((await call('GET', `/${id}`)).json.failingSince).toBe(since);
    for (const _ of [1, 2]) await store().noteFailing(id, null);
    expect((await call('GET', `/${id}`)).json.failingSince).toBeNull();
    await store().noteFailing('wh_0', since);
    expect(await store().get('wh_0')).toBeUndefined();
  });

  it('shows until when it is paused, but no pause that is over or that an administrator ended', async () => {
    const { id } = await register();
    const pausedUntil = async () => (await call('GET', `/${id}`)).json.pausedUntil;
    const pause = async (ms: number) => {
      const turn = await new DynamoEndpointTurns(admin.dynamo, 'deliveries', admin.clock, 1_000).take(id, 0);
      await turn?.end({ failures: 10, pausedUntilMs: admin.clock.time + ms, wakeAtMs: 0 });
    };
    await store().noteFailing(id, since);
    expect(await pausedUntil()).toBeUndefined();
    await pause(60_000);
    expect(await pausedUntil()).toBe(new Date(admin.clock.time + 60_000).toISOString());
    await call('PATCH', `/${id}`, { state: 'active' });
    expect(await pausedUntil()).toBeUndefined();
    await store().noteFailing(id, since);
    await pause(-1);
    expect(await pausedUntil()).toBeUndefined();
  });

  it('is disabled once, with an event, unless its address was changed in between', async () => {
    const { id } = await register();
    const read = await stored(id);
    await call('PATCH', `/${id}`, { url: 'https://other.example.com/' });
    expect(await store().disable(read, 'gone')).toBe(false);
    expect(await store().disable(await stored(id), 'failing')).toBe(true);
    expect(await store().disable(await stored(id), 'gone')).toBe(false);
    expect((await call('GET', `/${id}`)).json).toMatchObject({ state: 'disabled', disabledReason: 'failing' });
    expect(await reported(id)).toEqual(['webhook.disabled']);
    expect((await store().listActive()).map((one) => one.id)).not.toContain(id);
  });

  it('is enabled by an administrator without earlier failures, and keeps its secret', async () => {
    const { id, secret } = await register();
    await store().noteFailing(id, since);
    await store().disable(await stored(id), 'failing');
    const { json } = await call('PATCH', `/${id}`, { state: 'active' });
    expect(json).toMatchObject({ state: 'active', disabledReason: null, failingSince: null });
    expect(await stored(id)).toMatchObject({ failingSince: null, secrets: [{ secret }] });
    expect((await store().listActive()).map((one) => one.id)).toContain(id);
  });

  it('has no failures at its new address', async () => {
    const { id } = await register();
    await store().noteFailing(id, since);
    expect((await call('PATCH', `/${id}`, { description: 'x' })).json.failingSince).toBe(since);
    expect((await call('PATCH', `/${id}`, { url: 'https://new.example.com/' })).json.failingSince).toBeNull();
  });

  it('is disabled for good by an administrator, whatever disabled it before', async () => {
    const { id } = await register();
    await store().disable(await stored(id), 'failing');
    expect((await call('PATCH', `/${id}`, { state: 'disabled' })).json.disabledReason).toBe('admin');
    // It was disabled before: that is nothing new.
    expect(await reported(id)).toEqual(['webhook.disabled']);
  });
});

describe('events of webhooks', () => {
  it('report a disabled webhook, without the query of its address', async () => {
    const token = ['token', 'planted'].join('-');
    const { id } = await register({ url: `https://example.com/hook?key=${token}` });
    await call('PATCH', `/${id}`, { state: 'disabled' });
    const [event] = (await admin.events()).filter(({ data }) => 'id' in data && data.id === id);
    expect(event).toMatchObject({ type: 'webhook.disabled', data: { url: 'https://example.com/hook?*' } });
    expect(JSON.stringify(event)).not.toContain(token);
  });

  it('include a test, only for its webhook', async () => {
    const { id } = await register();
    const { eventId } = (await call('POST', `/${id}/test`)).json;
    const [event] = (await admin.events()).filter((one) => one.id === eventId);
    expect(event).toEqual({
      id: eventId,
      type: 'webhook.test',
      created: new Date(admin.clock.time).toISOString(),
      data: { webhookId: id },
    });
  });
});

it('concurrent changes of one webhook are all made', async () => {
  const { id } = await register();
  const changes = [{ description: 'a' }, { filter: { minThreatScore: 0.3 } }, { events: ['key.created'] }];
  const answers = await Promise.all(changes.map((body) => call('PATCH', `/${id}`, body)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await call('GET', `/${id}`)).json).toMatchObject(Object.assign({}, ...changes));
});
