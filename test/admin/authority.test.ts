import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { CreateKey, UpdateKey } from '../../functions/contract/index.ts';
import { type AdminApp, startAdminApp } from '../support/admin-app.ts';

let admin: AdminApp;
beforeAll(async () => {
  admin = await startAdminApp();
});
// Ten sign-ins a minute and address are let in.
beforeEach(() => {
  admin.clock.time += 120_000;
});
afterAll(() => admin.stop());

type Fields =
  | Partial<CreateKey>
  | { readonly permissions?: readonly string[]; readonly excludePermissions?: readonly string[] };
interface Made {
  readonly id: string;
  readonly key: string;
}

/** A key that the first admin key made. */
async function made(fields: Fields): Promise<Made> {
  const { status, json } = await admin.call('POST', '/keys', { body: { name: 'made', ...fields } });
  expect(status).toBe(201);
  return json;
}

/** An administrator without some rights. */
const restricted = (fields: Fields) => made({ permissions: ['admin'], ...fields });

const create = (by: Made, fields: Fields) =>
  admin.call('POST', '/keys', { key: by.key, body: { name: 'new', ...fields } });
const change = (by: Made, id: string, fields: UpdateKey | Fields) =>
  admin.call('PATCH', `/keys/${id}`, { key: by.key, body: fields });
const rotate = (by: Made, id: string) => admin.call('POST', `/keys/${id}/rotate`, { key: by.key });

/** The caller lacks what the message names. */
function expectLacking({ status, json }: Awaited<ReturnType<typeof create>>, ...lacking: string[]): void {
  expect([status, json.error]).toEqual([
    403,
    expect.objectContaining({ type: 'permission_error', code: 'insufficient_permissions' }),
  ]);
  for (const text of lacking) expect(json.error.message).toContain(text);
}

