import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DEFAULT_ROUTES } from '../../functions/translation/index.ts';
import { type AdminApp, startAdminApp } from '../support/admin-app.ts';

/** The routes of the settings. */
const FAST = {
  models: 'fast',
  targets: [{ provider: 'openai', model: 'gpt-6-luna' }, { provider: 'echo' }],
  fallbacks: [{ provider: 'anthropic' }],
};
const SLOW = { models: 'slow', targets: [{ provider: 'echo', model: 'echo' }] };

let admin: AdminApp;
beforeAll(async () => {
  admin = await startAdminApp((deps) => deps, [FAST]);
});
afterAll(() => admin.stop());

const get = async () => (await admin.call('GET', '/routes')).json;
const write = (method: string, path: string, body: unknown, ifMatch?: string) =>
  admin.call(method, path, { body, ...(ifMatch !== undefined && { headers: { 'if-match': ifMatch } }) });
const put = (routes: unknown, ifMatch?: string) => write('PUT', '/routes', { routes }, ifMatch);

describe("the deployment's routes", () => {
  it('are those of the settings, as version 0', async () => {
    const { status, headers, json } = await admin.call('GET', '/routes');
    const version = { object: 'routes', version: 0, createdAt: null, createdBy: null };
    expect([status, headers.get('etag'), json]).toEqual([200, '"0"', { ...version, routes: [FAST] }]);
    expect((await admin.call('GET', '/routes/versions/0')).json).toEqual({ ...version, routes: [FAST] });
    expect((await admin.call('GET', '/routes?effective=true')).json).toMatchObject({ version: 0, isOverridden: false });
  });

  it('are replaced only over the version that If-Match names, which a write needs', async () => {
    expect((await put([SLOW])).json.error).toMatchObject({ code: 'missing_field', param: 'If-Match' });
    expect((await put([SLOW], '"1"')).status).toBe(412);
    const { status, headers, json } = await put([SLOW], '"0"');
    expect([status, headers.get('etag')]).toEqual([200, '"1"']);
    expect(json).toMatchObject({ version: 1, createdBy: admin.admin.id, routes: [SLOW] });
    expect(await get()).toEqual(json);
    // What was read is written back.
    expect((await write('PUT', '/routes', json, '"1"')).json).toMatchObject({ version: 2, routes: [SLOW] });
    expect((await admin.call('GET', '/routes?effective=true')).json).toMatchObject({ version: 2, isOverridden: true });
  });

  it('are refused as a whole with the field at fault', async () => {
    const before = await get();
    for (const [routes, param] of [
      ['fast', 'routes'],
      [[SLOW, { models: 'x', targets: [] }], 'routes[1].targets'],
      [[{ ...SLOW, colour: 'red' }], 'routes[0].colour'],
      [[{ ...SLOW, state: 'off' }], 'routes[0].state'],
      [[{ models: 'x', targets: [{ provider: 'gemini', model: '../x' }] }], 'routes[0].targets[0].model'],
      [[{ ...SLOW, fallbacks: [{ provider: 'azure', model: 'a b' }] }], 'routes[0].fallbacks[0].model'],
      [[{ models: 'gpt *', targets: [{ provider: 'openai' }] }], 'routes[0].models'],
      [[{ models: 'a?*', targets: [{ provider: 'openai', model: 'm' }, { provider: 'gemini' }] }], 'routes[0].models'],
    ] as const) {
      const { status, json } = await put(routes, '*');
      expect([status, json.error.param]).toEqual([400, param]);
    }
    expect(await get()).toEqual(before);
  });

  it('are refused where no item can hold them', async () => {
    const before = await get();
    const target = { provider: 'echo', model: 'm'.repeat(256) };
    const routes = Array.from({ length: 256 }, () => ({ models: 'x'.repeat(256), targets: Array(16).fill(target) }));
    const { status, json } = await put(routes, '*');
    expect([status, json.error.code]).toEqual([400, 'invalid_value']);
    expect(json.error.message).toMatch(/too large: .* has \d{7} bytes as JSON, and at most 390000/);
    expect(await get()).toEqual(before);
  });

  it('are rolled back as a new version', async () => {
    const { json } = await write('POST', '/routes/rollback', { version: 0 });
    expect(json).toMatchObject({ version: 3, routes: [FAST] });
    expect((await write('POST', '/routes/rollback', { version: 9 })).json.error.code).toBe('not_found');
    const { data } = (await admin.call('GET', '/routes/versions')).json;
    expect(data.map(({ version }: { version: number }) => version)).toEqual([3, 2, 1]);
  });

  it('do not touch the policy, which is in the same table', async () => {
    expect((await admin.call('GET', '/policy')).json.version).toBe(0);
    await admin.call('PUT', '/policy', { body: { canary: true } });
    expect((await get()).version).toBe(3);
  });
});

