import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDynamoClient } from '../../functions/adapters/aws/clients.ts';
import { DynamoDocumentStore, POLICY_DOCUMENT } from '../../functions/adapters/dynamo/dynamo-document-store.ts';
import { embeddedAccess } from '../../lib/local/create-resources.ts';
import { type AdminApp, startAdminApp } from '../support/admin-app.ts';
import { repeatingPuts } from '../support/repeated-puts.ts';

let admin: AdminApp;
beforeAll(async () => {
  admin = await startAdminApp();
});
afterAll(() => admin.stop());

const put = (body: unknown, ifMatch?: string) =>
  admin.call('PUT', '/policy', { body, ...(ifMatch !== undefined && { headers: { 'if-match': ifMatch } }) });
const get = () => admin.call('GET', '/policy');
const rollBack = (body: unknown, ifMatch?: string) =>
  admin.call('POST', '/policy/rollback', { body, ...(ifMatch !== undefined && { headers: { 'if-match': ifMatch } }) });
/** What the API adds to a policy that is read. */
const READ = { object: 'policy', version: 4, createdAt: '2026-11-20T09:00:00.000Z', createdBy: null };

describe("the deployment's policy", () => {
  it('starts empty, as version 0', async () => {
    const { status, headers, json } = await get();
    expect([status, headers.get('etag'), json]).toEqual([
      200,
      '"0"',
      { object: 'policy', version: 0, createdAt: null, createdBy: null },
    ]);
    expect((await admin.call('GET', '/policy/versions')).json).toEqual({ object: 'list', data: [], nextCursor: null });
  });

  it('is replaced as a whole, version by version, and all versions stay listed', async () => {
    const first = await put({ preset: 'strict', input: { pii: { action: 'block' } } });
    expect([first.status, first.headers.get('etag')]).toEqual([200, '"1"']);
    admin.clock.time += 1_000;
    const second = await put({ canary: true });
    expect(second.json).toEqual({
      object: 'policy',
      version: 2,
      canary: true,
      createdAt: new Date(admin.clock.time).toISOString(),
      createdBy: admin.admin.id,
    });
    expect((await get()).json).toEqual(second.json);
    const { json } = await admin.call('GET', '/policy/versions');
    expect(json.data).toEqual([second.json, first.json]);
    expect((await admin.call('GET', '/policy/versions?limit=1')).json).toMatchObject({
      data: [{ version: 2 }],
      nextCursor: '1',
    });
    expect((await admin.call('GET', '/policy/versions?limit=1&cursor=1')).json).toEqual({
      object: 'list',
      data: [first.json],
      nextCursor: null,
    });
  });

  it('is audited with its changes', async () => {
    const { json } = await admin.call('GET', '/audit?limit=1');
    expect(json.data[0]).toMatchObject({
      action: 'policy.updated',
      target: { type: 'policy', id: '2' },
      before: { preset: 'strict', input: { pii: { action: 'block' } } },
      after: { canary: true },
    });
  });

  it('replaces only the version that If-Match names', async () => {
    const before = await get();
    for (const stale of ['"1"', '"3"', '2', 'W/"2"', '']) {
      const answer = await put({ preset: 'monitor' }, stale);
      expect([answer.status, answer.json.error]).toEqual([
        412,
        expect.objectContaining({ code: 'version_conflict', param: 'If-Match' }),
      ]);
    }
    expect((await get()).json).toEqual(before.json);
    expect((await put({ preset: 'monitor' }, '"2"')).status).toBe(200);
    expect((await put({ preset: 'balanced' }, '*')).json.version).toBe(4);
  });

  it('is checked like the policy of a key', async () => {
    for (const [body, param] of [
      [{ preset: 'wild' }, 'preset'],
      [{ ...READ, colour: 'red' }, 'colour'],
      [{ keyId: 'key_1' }, 'keyId'],
      [{ rules: [{ id: 'x', pattern: '(', action: 'flag' }] }, 'rules[0].pattern'],
    ] as const) {
      const { status, json } = await put(body);
      expect([status, json.error.param]).toEqual([400, param]);
    }
  });

  it('is for administrators', async () => {
    const { key } = (await admin.call('POST', '/keys', { body: { name: 'app' } })).json;
    for (const [method, path] of [
      ['GET', '/policy'],
      ['PUT', '/policy'],
      ['GET', '/policy/versions'],
      ['GET', '/policy/versions/1'],
      ['POST', '/policy/rollback'],
    ] as const) {
      const body = method === 'GET' ? {} : { body: { version: 1 } };
      expect((await admin.call(method, path, { key, ...body })).status).toBe(403);
    }
  });

  it('refuses an invalid cursor', async () => {
    for (const cursor of ['0', '-1', 'x', '1.5']) {
      expect((await admin.call('GET', `/policy/versions?cursor=${cursor}`)).status).toBe(400);
    }
  });
});