describe('an administrator without a permission', () => {
  const NO_CHAT = { excludePermissions: ['chat_completions', 'images'] };

  test.each<[string, Fields]>([
    ['the permission', { permissions: ['chat_completions'] }],
    ['it by default', {}],
    ['it by its path', { permissions: ['/v1/chat/completions'] }],
    ['all permissions', { permissions: ['admin'] }],
    ['all but another', { permissions: ['admin'], excludePermissions: ['/v1/embeddings'] }],
  ])('creates no key with %s', async (_, fields) => {
    expectLacking(await create(await restricted(NO_CHAT), fields), 'chat_completions');
  });

  test.each<[string, Fields]>([
    ['nothing is excluded', { excludePermissions: [] }],
    ['less is excluded', { excludePermissions: ['images'] }],
    ['something else is excluded', { excludePermissions: ['embeddings'] }],
  ])('does not change itself so that %s', async (_, fields) => {
    const me = await restricted(NO_CHAT);
    expectLacking(await change(me, me.id, fields), 'permissions');
    expect((await admin.call('GET', `/keys/${me.id}`)).json).toMatchObject(NO_CHAT);
  });

  test('gives it to no other key, in one step or several', async () => {
    const me = await restricted(NO_CHAT);
    const other = await made({ permissions: ['embeddings'] });
    expectLacking(await change(me, other.id, { permissions: ['chat_completions'] }), 'chat_completions');
    expect((await change(me, other.id, { state: 'disabled' })).status).toBe(200);
    expectLacking(await change(me, other.id, { permissions: ['chat_completions'] }), 'chat_completions');
    const excluding = await made({ permissions: ['images'], excludePermissions: ['images'] });
    expectLacking(await change(me, excluding.id, { excludePermissions: [] }), "'images'");
  });

  test.each([
    ['POST', '/v1/admin/policy/replay', { policy: { preset: 'strict' }, texts: true }],
    ['GET', '/v1/admin/policy/scores'],
    ['GET', '/v1/analytics/requests/req_00000000000000000000000000000000/capture'],
    ['GET', '/v1/admin/requests/req_00000000000000000000000000000000/deliveries'],
    ['PATCH', '/v1/analytics/threats/req_00000000000000000000000000000000-0', { mark: 'false_positive' }],
  ])('reads no requests without analytics: %s %s', async (method, path, ...[body]) => {
    const { key } = await restricted({ excludePermissions: ['analytics'] });
    expectLacking(await admin.callAt(method, path, { key, ...(body && { body }) }), 'analytics');
    expect((await admin.callAt(method, path, { ...(body && { body }) })).status).not.toBe(403);
  });

  test('sends itself no requests without analytics: webhooks', async () => {
    const { key } = await restricted({ excludePermissions: ['analytics'] });
    const hooks = (method: string, path: string, body?: object) =>
      admin.call(method, `/webhooks${path}`, { key, ...(body && { body }) });
    const url = 'https://alerts.example.com/svc';
    for (const type of [
      'threat.detected',
      'request.blocked',
      'rate_limit.exceeded',
      'budget.exceeded',
      'session.flagged',
    ]) {
      expectLacking(await hooks('POST', '', { url, events: ['key.created', type] }), 'analytics');
    }
    const mine = await hooks('POST', '', { url, events: ['key.created'] });
    expect(mine.status).toBe(201);
    expectLacking(await hooks('PATCH', `/${mine.json.id}`, { events: ['request.blocked'] }), 'analytics');
    expect((await hooks('PATCH', `/${mine.json.id}`, { url: `${url}/keys` })).status).toBe(200);

    const others = (await admin.call('POST', '/webhooks', { body: { url, events: ['request.blocked'] } })).json;
    expectLacking(await hooks('PATCH', `/${others.id}`, { url: 'https://mine.example.com' }), 'analytics');
    expectLacking(await hooks('PATCH', `/${others.id}`, { filter: {} }), 'analytics');
    expect((await hooks('PATCH', `/${others.id}`, { state: 'disabled' })).status).toBe(200);
    expectLacking(await hooks('PATCH', `/${others.id}`, { state: 'active' }), 'analytics');
    for (const fields of [{ url: 'https://mine.example.com' }, { filter: {} }, { events: ['session.flagged'] }]) {
      expectLacking(await hooks('PATCH', `/${others.id}`, fields), 'analytics');
      expectLacking(await hooks('PATCH', `/${others.id}`, { ...fields, state: 'disabled' }), 'analytics');
    }
    expect((await hooks('PATCH', `/${mine.json.id}`, { state: 'disabled' })).status).toBe(200);
    expectLacking(await hooks('PATCH', `/${mine.json.id}`, { events: ['request.blocked'] }), 'analytics');
    expect((await hooks('PATCH', `/${mine.json.id}`, { events: ['key.updated'] })).status).toBe(200);
    expect((await hooks('PATCH', `/${others.id}`, { description: 'theirs' })).status).toBe(200);
    expect((await hooks('DELETE', `/${others.id}`)).status).toBe(200);
  });

  test('reads no totals of keys without analytics', async () => {
    const { key } = await restricted({ excludePermissions: ['analytics'] });
    expectLacking(await admin.call('GET', '/keys?include=usage', { key }), 'analytics');
    expect((await admin.call('GET', '/keys', { key })).status).toBe(200);
    expect((await admin.call('GET', '/keys?include=usage')).status).toBe(200);
  });

  test('takes over no key that has it', async () => {
    const me = await restricted(NO_CHAT);
    const chat = await made({});
    for (const id of [admin.admin.id, chat.id]) expectLacking(await rotate(me, id), 'chat_completions');
    await admin.call('PATCH', `/keys/${chat.id}`, { body: { state: 'disabled' } });
    expectLacking(await rotate(me, chat.id), 'chat_completions');
  });

  test('revives and extends no key that has it', async () => {
    const me = await restricted(NO_CHAT);
    const disabled = await made({});
    expect((await change(me, disabled.id, { state: 'disabled' })).status).toBe(200);
    expectLacking(await change(me, disabled.id, { state: 'active' }), 'chat_completions');
    const soon = new Date(admin.clock.time + 60_000).toISOString();
    const later = new Date(admin.clock.time + 120_000).toISOString();
    const expiring = await made({ expiresAt: soon });
    for (const expiresAt of [later, null])
      expectLacking(await change(me, expiring.id, { expiresAt }), 'chat_completions');
    admin.clock.time += 90_000;
    expectLacking(await change(me, expiring.id, { expiresAt: later }), 'chat_completions');
    const bound = await made({ ipWhitelist: ['203.0.113.0/24'], allowedModels: ['gpt-4o'] });
    for (const fields of [{ ipWhitelist: [] }, { ipWhitelist: ['0.0.0.0/0'] }, { allowedModels: ['gpt-*'] }]) {
      expectLacking(await change(me, bound.id, fields), 'chat_completions');
    }
  });

  test('does not get it by a session, and a person without it does not give it', async () => {
    const me = await restricted(NO_CHAT);
    const page = { 'sec-fetch-site': 'same-origin' };
    const signedIn = await admin.call('POST', '/session', { key: null, body: { key: me.key }, headers: page });
    const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const headers = { ...page, cookie, 'x-svc-csrf': signedIn.json.csrfToken };
    const bySession = (method: string, path: string, body: object) =>
      admin.call(method, path, { key: null, headers, body });
    expectLacking(await bySession('POST', '/keys', { name: 'new' }), 'chat_completions');
    expectLacking(await bySession('PATCH', `/keys/${me.id}`, { excludePermissions: [] }), 'chat_completions');
    expectLacking(await bySession('POST', `/keys/${admin.admin.id}/rotate`, {}), 'chat_completions');
  });

  test('manages everything else, also keys that have more', async () => {
    const me = await restricted(NO_CHAT);
    expect((await create(me, { permissions: ['embeddings', 'audio'] })).status).toBe(201);
    expect((await create(me, { permissions: ['admin'], ...NO_CHAT })).status).toBe(201);
    expect((await create(me, { permissions: ['images', 'audio'], excludePermissions: ['images'] })).status).toBe(201);
    expect((await rotate(me, me.id)).status).toBe(200);
    const chat = await made({ ipWhitelist: ['203.0.113.0/24'] });
    for (const fields of [
      { name: 'renamed', rateLimit: { requests: 5, period: 'hour' }, budget: { usd: 5, period: 'day' } },
      { permissions: ['chat_completions'], ipWhitelist: ['203.0.113.7'], tags: { team: 'a' } },
      { state: 'disabled' },
    ] as const) {
      expect((await change(me, chat.id, fields as UpdateKey)).status).toBe(200);
    }
    expect((await change(me, chat.id, { name: 'still disabled' })).status).toBe(200);
    expect((await admin.call('DELETE', `/keys/${chat.id}`, { key: me.key })).status).toBe(200);
  });

  test('changes nothing and leaves no record of a change where it is refused', async () => {
    const me = await restricted(NO_CHAT);
    const last = async () => (await admin.call('GET', '/audit?limit=1')).json.data[0].seq;
    const before = await last();
    await create(me, {});
    await rotate(me, admin.admin.id);
    expect(await last()).toBe(before);
    expect((await admin.call('GET', '/keys?limit=1')).json.data[0].id).toBe(me.id);
  });
});

