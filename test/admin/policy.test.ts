import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDynamoClient } from '../../functions/adapters/aws/clients.ts';
import { DynamoPolicyStore } from '../../functions/adapters/dynamo/dynamo-policy-store.ts';
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
      [{ version: 4 }, 'version'],
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
    ] as const) {
      expect((await admin.call(method, path, { key, ...(method === 'PUT' && { body: {} }) })).status).toBe(403);
    }
  });

  it('refuses an invalid cursor', async () => {
    for (const cursor of ['0', '-1', 'x', '1.5']) {
      expect((await admin.call('GET', `/policy/versions?cursor=${cursor}`)).status).toBe(400);
    }
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
    const store = new DynamoPolicyStore(repeating, 'policies');
    const read = await store.current();
    const next = { ...read, version: read.version + 1, settings: { evidence: true } };
    expect(await store.replace(read, next)).toBe(true);
    expect(await store.current()).toEqual(next);
    expect(await store.replace(read, next)).toBe(false);
  });
});
