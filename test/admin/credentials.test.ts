import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { StoreUnavailable } from '../../functions/kernel/errors/index.ts';
import { type AdminApp, startAdminApp } from '../support/admin-app.ts';

const GOOD = 'sk-planted-good-value-0001';
const BETTER = 'sk-planted-better-value-0002';
const BAD = 'sk-planted-bad-value-0003';
const ARN = 'arn:aws:secretsmanager:eu-central-1:000000000000:secret:openai-AbCdEf';

let admin: AdminApp;
let provider: Server;
let host: string;
/** What the provider got, and what it accepts. */
const seen: (string | undefined)[] = [];
let accepted: ReadonlySet<string>;
let status = 401;
let secret: () => string;
/** The credentials for all keys, by their providers. */
const shared = new Map<string, string>();

beforeAll(async () => {
  provider = createServer((request, response) => {
    const key = request.headers.authorization?.replace('Bearer ', '');
    seen.push(key);
    const isAccepted = accepted.has(key ?? '');
    response
      .writeHead(isAccepted ? 200 : status, { 'content-type': 'application/json' })
      .end(JSON.stringify(isAccepted ? { data: [{ id: 'm' }] } : { error: { message: `wrong key ${key}` } }));
  }).listen(0, '127.0.0.1');
  await once(provider, 'listening');
  host = `127.0.0.1:${(provider.address() as AddressInfo).port}`;
  admin = await startAdminApp((deps) => ({
    ...deps,
    endpointUrls: { allowLoopback: true },
    outsideSecret: () => ({ version: 1, read: async () => secret(), renewedSince: async () => false }),
    upstream: {
      ...deps.upstream,
      settings: async () => ({ OPENAI_BASE_URL: `http://${host}/v1` }),
      sharedCredentials: async () => shared,
    },
  }));
});
afterAll(async () => {
  provider.closeAllConnections();
  provider.close();
  await admin.stop();
});
beforeEach(() => {
  seen.length = 0;
  accepted = new Set([GOOD, BETTER]);
  status = 401;
  secret = () => GOOD;
});

const post = (path: string, body: unknown) => admin.call('POST', `/credentials${path}`, { body });
const list = async () => (await admin.call('GET', '/credentials')).json.data;
const create = async (more: object = {}) =>
  (await post('', { name: 'One', provider: 'openai', value: GOOD, ...more })).json;
const lastAudit = async () => (await admin.call('GET', '/audit?limit=1')).json.data[0];
const stored = async () => {
  const get = new GetCommand({ TableName: 'policies', Key: { pk: 'credentials#current' } });
  return (await admin.dynamo.send(get)).Item as { settings: string; version: number };
};