describe('an administrator with other restrictions', () => {
  const HERE = { ipWhitelist: ['192.0.2.0/24', '2001:db8::/32'] };

  test('is not free of its addresses, and makes no administrator who is', async () => {
    const me = await restricted(HERE);
    for (const ipWhitelist of [[], ['0.0.0.0/0'], ['192.0.2.7', '203.0.113.1'], ['192.0.0.0/16'], ['2001:db8::/31']]) {
      expectLacking(await change(me, me.id, { ipWhitelist }), 'ipWhitelist');
      expectLacking(await create(me, { permissions: ['admin'], ipWhitelist }), 'ipWhitelist');
    }
    expectLacking(await rotate(me, admin.admin.id), 'ipWhitelist');
    const other = await made({ permissions: ['embeddings'] });
    expectLacking(await change(me, other.id, { permissions: ['admin'] }), 'ipWhitelist');
    for (const ipWhitelist of [['192.0.2.7'], ['192.0.2.128/25', '::ffff:192.0.2.1', '2001:db8:1::/48']]) {
      expect((await create(me, { permissions: ['admin'], ipWhitelist })).status).toBe(201);
    }
  });

  test('does not outlast its end, and makes no administrator who does', async () => {
    const at = (ms: number) => new Date(admin.clock.time + ms).toISOString();
    const me = await restricted({ expiresAt: at(60_000) });
    for (const expiresAt of [null, at(60_001)]) {
      expectLacking(await change(me, me.id, { expiresAt }), 'expiresAt');
      expectLacking(await create(me, { permissions: ['admin'], expiresAt }), 'expiresAt');
    }
    // In UTC the year 10000, whose text sorts before all others.
    for (const expiresAt of ['9999-12-31T23:59:59-23:59', '9999-12-31T23:59:59-00:01'])
      expect((await create(me, { permissions: ['admin'], expiresAt })).status).toBe(400);
    expectLacking(await rotate(me, admin.admin.id), 'expiresAt');
    expect((await create(me, { permissions: ['admin'], expiresAt: at(60_000) })).status).toBe(201);
    expect((await change(me, me.id, { expiresAt: at(30_000) })).status).toBe(200);
  });

  test('gives no model that it may not use', async () => {
    const me = await restricted({ allowedModels: ['gpt-4*', 'azure/*'] });
    for (const allowedModels of [[], ['*'], ['gpt-*'], ['gpt-4o', 'claude-*'], ['openai/gpt-4o'], ['azur*']]) {
      expectLacking(await change(me, me.id, { allowedModels }), 'allowedModels');
      expectLacking(await create(me, { allowedModels }), 'allowedModels');
    }
    expectLacking(await rotate(me, admin.admin.id), 'allowedModels');
    expect((await create(me, { allowedModels: ['gpt-4o', 'gpt-4*', 'azure/gpt-*'] })).status).toBe(201);
  });

  test('makes keys for applications elsewhere, and sets limits and policies freely', async () => {
    const until = new Date(admin.clock.time + 60_000).toISOString();
    const limits = {
      rateLimit: { requests: 1, period: 'hour' },
      budget: { usd: 1, period: 'day' },
      maxConcurrent: 1,
    } as const;
    const policy = { preset: 'strict' } as const;
    const me = await restricted({ ...HERE, expiresAt: until, ...limits, policy, environment: 'Staging' });
    expect((await create(me, { environment: 'Production' })).status).toBe(201);
    const freed = { budget: null, maxConcurrent: null, policy: { preset: 'monitor' } } as const;
    expect((await change(me, me.id, freed)).status).toBe(200);
  });
});

