import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AdminApp, startAdminApp } from '../support/admin-app.ts';

let admin: AdminApp;
beforeAll(async () => {
  admin = await startAdminApp();
});
afterAll(() => admin.stop());

const get = async () => (await admin.call('GET', '/override')).json;
const put = (body: unknown, key?: string) => admin.call('PUT', '/override', { body, ...(key && { key }) });
const inMinutes = (minutes: number) => new Date(admin.clock.time + minutes * 60_000).toISOString();

describe('the emergency override', () => {
  it('is none at first', async () => {
    expect(await get()).toEqual({
      ...{ object: 'override', mode: 'none', until: null, version: 0, createdAt: null, createdBy: null },
    });
  });

  it('is set with an end, audited, and an event', async () => {
    const until = inMinutes(30);
    const { status, json } = await put({ mode: 'observe', until });
    const createdAt = new Date(admin.clock.time).toISOString();
    expect([status, json]).toEqual([
      200,
      { object: 'override', mode: 'observe', until, version: 1, createdAt, createdBy: admin.admin.id },
    ]);
    expect(await get()).toEqual(json);
    expect((await admin.call('GET', '/audit?limit=1')).json.data[0]).toMatchObject({
      action: 'override.updated',
      target: { type: 'override', id: '1' },
      before: { mode: 'none' },
      after: { mode: 'observe', until },
    });
    expect((await admin.events()).at(-1)).toMatchObject({
      type: 'override.changed',
      data: { mode: 'observe', until },
    });
  });

  it('is off by itself after its end', async () => {
    admin.clock.time += 30 * 60_000;
    expect(await get()).toMatchObject({ mode: 'none', until: null, version: 1 });
  });

  it('is ended at once', async () => {
    await put({ mode: 'refuse', until: inMinutes(1) });
    expect((await put({ mode: 'none' })).json).toMatchObject({ mode: 'none', until: null, version: 3 });
    expect((await admin.events()).at(-1)).toMatchObject({
      type: 'override.changed',
      data: { mode: 'none', until: null },
    });
  });

  it('is refused without an end, with one that is over or more than a day away, and with anything else', async () => {
    for (const [body, param] of [
      [{ mode: 'refuse' }, 'until'],
      [{ mode: 'refuse', until: 'tomorrow' }, 'until'],
      [{ mode: 'refuse', until: inMinutes(0) }, 'until'],
      [{ mode: 'observe', until: inMinutes(24 * 60 + 1) }, 'until'],
      [{ mode: 'off', until: inMinutes(1) }, 'mode'],
      [{ mode: 'none', key: 'key_1' }, 'key'],
    ] as const) {
      const { status, json } = await put(body);
      expect([status, json.error.param]).toEqual([400, param]);
    }
    expect(await get()).toMatchObject({ mode: 'none', version: 3 });
  });

  it('is shown to who reads analytics: its mode and its end', async () => {
    const { key } = (await admin.call('POST', '/keys', { body: { name: 'viewer', permissions: ['analytics'] } })).json;
    const status = async () => (await admin.callAt('GET', '/v1/analytics/status', { key })).json;
    const NONE = { object: 'status', override: { mode: 'none', until: null }, rollout: null };
    expect(await status()).toEqual(NONE);
    const until = inMinutes(5);
    await put({ mode: 'refuse', until });
    expect(await status()).toEqual({ ...NONE, override: { mode: 'refuse', until } });
    await put({ mode: 'none' });
  });

  it('is set and read by administrators alone', async () => {
    const permissions = ['chat_completions', 'analytics', 'approvals'];
    const { key } = (await admin.call('POST', '/keys', { body: { name: 'app', permissions } })).json;
    expect((await put({ mode: 'refuse', until: inMinutes(1) }, key)).status).toBe(403);
    expect((await admin.call('GET', '/override', { key })).status).toBe(403);
    expect(await get()).toMatchObject({ mode: 'none', version: 5 });
  });
});