describe('a credential', () => {
  it('is tested, stored sealed and shown without its value, for the host of its provider', async () => {
    const { status: made, json } = await post('', { name: ' One ', provider: 'openai', value: GOOD });
    expect([made, json]).toEqual([
      201,
      {
        id: expect.stringMatching(/^cred_[0-9a-f]{32}$/),
        object: 'credential',
        name: 'One',
        provider: 'openai',
        hosts: [host],
        type: 'sealed',
        teamId: null,
        keysOnly: false,
        state: 'active',
        last4: '0001',
        previous: null,
        createdAt: '2026-06-01T00:00:00.000Z',
        lastUsedAt: null,
      },
    ]);
    expect(seen).toEqual([GOOD]);
    expect(await list()).toEqual([json]);
    expect((await admin.call('GET', `/credentials/${json.id}`)).json).toEqual(json);
    expect((await stored()).settings).not.toContain(GOOD);
    expect(await lastAudit()).toMatchObject({
      action: 'credential.created',
      target: { type: 'credential', id: json.id },
      before: null,
      after: { name: 'One', last4: '0001' },
    });
  });

  it('that the provider refuses is not stored, unless the test is left out', async () => {
    const before = await list();
    const refusal = await post('', { name: 'Two', provider: 'openai', value: BAD });
    expect([refusal.status, refusal.json.error]).toMatchObject([400, { code: 'invalid_value', param: 'value' }]);
    expect(refusal.json.error.message).toContain('The provider refuses the credential.');
    expect(JSON.stringify(refusal.json)).not.toContain(BAD);
    expect(await list()).toEqual(before);
    expect((await create({ value: BAD, skipTest: true })).state).toBe('active');
    // A disabled one is tested when it is enabled.
    const { id } = await create({ value: BAD, state: 'disabled' });
    expect(seen).toEqual([BAD]);
    const enabling = await admin.call('PATCH', `/credentials/${id}`, { body: { state: 'active' } });
    expect([enabling.status, enabling.json.error.param]).toEqual([400, 'state']);
    expect((await admin.call('GET', `/credentials/${id}`)).json.state).toBe('disabled');
  });

  it('is stored if its provider fails, or does not exist yet', async () => {
    status = 500;
    expect((await create({ value: BAD })).state).toBe('active');
    expect((await create({ provider: 'lab', hosts: ['lab.example'] })).hosts).toEqual(['lab.example']);
    expect(await list()).toHaveLength(5);
  });

  it.each([
    [{ value: undefined }, 'value'],
    [{ value: 'short' }, 'value'],
    [{ value: 'has a space in it' }, 'value'],
    [{ provider: 'Open AI' }, 'provider'],
    [{ provider: 'lab' }, 'hosts'],
    [{ hosts: ['other.example'] }, 'hosts'],
    [{ hosts: ['http://other.example'] }, 'hosts[0]'],
    [{ hosts: ['*.example'] }, 'hosts[0]'],
    [{ provider: 'lab', hosts: ['lab.example', '*'] }, 'hosts[1]'],
    [{ provider: 'lab', hosts: ['*.example'] }, 'hosts[0]'],
    [{ provider: 'lab', hosts: ['lab..example'] }, 'hosts[0]'],
    [{ provider: 'lab', hosts: ['lab.example:443'] }, 'hosts[0]'],
    [{ hosts: [] }, 'hosts'],
    [{ type: 'federation' }, 'value'],
    [{ type: 'outside' }, 'type'],
    [{ type: 'secret' }, 'value'],
    [{ type: 'secret', value: undefined }, 'secretArn'],
    [{ type: 'secret', value: undefined, secretArn: 'arn:aws:s3:::bucket' }, 'secretArn'],
    [{ secretArn: ARN }, 'secretArn'],
    [{ colour: 'red' }, 'colour'],
    [{ teamId: 'team_1' }, 'teamId'],
  ])('%j is refused with the field', async (more, param) => {
    const { status, json } = await post('', { name: 'X', provider: 'openai', value: GOOD, ...more });
    expect([status, json.error.param]).toEqual([400, param]);
    expect(JSON.stringify(json)).not.toContain(GOOD);
  });

  it('keeps its provider and its hosts', async () => {
    const { id, ...before } = await create();
    const patch = (body: object) => admin.call('PATCH', `/credentials/${id}`, { body });
    for (const [body, param] of [
      [{ provider: 'anthropic' }, 'provider'],
      [{ hosts: ['other.example'] }, 'hosts'],
    ] as const) {
      const { status, json } = await patch(body);
      expect([status, json.error.param]).toEqual([400, param]);
    }
    const same = { provider: before.provider, hosts: before.hosts, name: 'Renamed', keysOnly: true };
    expect((await patch(same)).json).toMatchObject({ name: 'Renamed', keysOnly: true, hosts: before.hosts });
    expect(await lastAudit()).toMatchObject({
      action: 'credential.updated',
      before: { name: 'One', keysOnly: false },
      after: { name: 'Renamed', keysOnly: true },
    });
  });

  it('is tested with the value that is stored, and only at its hosts', async () => {
    const { id } = await create();
    expect((await post(`/${id}/test`, undefined)).json).toMatchObject({ object: 'credential.test', id, result: 'ok' });
    accepted = new Set();
    expect((await post(`/${id}/test`, undefined)).json).toMatchObject({
      result: 'refused',
      code: 'credential_refused',
    });
    const { settings, ...item } = await stored();
    const moved = settings.replaceAll(JSON.stringify([host]), '["other.example"]');
    await admin.dynamo.send(new PutCommand({ TableName: 'policies', Item: { ...item, settings: moved } }));
    seen.length = 0;
    // The value does not open with other hosts.
    expect((await post(`/${id}/test`, undefined)).status).toBe(503);
    expect(seen).toEqual([]);
    await admin.dynamo.send(new PutCommand({ TableName: 'policies', Item: { ...item, settings } }));
  });

  it('is rotated: the old value is kept for the grace period, then deleted', async () => {
    const { id } = await create();
    const refused = await post(`/${id}/rotate`, { value: BAD });
    expect([refused.status, refused.json.error.param]).toEqual([400, 'value']);
    const { json } = await post(`/${id}/rotate`, { value: BETTER, graceSeconds: 60 });
    const previous = { last4: '0001', validUntil: '2026-06-01T00:01:00.000Z' };
    expect(json).toMatchObject({ id, last4: '0002', previous });
    expect(await lastAudit()).toMatchObject({
      action: 'credential.rotated',
      before: { last4: '0001', previous: null },
      after: { last4: '0002', previous },
    });
    const own = async () =>
      JSON.parse((await stored()).settings).credentials.find((one: { id: string }) => one.id === id);
    expect(await own()).toHaveProperty('previous');
    admin.clock.time += 60_000;
    expect((await list()).find((one: { id: string }) => one.id === id).previous).toBeNull();
    expect(await own()).not.toHaveProperty('previous');
    expect((await post(`/${id}/rotate`, { value: GOOD, graceSeconds: 0 })).json.previous).toBeNull();
    expect(await own()).not.toHaveProperty('previous');
  });

  it('is not deleted while a provider names it', async () => {
    const { id } = await create({ provider: 'lab', hosts: ['lab.example'], keysOnly: true });
    const lab = { name: 'lab', protocol: 'openai', baseUrl: 'https://lab.example/v1', credentialId: id };
    expect((await admin.call('POST', '/providers', { body: lab })).status).toBe(201);
    const refused = await admin.call('DELETE', `/credentials/${id}`);
    expect([refused.status, refused.json.error.message]).toEqual([409, expect.stringContaining('provider lab')]);
    expect((await admin.call('DELETE', '/providers/lab')).status).toBe(200);
    expect((await admin.call('DELETE', `/credentials/${id}`)).status).toBe(200);
  });

  it('is deleted with its values, but not while a key names it', async () => {
    const { id } = await create();
    const { json: key } = await admin.call('POST', '/keys', { body: { name: 'k', credentialId: id } });
    expect(key.credentialId).toBe(id);
    const refused = await admin.call('DELETE', `/credentials/${id}`);
    expect([refused.status, refused.json.error]).toMatchObject([409, { code: 'conflict' }]);
    expect(refused.json.error.message).toContain(key.id);
    await admin.call('PATCH', `/keys/${key.id}`, { body: { credentialId: null } });
    expect((await admin.call('DELETE', `/credentials/${id}`)).json).toEqual({
      object: 'credential.deletion',
      id,
      deleted: true,
    });
    expect((await stored()).settings).not.toContain(id);
    const version = await admin.dynamo.send(
      new GetCommand({ TableName: 'policies', Key: { pk: `credentials#version#${(await stored()).version - 1}` } }),
    );
    expect(version.Item).toBeUndefined();
    expect(await lastAudit()).toMatchObject({ action: 'credential.deleted', target: { id }, after: null });
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/test'],
    ] as const) {
      expect((await admin.call(method, `/credentials/${id}${path}`)).json.error.code).toBe('not_found');
    }
    const unknown = await admin.call('POST', '/keys', { body: { name: 'k', credentialId: id } });
    expect([unknown.status, unknown.json.error.param]).toEqual([400, 'credentialId']);
  });

  it('shows when it was used', async () => {
    const { id } = await create();
    await admin.deps.credentialUses.lastUses([id]);
    const { DynamoCredentialUses } = await import('../../functions/adapters/dynamo/dynamo-credential-uses.ts');
    await new DynamoCredentialUses(admin.dynamo, 'policies').noteUse(id, '2026-06-01T00:00:01.000Z');
    expect((await admin.call('GET', `/credentials/${id}`)).json.lastUsedAt).toBe('2026-06-01T00:00:01.000Z');
  });
});

