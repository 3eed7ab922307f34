import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type AdminApp, type AdminCall, type AdminResponse, startAdminApp } from '../support/admin-app.ts';

const MINUTE_MS = 60_000;

let service: AdminApp;

beforeAll(async () => {
  service = await startAdminApp();
});
// Ten attempts a minute and address are let in.
beforeEach(() => {
  service.clock.time += 2 * MINUTE_MS;
});
afterAll(() => service.stop());

async function newKey(fields: object = {}): Promise<{ id: string; key: string }> {
  return (await service.call('POST', '/keys', { body: { name: 'Sue', permissions: ['admin'], ...fields } })).json;
}

/** What a browser adds to a request from the dashboard's page. */
const FROM_PAGE = { 'sec-fetch-site': 'same-origin' };

const signIn = (key: string, headers: AdminCall['headers'] = FROM_PAGE) =>
  service.call('POST', '/session', { key: null, body: { key }, headers });

/** The cookies that a browser sends after a response. */
function cookieOf({ headers }: AdminResponse): string {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

/** A signed-in user. */
async function visitor(key: string) {
  const answer = await signIn(key);
  expect(answer.status).toBe(201);
  const cookie = cookieOf(answer);
  const token: string = answer.json.csrfToken;
  const ask = (method: string, path: string, options: AdminCall = {}) =>
    service.callAt(method, path, { key: null, ...options, headers: { cookie, ...options.headers } });
  return {
    answer,
    cookie,
    token,
    ask,
    change: (method: string, path: string, body?: unknown) =>
      ask(method, path, { ...(body !== undefined && { body }), headers: { ...FROM_PAGE, 'x-svc-csrf': token } }),
  };
}

describe('signing in', () => {
  test('sets an HttpOnly, SameSite cookie that contains nothing of the key', async () => {
    const { id, key } = await newKey();
    const { answer, cookie } = await visitor(key);
    expect(answer.json).toEqual({
      object: 'session',
      permissions: [
        'chat_completions',
        'completions',
        'embeddings',
        'images',
        'audio',
        'mcp',
        'batches',
        'analytics',
        'approvals',
        'security',
        'operator',
        'admin',
      ],
      keyId: id,
      name: 'Sue',
      team: null,
      operations: expect.arrayContaining(['listKeys', 'putPolicy']),
      expiresAt: new Date(service.clock.time + 12 * 60 * MINUTE_MS).toISOString(),
      csrfToken: expect.stringMatching(/^[\w-]{43}$/),
    });
    const [set = ''] = answer.headers.getSetCookie();
    expect(set).toMatch(/^__Host-svc_session=[\w.+/=-]+; Max-Age=3600; Path=\/; HttpOnly; SameSite=Strict; Secure$/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const [, sealed = ''] = cookie.split('.');
    expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toMatch(/key_|svc_sk_/);
  });

  test('is in the audit log, under the key that was used', async () => {
    const { id, key } = await newKey();
    await visitor(key);
    const { json } = await service.call('GET', '/audit?limit=1');
    expect(json.data[0]).toMatchObject({
      action: 'session.created',
      actor: { type: 'key', id },
      target: { type: 'session', id },
      from: { address: '192.0.2.7' },
    });
  });

  test.each([
    ['a key that is none', 'svc_sk_mine', 401],
    ['nothing', '', 401],
  ])('is refused with %s', async (_, key, status) => {
    const answer = await signIn(key);
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([status, []]);
  });

  test('is refused for a key without permission, and for one from another address', async () => {
    for (const fields of [{ permissions: ['chat_completions'] }, { ipWhitelist: ['203.0.113.9'] }]) {
      const answer = await signIn((await newKey(fields)).key);
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []]);
    }
  });

  test('is refused with a rotated secret, whose session would outlive its grace', async () => {
    const { id, key } = await newKey();
    const rotated = await service.call('POST', `/keys/${id}/rotate`, { body: { graceSeconds: 3600 } });
    expect((await service.call('GET', '/keys', { key })).status).toBe(200);
    expect((await signIn(key)).status).toBe(401);
    expect((await signIn(rotated.json.key)).status).toBe(201);
  });

  test('is refused to a page of another site, and without a sign of the page', async () => {
    const { key } = await newKey();
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example', host: 'svc.example' },
      { host: 'svc.example' },
      { origin: '', host: '' },
      { 'sec-fetch-site': '' },
      { 'sec-fetch-site': 'none' },
      { origin: 'https://svc.example', host: 'svc.example', 'sec-fetch-site': 'same-site' },
    ]) {
      expect((await signIn(key, headers)).status).toBe(403);
    }
    expect((await signIn(key, { origin: 'https://svc.example', host: 'svc.example' })).status).toBe(201);
  });

  test('is limited to ten attempts a minute from one address', async () => {
    const { key } = await newKey();
    const statuses: number[] = [];
    for (let at = 0; at < 10; at += 1) statuses.push((await signIn(at % 2 === 0 ? key : 'wrong')).status);
    expect(statuses).toEqual(Array.from({ length: 5 }, () => [201, 401]).flat());
    const refused = await signIn(key);
    expect([refused.status, refused.json.error.code]).toEqual([429, 'rate_limit_exceeded']);
    expect(refused.headers.get('retry-after')).toBe('6');
    service.clock.time += 6_000;
    expect((await signIn(key)).status).toBe(201);
  });

  test('is limited for a network of IPv6, which has more addresses than anybody can count', async () => {
    const { key } = await newKey();
    const from = async (address: string) => {
      const response = await service.call('POST', '/session', {
        key: null,
        body: { key },
        headers: FROM_PAGE,
        address,
      });
      return response.status;
    };
    const statuses: number[] = [];
    for (let at = 0; at < 11; at += 1) statuses.push(await from(`2001:db8::${at}:1`));
    expect(statuses).toEqual([...Array(10).fill(201), 429]);
    expect(await from('2001:db8:0:1::1')).toBe(201);
  });
});