describe('a route', () => {
  const disable = (body: object) => write('POST', '/routes/disable', body);

  it('is disabled and enabled, whole or one target', async () => {
    const target = { provider: 'openai', model: 'gpt-6-luna' };
    const { json } = await disable({ models: 'fast', target });
    expect(json.routes).toEqual([
      { ...FAST, targets: [{ ...target, state: 'disabled' }, { provider: 'echo' }], fallbacks: FAST.fallbacks },
    ]);
    const list = async () => (await admin.call('GET', '/routes?effective=true')).json.data[0];
    expect((await list()).targets).toMatchObject([
      { state: 'disabled', share: 0 },
      { state: 'active', share: 1 },
    ]);
    expect((await disable({ models: 'fast', target: { provider: 'anthropic' } })).json.routes[0].fallbacks).toEqual([
      { provider: 'anthropic', state: 'disabled' },
    ]);
    await write('POST', '/routes/enable', { models: 'fast', target });
    expect((await list()).targets[0].state).toBe('active');
    expect((await disable({ models: 'fast' })).json.routes[0].state).toBe('disabled');
    expect((await list()).state).toBe('disabled');
    const audited = (await admin.call('GET', '/audit?limit=1')).json.data[0];
    expect(audited).toMatchObject({
      action: 'routes.updated',
      target: { type: 'routes' },
      after: { routes: [{ state: 'disabled' }] },
    });
  });

  it('that is a standard one is copied behind the others', async () => {
    const { json } = await disable({ models: 'claude-*' });
    const standard = DEFAULT_ROUTES.find(({ models }) => models === 'claude-*');
    expect(json.routes.at(-1)).toEqual({ ...standard, state: 'disabled' });
    expect(json.routes.length).toBe(2);
  });

  it('stays as it is if it has the state already, also a standard one', async () => {
    const before = await get();
    for (const [state, body] of [
      ['enable', { models: 'gpt-*' }],
      ['enable', { models: 'gpt-*', target: { provider: 'openai' } }],
      ['enable', { models: 'fast', target: { provider: 'echo' } }],
      ['disable', { models: 'fast' }],
    ] as const) {
      const { status, headers, json } = await write('POST', `/routes/${state}`, body);
      expect([status, headers.get('etag'), json]).toEqual([200, `"${before.version}"`, before]);
    }
    expect((await write('POST', '/routes/enable', { models: 'gpt-*' }, '"0"')).status).toBe(412);
    expect(await get()).toEqual(before);
  });

  it('must exist, with the target', async () => {
    const before = await get();
    for (const body of [
      { models: 'other' },
      { models: 'fast', target: { provider: 'openai' } },
      { models: 'fast', target: { provider: 'mistral', model: 'm' } },
    ]) {
      const { status, json } = await disable(body);
      expect([status, json.error.code]).toEqual([404, 'not_found']);
    }
    expect(await get()).toEqual(before);
  });

  it('is for administrators', async () => {
    const { key } = (await admin.call('POST', '/keys', { body: { name: 'app' } })).json;
    for (const [method, path] of [
      ['GET', '/routes'],
      ['PUT', '/routes'],
      ['GET', '/routes/versions'],
      ['GET', '/routes/versions/1'],
      ['POST', '/routes/rollback'],
      ['POST', '/routes/disable'],
      ['POST', '/routes/enable'],
    ] as const) {
      const body = method === 'GET' ? {} : { body: { models: 'fast', version: 1, routes: [] } };
      expect((await admin.call(method, path, { key, headers: { 'if-match': '*' }, ...body })).status).toBe(403);
    }
  });
});