describe('a version that was read', () => {
  it('is put back as it is, whatever the members say that the API added', async () => {
    await put({ preset: 'strict', input: { pii: { action: 'block' } } });
    const { json: read, headers } = await get();
    const again = await put(read, headers.get('etag') ?? '');
    expect([again.status, again.json]).toEqual([
      200,
      { ...read, version: read.version + 1, createdAt: again.json.createdAt },
    ]);
    const { object, version, createdAt, createdBy, ...settings } = (
      await put({ ...READ, version: 'x', createdBy: 7, preset: 'monitor' })
    ).json;
    expect([object, version, createdBy, settings]).toEqual([
      'policy',
      read.version + 2,
      admin.admin.id,
      { preset: 'monitor' },
    ]);
    const [listed] = (await admin.call('GET', '/policy/versions?limit=2')).json.data;
    expect(listed).toEqual({ ...settings, object, version, createdAt, createdBy });
    expect((await admin.call('GET', '/audit?limit=1')).json.data[0]).toMatchObject({ after: { preset: 'monitor' } });
  });

  it('may have a field that an API of a provider spells in another way', async () => {
    const { status, json } = await put({ maxOutputTokens: 77 });
    expect([status, json.maxOutputTokens]).toEqual([200, 77]);
  });

  it('is found by its number', async () => {
    const { json: current } = await get();
    const { json } = await admin.call('GET', '/policy/versions');
    for (const version of json.data) {
      expect((await admin.call('GET', `/policy/versions/${version.version}`)).json).toEqual(version);
    }
    expect((await admin.call('GET', '/policy/versions/0')).json).toEqual({
      object: 'policy',
      version: 0,
      createdAt: null,
      createdBy: null,
    });
    for (const number of [current.version + 1, '-1', '1.5', 'x', '01', '1e0']) {
      const { status, json } = await admin.call('GET', `/policy/versions/${number}`);
      expect([number, status, json.error.code]).toEqual([number, 404, 'not_found']);
    }
  });
});