describe('a credential in AWS Secrets Manager', () => {
  const outside = { value: undefined, type: 'secret', secretArn: ARN, secretField: 'key' };

  it('is tested with a member of the secret', async () => {
    secret = () => JSON.stringify({ key: GOOD });
    const json = await create(outside);
    expect(json).toMatchObject({ type: 'secret', secretArn: ARN, secretField: 'key', last4: null });
    expect(seen).toEqual([GOOD]);
    const rotation = await post(`/${json.id}/rotate`, { value: BETTER });
    expect([rotation.status, rotation.json.error.param]).toEqual([400, 'value']);
  });

  it('that the service may not read is refused, with the setting that allows it', async () => {
    secret = () => {
      throw new StoreUnavailable('secrets: AccessDeniedException');
    };
    const { error } = await create(outside);
    expect(error).toMatchObject({ code: 'invalid_value', param: 'secretArn' });
    expect(error.message).toContain('AccessDeniedException');
    expect(error.message).toContain('credentialSecretArns');
    secret = () => `{"other":"${BAD}"}`;
    expect(JSON.stringify(await create(outside))).not.toContain(BAD);
  });
});

it('of a stored provider that names none is shown with it, and used by its test', async () => {
  const provider = '01-lab';
  await admin.call('POST', '/providers', {
    body: { name: provider, protocol: 'openai', baseUrl: `http://${host}/v1` },
  });
  const { id } = await create({ provider });
  shared.set(provider, id);
  const view = (await admin.call('GET', `/providers/${provider}`)).json;
  expect(view).toMatchObject({ credentials: 'present', credentialId: null, usedCredentialId: id });
  seen.length = 0;
  await admin.call('POST', `/providers/${provider}/test`, { body: { model: 'm' } });
  expect(seen).toEqual([`credential:${id}`]);
  await admin.call('DELETE', `/credentials/${id}`);
});

it('there are at most 100 credentials', async () => {
  const missing = 100 - (await list()).length;
  for (let made = 0; made < missing; made += 1) await create({ state: 'disabled' });
  const { error } = await create();
  expect(error).toMatchObject({ code: 'conflict' });
  expect(await list()).toHaveLength(100);
});

it('no response and no audit record has a value', async () => {
  const texts = [await list(), (await admin.call('GET', '/audit?limit=100')).json, await stored()];
  for (const value of [GOOD, BETTER, BAD]) expect(JSON.stringify(texts)).not.toContain(value);
});
