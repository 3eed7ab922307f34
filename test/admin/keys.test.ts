import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AdminApp, startAdminApp } from '../support/admin-app.ts';
import { eventually } from '../support/eventually.ts';

let admin: AdminApp;
/** Of the key that is an administrator now. */
let rootKey = '';
beforeAll(async () => {
  admin = await startAdminApp();
  rootKey = admin.admin.secret;
});
afterAll(() => admin.stop());
const call: AdminApp['call'] = (method, path, options) => admin.call(method, path, { key: rootKey, ...options });

const createAdmin = async (fields: object = {}) => {
  const { json } = await call('POST', '/keys', { body: { name: 'admin', permissions: ['admin'], ...fields } });
  return json as { id: string; key: string };
};

describe('the last key with the permission admin', () => {
  it.each([
    ['revoked', 'DELETE', undefined],
    ['disabled', 'PATCH', { state: 'disabled' }],
    ['stripped of it', 'PATCH', { permissions: ['chat_completions'] }],
    ['kept from it', 'PATCH', { excludePermissions: ['admin'] }],
    ['expired', 'PATCH', { expiresAt: '2026-05-31T00:00:00Z' }],
  ])('is not %s', async (_, method, body) => {
    const answer = await call(method, `/keys/${admin.admin.id}`, { body });
    expect(answer).toMatchObject({ status: 409, json: { error: { code: 'conflict' } } });
    expect((await call('GET', `/keys/${admin.admin.id}`)).json.state).toBe('active');
  });

  it('is recognised although other keys only seem to be administrators', async () => {
    const disabled = await createAdmin();
    await call('PATCH', `/keys/${disabled.id}`, { body: { state: 'disabled' } });
    await createAdmin({ expiresAt: '2026-05-31T00:00:00Z' });
    await createAdmin({ excludePermissions: ['admin'] });
    expect((await call('DELETE', `/keys/${admin.admin.id}`)).status).toBe(409);
  });

  it('may be renamed, rotated and left to expire one day', async () => {
    const path = `/keys/${admin.admin.id}`;
    expect((await call('PATCH', path, { body: { name: 'Root' } })).status).toBe(200);
    const lasting = await createAdmin();
    expect((await call('PATCH', path, { body: { expiresAt: '2030-01-01T00:00:00Z' } })).status).toBe(200);
    expect((await call('POST', `${path}/rotate`)).status).toBe(200);
    // Only a key that lasts longer can extend it.
    expect((await call('PATCH', path, { body: { expiresAt: null } })).status).toBe(403);
    const byLasting = { key: lasting.key };
    expect((await call('PATCH', path, { ...byLasting, body: { expiresAt: null } })).status).toBe(200);
    expect((await call('DELETE', `/keys/${lasting.id}`)).status).toBe(200);
  });

  it('may be revoked once there is another, which then is the last', async () => {
    const other = await createAdmin();
    expect((await call('DELETE', `/keys/${other.id}`)).status).toBe(200);
    const successor = await createAdmin();
    const bySuccessor = { key: successor.key };
    expect((await call('DELETE', `/keys/${admin.admin.id}`, bySuccessor)).status).toBe(200);
    expect((await call('DELETE', `/keys/${successor.id}`, bySuccessor)).status).toBe(409);
    expect((await call('GET', '/keys', {})).status).toBe(401);
    const { key } = (await call('POST', `/keys/${successor.id}/rotate`, { ...bySuccessor, body: { graceSeconds: 0 } }))
      .json;
    expect((await call('GET', '/keys', bySuccessor)).status).toBe(401);
    rootKey = key;
  });
});