describe('a rollback', () => {
  it('writes a new version with the settings of an old one, and is audited', async () => {
    const first = await put({ preset: 'strict', rules: [{ id: 'zeus', literals: ['zeus'], action: 'block' }] });
    await put({ preset: 'monitor' });
    admin.clock.time += 1_000;
    const { status, headers, json } = await rollBack({ version: first.json.version });
    const version = first.json.version + 2;
    const expected = { ...first.json, version, createdAt: new Date(admin.clock.time).toISOString() };
    expect([status, headers.get('etag'), json]).toEqual([200, `"${version}"`, expected]);
    expect((await get()).json).toEqual(expected);
    expect(
      (await admin.call('GET', '/policy/versions?limit=3')).json.data.map((one: { preset: string }) => one.preset),
    ).toEqual(['strict', 'monitor', 'strict']);
    expect((await admin.call('GET', '/audit?limit=1')).json.data[0]).toMatchObject({
      action: 'policy.updated',
      target: { type: 'policy', id: String(version) },
      before: { preset: 'monitor' },
      after: { preset: 'strict', rules: [{ id: 'zeus' }] },
    });
  });

  it('returns to the initial policy, which is version 0', async () => {
    const { json } = await rollBack({ version: 0 });
    expect(Object.keys(json).sort()).toEqual(['createdAt', 'createdBy', 'object', 'version']);
  });

  it('replaces only the version that If-Match names', async () => {
    const { json: before, headers } = await get();
    const stale = await rollBack({ version: 1 }, '"1"');
    expect([stale.status, stale.json.error.code]).toEqual([412, 'version_conflict']);
    expect((await get()).json).toEqual(before);
    const etag = headers.get('etag') ?? '';
    const answers = await Promise.all([1, 2, 1, 2].map((version) => rollBack({ version }, etag)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
  });

  it('of a version that does not exist is a 404, and of no version a 400; neither changes anything', async () => {
    const { json: before } = await get();
    const { status, json } = await rollBack({ version: before.version + 1 });
    expect([status, json.error]).toEqual([404, expect.objectContaining({ code: 'not_found', param: 'version' })]);
    for (const [body, code, param] of [
      [{}, 'missing_field', 'version'],
      [{ version: -1 }, 'invalid_value', 'version'],
      [{ version: 1.5 }, 'invalid_value', 'version'],
      [{ version: '1' }, 'invalid_value', 'version'],
      [{ version: 1, preset: 'strict' }, 'invalid_value', 'preset'],
    ] as const) {
      const refused = await rollBack(body);
      expect([body, refused.status, refused.json.error.code, refused.json.error.param]).toEqual([
        body,
        400,
        code,
        param,
      ]);
    }
    expect((await get()).json).toEqual(before);
  });

  it('to a version that is not valid any more is a 400 that says why, and changes nothing', async () => {
    const store = new DynamoDocumentStore(
      createDynamoClient(embeddedAccess(admin.stores.dynamodbUrl)),
      'policies',
      POLICY_DOCUMENT,
    );
    const read = await store.current();
    const old = { ...read, version: read.version + 1, settings: { mood: 'strict' } as never };
    expect(await store.replace(read, old)).toBe(true);
    const { json: next } = await put({ preset: 'strict' });
    const { status, json } = await rollBack({ version: old.version });
    expect([status, json.error]).toEqual([
      400,
      expect.objectContaining({
        code: 'invalid_value',
        param: 'version',
        message: `Version ${old.version} is no longer valid: Unknown field 'mood'. Read it, correct it, and save it with PUT.`,
      }),
    ]);
    expect((await get()).json).toEqual(next);
  });
});

describe('concurrent changes of the policy', () => {
  it('are versioned in order: no version is lost or doubled', async () => {
    const before = (await get()).json.version as number;
    const answers = await Promise.all(Array.from({ length: 4 }, () => put({ preset: 'strict' })));
    const numbers = answers.filter(({ status }) => status === 200).map(({ json }) => json.version);
    expect(numbers.length).toBeGreaterThan(0);
    expect(new Set(numbers).size).toBe(numbers.length);
    const { json } = await admin.call('GET', '/policy/versions');
    expect(json.data.map(({ version }: { version: number }) => version)).toEqual(
      Array.from({ length: before + numbers.length }, (_, at) => before + numbers.length - at),
    );
    for (const { status } of answers) expect([200, 409]).toContain(status);
  });

  it('of the same version: only one succeeds', async () => {
    const { headers } = await get();
    const etag = headers.get('etag') ?? '';
    const answers = await Promise.all(Array.from({ length: 4 }, (_, at) => put({ canary: at % 2 === 0 }, etag)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
  });

  it('are written once if a response is lost and the write is repeated', async () => {
    const repeating = createDynamoClient({ ...embeddedAccess(admin.stores.dynamodbUrl), http: repeatingPuts() });
    const store = new DynamoDocumentStore(repeating, 'policies', POLICY_DOCUMENT);
    const read = await store.current();
    const next = { ...read, version: read.version + 1, settings: { evidence: true } };
    expect(await store.replace(read, next)).toBe(true);
    expect(await store.current()).toEqual(next);
    expect(await store.replace(read, next)).toBe(false);
  });
});