it('no change of simultaneous ones is lost', async () => {
  const names = Array.from({ length: 4 }, (_, at) => `alias-${at}`);
  const all = names.map((models) => ({ ...SLOW, models }));
  const { version } = (await put(all, '*')).json;
  const changed = await Promise.all(names.map((models) => write('POST', '/routes/disable', { models })));
  const done = changed.filter(({ status }) => status === 200).length;
  const { routes, version: now } = await get();
  expect(now).toBe(version + done);
  expect(routes.filter(({ state }: { state?: string }) => state === 'disabled').length).toBe(done);
  expect(changed.every(({ status }) => status === 200 || status === 409)).toBe(true);
});

it('routes may be so large that the audit log has only the digests of both versions', async () => {
  const before = await get();
  const target = { provider: 'echo', model: 'm'.repeat(256) };
  const routes = Array.from({ length: 80 }, (_, at) => ({ models: `x-${at}`, targets: Array(14).fill(target) }));
  const { version } = (await put([SLOW, ...routes], '*')).json;
  expect((await write('POST', '/routes/disable', { models: 'slow' })).json.routes[0].state).toBe('disabled');
  const digest = (of: number) => ({ version: of, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  const { before: was, after } = (await admin.call('GET', '/audit?limit=1')).json.data[0];
  expect([was, after]).toEqual([digest(version), digest(version + 1)]);
  expect(was.sha256).not.toBe(after.sha256);
  // Fourteen versions have more than 4 MB.
  for (let more = 1; more <= 12; more += 1)
    await write('POST', `/routes/${more % 2 === 0 ? 'disable' : 'enable'}`, { models: 'slow' });
  const listed = async (query: string) => (await admin.call('GET', `/routes/versions?limit=14${query}`)).json;
  const first = await listed('');
  expect(JSON.stringify(first).length).toBeLessThan(4_100_000);
  const { data } = await listed(`&cursor=${first.nextCursor}`);
  const numbers = [...first.data, ...data].map((one: { version: number }) => one.version);
  expect([first.data.length < 14, numbers.slice(0, 14)]).toEqual([
    true,
    Array.from({ length: 14 }, (_, at) => version + 13 - at),
  ]);
  await put(before.routes, '*');
});

describe('routes', () => {
  it.each([
    ['"2"', 200],
    ['"0", "2"', 200],
    ['"2","0"', 200],
    ['*', 200],
    ['"0", "1"', 412],
    ['W/"2"', 412],
    ['W/"2", "0"', 412],
    ['"0", *', 412],
    ['2', 412],
    ['"1,2"', 412],
  ])('are replaced by strong comparison with If-Match: %s over version 2 is %d', async (given, expected) => {
    const { version } = await get();
    // Each case writes a version at most, so the tags are those of this case.
    const ifMatch = given.replaceAll('2', String(version));
    expect((await put([SLOW], ifMatch)).status).toBe(expected);
  });

  it('are refused for names that the protocol of a stored provider cannot take, also to roll back', async () => {
    for (const [name, protocol] of [
      ['acme', 'gemini'],
      ['gemini', 'openai'],
    ] as const) {
      const body = { name, protocol, baseUrl: 'https://llm.example.com/v1' };
      expect((await write('POST', '/providers', body)).status).toBe(201);
    }
    const to = (provider: string, model: string) => [
      { models: 'x', targets: [{ provider }], fallbacks: [{ provider, model }] },
    ];
    const refused = (await put(to('acme', 'a#b'), '*')).json.error;
    expect([refused.code, refused.param]).toEqual(['invalid_value', 'routes[0].fallbacks[0].model']);
    expect((await put(to('acme', 'a-b'), '*')).status).toBe(200);
    const { version } = (await put(to('gemini', 'a#b'), '*')).json;
    await put([SLOW], '*');
    expect((await write('POST', '/routes/rollback', { version })).status).toBe(200);
    await put([SLOW], '*');
    expect((await admin.call('DELETE', '/providers/gemini')).status).toBe(200);
    expect((await write('POST', '/routes/rollback', { version })).json.error).toMatchObject({ param: 'version' });
    expect((await put([FAST], '*')).status).toBe(200);
  });
});