describe('a rotated key', () => {
  const rotate = async (id: string, graceSeconds?: number) => {
    const body = graceSeconds === undefined ? undefined : { graceSeconds };
    const { status, json } = await call('POST', `/keys/${id}/rotate`, { body });
    expect(status).toBe(200);
    return json;
  };
  const works = async (key: string) => (await call('GET', '/keys?limit=1', { key })).status === 200;

  it('accepts its old secret for a day, or for the given time, to the millisecond', async () => {
    const { id, key: first } = await createAdmin();
    const rotated = await rotate(id);
    expect(rotated).toMatchObject({ id, last4: rotated.key.slice(-4), previousSecrets: [{ last4: first.slice(-4) }] });
    admin.clock.time += 86_399_999;
    expect([await works(first), await works(rotated.key)]).toEqual([true, true]);
    admin.clock.time += 1;
    expect([await works(first), await works(rotated.key)]).toEqual([false, true]);
    expect((await call('GET', `/keys/${id}`)).json.previousSecrets).toEqual([]);
  });

  it('accepts no older secret after a grace of 0, even if earlier graces are running', async () => {
    const { id, key: first } = await createAdmin();
    const second = (await rotate(id, 3600)).key;
    const third = (await rotate(id, 0)).key;
    expect([await works(first), await works(second), await works(third)]).toEqual([false, false, true]);
  });

  it('accepts several old secrets, each until its end, and at most the five latest', async () => {
    const { id, key } = await createAdmin();
    const secrets = [key];
    for (let at = 0; at < 6; at += 1) {
      admin.clock.time += 1000;
      secrets.push((await rotate(id, 3600)).key);
    }
    expect(await Promise.all(secrets.map(works))).toEqual([false, true, true, true, true, true, true]);
    admin.clock.time += 3_600_000 - 4000;
    expect(await Promise.all(secrets.map(works))).toEqual([false, false, true, true, true, true, true]);
  });

  it('keeps its id, its settings and its state', async () => {
    const made = await call('POST', '/keys', {
      body: { name: 'app', tags: { team: 'a' }, policy: { preset: 'strict' } },
    });
    const { key: _, last4: __, previousSecrets: ___, ...before } = made.json;
    await call('PATCH', `/keys/${before.id}`, { body: { state: 'disabled' } });
    const { key: ____, ...after } = await rotate(before.id);
    expect(after).toMatchObject({ ...before, state: 'disabled' });
  });

  it('causes an event without its secret', async () => {
    const { id } = await createAdmin();
    const { key } = await rotate(id);
    const reported = (await admin.events()).filter(({ data }) => 'id' in data && data.id === id);
    expect(reported.map(({ type }) => type).sort()).toEqual(['key.created', 'key.rotated']);
    expect(reported.find(({ type }) => type === 'key.rotated')?.data).toMatchObject({ last4: key.slice(-4) });
    expect(JSON.stringify(reported)).not.toContain(key);
  });

  it.each([[{ graceSeconds: -1 }], [{ graceSeconds: 2_592_001 }], [{ graceSeconds: 0.5 }], [{ graceSeconds: '1' }]])(
    'is not rotated with %j',
    async (body) => {
      const { id } = await createAdmin();
      const answer = await call('POST', `/keys/${id}/rotate`, { body });
      expect(answer).toMatchObject({ status: 400, json: { error: { param: 'graceSeconds' } } });
    },
  );

  it('is 404 if it is unknown or revoked', async () => {
    const { id } = await createAdmin();
    await call('DELETE', `/keys/${id}`);
    for (const unknown of [id, 'key_none']) {
      expect((await call('POST', `/keys/${unknown}/rotate`)).status).toBe(404);
    }
  });
});

describe('a key in time', () => {
  it('expires at its time, and works again after a later time is set', async () => {
    const { id, key } = await createAdmin({ expiresAt: new Date(admin.clock.time + 1000).toISOString() });
    const state = async () => (await call('GET', `/keys/${id}`)).json.state;
    const status = async () => (await call('GET', '/keys?limit=1', { key })).status;
    admin.clock.time += 999;
    expect([await state(), await status()]).toEqual(['active', 200]);
    admin.clock.time += 1;
    expect([await state(), await status()]).toEqual(['expired', 401]);
    await call('PATCH', `/keys/${id}`, { body: { expiresAt: null } });
    expect([await state(), await status()]).toEqual(['active', 200]);
  });

  it('shows its last use, to the minute', async () => {
    const { id, key } = await createAdmin();
    const lastUsedAt = async () => (await call('GET', `/keys/${id}`)).json.lastUsedAt;
    /** No request waits for this write. */
    const untilNoted = async (time: string) => {
      await eventually(async () => (await lastUsedAt()) === time);
    };
    expect(await lastUsedAt()).toBeNull();
    const first = new Date(admin.clock.time).toISOString();
    await call('GET', '/keys?limit=1', { key });
    await untilNoted(first);
    admin.clock.time += 59_000;
    await call('GET', '/keys?limit=1', { key });
    admin.clock.time += 1_000;
    await call('GET', '/keys?limit=1', { key });
    await untilNoted(new Date(admin.clock.time).toISOString());
  });
});

describe('the concurrency of a new key', () => {
  it('is the default of the deployment, unless the request sets it or removes it', async () => {
    const other = await startAdminApp((deps) => ({
      ...deps,
      deployment: { ...deps.deployment, defaultMaxConcurrent: 7 },
    }));
    try {
      const made = async (fields: object) =>
        (await other.call('POST', '/keys', { body: { name: 'app', ...fields } })).json.maxConcurrent;
      expect(await made({})).toBe(7);
      expect(await made({ maxConcurrent: 9 })).toBe(9);
      expect(await made({ maxConcurrent: null })).toBeNull();
      const { data } = (await other.call('GET', '/keys?search=First')).json;
      expect(data).toMatchObject([{ name: 'First admin key', maxConcurrent: null }]);
      const { id } = (await other.call('POST', '/keys', { body: { name: 'old', maxConcurrent: null } })).json;
      expect((await other.call('PATCH', `/keys/${id}`, { body: { name: 'new' } })).json.maxConcurrent).toBeNull();
    } finally {
      await other.stop();
    }
  });
});