describe('a session', () => {
  test("has its key's read permissions, and returns who is signed in", async () => {
    const { answer, ask } = await visitor((await newKey({ permissions: ['analytics'] })).key);
    expect(answer.json.permissions).toEqual(['analytics']);
    expect((await ask('GET', '/v1/admin/session')).json).toEqual(answer.json);
    expect((await ask('GET', '/v1/analytics/summary')).status).toBe(200);
    expect((await ask('GET', '/v1/admin/keys')).status).toBe(403);
  });

  test("has its key's permissions, and the audit log lists it as that key", async () => {
    const { id, key } = await newKey({ excludePermissions: ['analytics'], permissions: ['admin'] });
    expect((await signIn(key)).status).toBe(403);
    await service.call('PATCH', `/keys/${id}`, { body: { excludePermissions: ['images'] } });
    const { change, answer } = await visitor(key);
    expect(answer.json.permissions).not.toContain('images');
    expect((await change('POST', '/v1/admin/keys', { name: 'made by a session' })).status).toBe(201);
    const { json } = await service.call('GET', '/audit?limit=1');
    expect(json.data[0]).toMatchObject({ action: 'key.created', actor: { type: 'key', id } });
  });

  test("changes nothing without its token, with another session's token, or for another site", async () => {
    const { key } = await newKey();
    const [one, other] = [await visitor(key), await visitor(key)];
    expect(one.token).not.toBe(other.token);
    const body = { name: 'never' };
    for (const headers of [
      FROM_PAGE,
      { ...FROM_PAGE, 'x-svc-csrf': '' },
      { ...FROM_PAGE, 'x-svc-csrf': other.token },
      { 'x-svc-csrf': one.token },
      { 'x-svc-csrf': one.token, 'sec-fetch-site': 'same-site' },
      { 'x-svc-csrf': one.token, origin: 'null' },
    ]) {
      expect((await one.ask('POST', '/v1/admin/keys', { body, headers })).status).toBe(403);
    }
    for (const headers of [FROM_PAGE, { 'x-svc-csrf': one.token }]) {
      expect((await one.ask('DELETE', '/v1/admin/session', { headers })).status).toBe(403);
    }
    const { json } = await service.call('GET', '/keys?limit=100');
    expect(json.data.map(({ name }: { name: string }) => name)).not.toContain('never');
    const sameSite = { ...FROM_PAGE, 'x-svc-csrf': one.token };
    expect((await one.ask('POST', '/v1/admin/keys', { body: { name: 'x' }, headers: sameSite })).status).toBe(201);
  });

  test.each<[string, (id: string) => Promise<unknown>]>([
    ['is revoked', (id) => service.call('DELETE', `/keys/${id}`)],
    ['is disabled', (id) => service.call('PATCH', `/keys/${id}`, { body: { state: 'disabled' } })],
    [
      'has another secret, whatever its grace',
      (id) => service.call('POST', `/keys/${id}/rotate`, { body: { graceSeconds: 3600 } }),
    ],
  ])('is over at once when its key %s', async (_, end) => {
    const { id, key } = await newKey();
    const { ask } = await visitor(key);
    expect((await ask('GET', '/v1/admin/keys')).status).toBe(200);
    await end(id);
    expect((await ask('GET', '/v1/admin/keys')).status).toBe(401);
    expect((await ask('GET', '/v1/admin/session')).status).toBe(401);
  });

  test('ends when its key expires, and returns that time', async () => {
    const expiresAt = new Date(service.clock.time + 10 * MINUTE_MS).toISOString();
    const { answer, ask } = await visitor((await newKey({ expiresAt })).key);
    expect(answer.json.expiresAt).toBe(expiresAt);
    service.clock.time += 10 * MINUTE_MS;
    expect((await ask('GET', '/v1/admin/keys')).status).toBe(401);
  });

  test('ends after an hour without a request, and with requests after twelve', async () => {
    const { key } = await newKey();
    const idle = await visitor(key);
    let cookie = idle.cookie;
    const begun = service.clock.time;
    for (let minutes = 50; minutes < 12 * 60; minutes += 50) {
      service.clock.time = begun + minutes * MINUTE_MS;
      const answer = await service.callAt('GET', '/v1/admin/keys?limit=1', { key: null, headers: { cookie } });
      expect([minutes, answer.status]).toEqual([minutes, 200]);
      cookie = cookieOf(answer);
      expect(cookie).not.toBe('');
      const again = await service.callAt('GET', '/v1/admin/keys?limit=1', { key: null, headers: { cookie } });
      expect(again.headers.getSetCookie()).toEqual([]);
      if (minutes > 60) expect((await idle.ask('GET', '/v1/admin/keys')).status).toBe(401);
    }
    service.clock.time = begun + 12 * 60 * MINUTE_MS;
    expect((await service.callAt('GET', '/v1/admin/keys', { key: null, headers: { cookie } })).status).toBe(401);
  });

  test('applies only without a key; a key takes precedence', async () => {
    const { ask } = await visitor((await newKey({ permissions: ['analytics'] })).key);
    expect((await ask('GET', '/v1/admin/keys', { key: service.admin.secret })).status).toBe(200);
    expect((await ask('GET', '/v1/analytics/summary', { key: 'svc_sk_mine' })).status).toBe(401);
  });

  test('is refused if the cookie was changed, is sent twice, or was sealed for another purpose', async () => {
    const { cookie } = await visitor((await newKey()).key);
    const last = cookie.at(-4) === 'A' ? 'B' : 'A';
    const sealedElsewhere = `__Host-svc_session=${await service.sealedForWebhooks('{}')}`;
    const unprefixed = cookie.replace('__Host-', '');
    for (const other of [
      `${cookie.slice(0, -4)}${last}${cookie.slice(-3)}`,
      `${cookie}; ${cookie}`,
      sealedElsewhere,
      unprefixed,
    ]) {
      const { status } = await service.callAt('GET', '/v1/admin/session', { key: null, headers: { cookie: other } });
      expect(status).toBe(401);
    }
    const among = { cookie: `a=b; ${cookie}; c=d` };
    expect((await service.callAt('GET', '/v1/admin/session', { key: null, headers: among })).status).toBe(200);
  });

  test('ends in this browser by signing out, even if it had ended before', async () => {
    const { id, key } = await newKey();
    const { change, ask } = await visitor(key);
    const out = await change('DELETE', '/v1/admin/session');
    expect([out.status, out.json]).toEqual([200, { object: 'session.deletion', deleted: true }]);
    expect(out.headers.getSetCookie()).toEqual([
      '__Host-svc_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict; Secure',
    ]);
    await service.call('DELETE', `/keys/${id}`);
    expect((await change('DELETE', '/v1/admin/session')).status).toBe(200);
    expect((await service.callAt('DELETE', '/v1/admin/session', { key: null })).status).toBe(200);
    expect((await ask('GET', '/v1/admin/session/options')).json).toEqual({ object: 'session.options', oidc: null });
  });
});