test('a key that is restricted while it changes another is checked again before its next attempt', async () => {
  const me = await restricted({});
  const other = await made({ permissions: ['embeddings'] });
  const { get } = admin.deps.keys;
  // Between the read of the other key and its write, both keys are changed by an administrator.
  let isFirst = true;
  admin.deps.keys.get = async (id) => {
    const found = await get.call(admin.deps.keys, id);
    if (id === other.id && isFirst) {
      isFirst = false;
      await admin.call('PATCH', `/keys/${me.id}`, { body: { excludePermissions: ['images'] } });
      await admin.call('PATCH', `/keys/${other.id}`, { body: { name: 'changed meanwhile' } });
    }
    return found;
  };
  try {
    expectLacking(await change(me, other.id, { permissions: ['images'] }), "'images'");
  } finally {
    admin.deps.keys.get = get;
  }
});

describe('a key that is revoked while the body of its request arrives', () => {
  const url = 'https://alerts.example.com/svc';
  test.each<[string, string, object]>([
    ['POST', '/keys', { name: 'late' }],
    ['PUT', '/policy', { preset: 'monitor' }],
    ['POST', '/policy/rollback', { version: 0 }],
    ['POST', '/policy/replay', { policy: { preset: 'strict' } }],
    ['POST', '/playground/guard', { input: 'hello' }],
    ['POST', '/webhooks', { url, events: ['key.created'] }],
    ['PATCH', '/webhooks/{id}', { url: 'https://elsewhere.example.com' }],
    ['POST', '/webhooks/{id}/rotate-secret', {}],
    ['PATCH', '/keys/{key}', { name: 'late' }],
    ['POST', '/keys/{key}/rotate', {}],
    ['POST', '/providers/echo/test', {}],
  ])('changes and reads nothing: %s %s', async (method, path, body) => {
    const me = await restricted({});
    const hook = (await admin.call('POST', '/webhooks', { body: { url, events: ['key.created'] } })).json;
    const other = await made({});
    const place = `/v1/admin${path.replace('{id}', hook.id).replace('{key}', other.id)}`;
    const headers = new Headers({ authorization: `Bearer ${me.key}`, 'content-type': 'application/json' });
    const bytes = async () => {
      await admin.call('DELETE', `/keys/${me.id}`);
      return Buffer.from(JSON.stringify(body));
    };
    const incoming = { method, url: `http://admin${place}`, headers, bytes };
    const { status } = await admin.app(incoming, { clientAddress: '192.0.2.7' });
    expect(status).toBe(401);
    const [last] = (await admin.call('GET', '/audit?limit=1')).json.data;
    expect([last.action, last.target.id]).toEqual(['key.revoked', me.id]);
  });
});
