import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AdminApp, startAdminApp } from '../support/admin-app.ts';

const KEY = 'sk-planted-1234567890';
/** Of the deployment: a route names `lab`, which the settings lack. */
const ROUTES = [{ models: 'fast', targets: [{ provider: 'lab', model: 'llama' }, { provider: 'openai' }] }];
const LAB = { name: 'lab', protocol: 'openai', baseUrl: 'https://lab.example.com/v1' };

let admin: AdminApp;
beforeAll(async () => {
  const settings = async () => ({ OPENAI_API_KEY: KEY });
  admin = await startAdminApp((deps) => ({ ...deps, upstream: { ...deps.upstream, settings } }), ROUTES);
});
afterAll(() => admin.stop());

const write = (method: string, path: string, body?: unknown, ifMatch?: string) =>
  admin.call(method, `/providers${path}`, {
    ...(body !== undefined && { body }),
    ...(ifMatch !== undefined && { headers: { 'if-match': ifMatch } }),
  });
const add = (body: object, ifMatch?: string) => write('POST', '', body, ifMatch);
const get = async (name: string) => (await admin.call('GET', `/providers/${name}`)).json;
const current = async () => (await admin.call('GET', '/providers/versions?limit=1')).json.data[0];

/** Stores a credential, untested. */
async function credentialFor(provider: string, ...hosts: string[]): Promise<string> {
  const body = { name: provider, provider, hosts, value: KEY, keysOnly: true, skipTest: true };
  return (await admin.call('POST', '/credentials', { body })).json.id;
}

describe('a provider', () => {
  it('is added as a new version, with its address, and counts at once', async () => {
    const { status, headers, json } = await add({ ...LAB, models: ['llama-*'] }, '"0"');
    expect([status, headers.get('etag')]).toEqual([201, '"1"']);
    expect(json).toMatchObject({
      ...{ object: 'provider', ...LAB, models: { globs: ['llama-*'] }, state: 'active', source: 'api' },
      ...{ isBuiltIn: false, isOverridden: false, isConfigured: true, isCallable: true, host: 'lab.example.com' },
      ...{ credentials: 'not_needed', keyVariable: null, routes: ['fast'] },
    });
    expect(await get('lab')).toEqual(json);
    const { data } = (await admin.call('GET', '/providers')).json;
    expect(data.map(({ name }: { name: string }) => name)).toContain('lab');
    const routes = (await admin.call('GET', '/routes?effective=true')).json.data;
    expect(routes.slice(0, 2)).toMatchObject([
      { models: 'fast', source: 'deployment' },
      { models: 'llama-*', source: 'provider', targets: [{ provider: 'lab', isCallable: true, share: 1 }] },
    ]);
    expect((await admin.call('GET', '/audit?limit=1')).json.data[0]).toMatchObject({
      action: 'providers.updated',
      target: { type: 'providers', id: '1' },
      after: { providers: [{ ...LAB, models: ['llama-*'] }] },
    });
  });

  it('that is known needs only its name', async () => {
    const credentialId = await credentialFor('cerebras', 'api.cerebras.ai');
    expect((await add({ name: 'cerebras', credentialId })).json).toMatchObject({
      ...{ protocol: 'openai', host: 'api.cerebras.ai', isBuiltIn: true, credentials: 'present' },
      ...{ credentialId, usedCredentialId: credentialId, baseUrl: null },
    });
  });

  it('is refused with the field at fault', async () => {
    const before = await current();
    const ofOther = await credentialFor('other', 'lab.example.com');
    const ofOtherHost = await credentialFor('new', 'other.example.com');
    for (const [body, param] of [
      [{ ...LAB, name: 'new', credentialId: `cred_${'0'.repeat(32)}` }, 'credentialId'],
      [{ ...LAB, name: 'new', credentialId: ofOther }, 'credentialId'],
      [{ ...LAB, name: 'new', baseUrl: 'https://*.example.com/v1' }, 'baseUrl'],
      [{ ...LAB, name: 'new', models: ['llama-*', 'our llama-*'] }, 'models[1]'],
      [{ ...LAB, name: 'new', credentialId: ofOtherHost }, 'credentialId'],
      [{ ...LAB, name: 'Lab' }, 'name'],
      [{ ...LAB, name: 'rollback' }, 'name'],
      [{ ...LAB, name: 'versions' }, 'name'],
      [{ ...LAB, name: 'echo' }, 'name'],
      [{ name: 'new' }, 'protocol'],
      [{ name: 'new', protocol: 'mistral' }, 'protocol'],
      [{ name: 'new', protocol: 'openai' }, 'baseUrl'],
      [{ name: 'databricks' }, 'baseUrl'],
      [{ ...LAB, name: 'new', baseUrl: 'http://lab.example.com/v1' }, 'baseUrl'],
      [{ ...LAB, name: 'new', baseUrl: 'https://127.0.0.1/v1' }, 'baseUrl'],
      [{ ...LAB, name: 'new', baseUrl: 'https://10.1.2.3/v1' }, 'baseUrl'],
      [{ ...LAB, name: 'new', baseUrl: 'https://169.254.169.254/latest' }, 'baseUrl'],
      [{ ...LAB, name: 'new', baseUrl: 'https://user:password@lab.example.com/v1' }, 'baseUrl'],
      [{ ...LAB, name: 'new', baseUrl: 'https://lab.example.com/v1?key=1' }, 'baseUrl'],
      [{ name: 'new', protocol: 'bedrock', credentialId: 'cred_1' }, 'baseUrl'],
      [{ name: 'new', protocol: 'bedrock', baseUrl: 'https://bedrock.example.com' }, 'baseUrl'],
      [{ ...LAB, name: 'new', protocol: 'gemini', capabilities: { streamUsage: false } }, 'capabilities'],
      [{ ...LAB, name: 'new', capabilities: { endpoints: ['chats'] } }, 'capabilities.endpoints[0]'],
      [{ ...LAB, name: 'new', capabilities: { workspaceId: 'wrkspc_1' } }, 'capabilities.workspaceId'],
      [
        { ...LAB, name: 'new', protocol: 'anthropic', capabilities: { workspaceId: 'a b' } },
        'capabilities.workspaceId',
      ],
      [{ ...LAB, name: 'new', colour: 'red' }, 'colour'],
    ] as const) {
      const { status, json } = await add(body);
      expect([status, json.error.param]).toEqual([400, param]);
    }
    expect(await current()).toEqual(before);
  });

  it('of several that are refused is named, as is the version of a roll back', async () => {
    const before = await current();
    const put = async (...providers: object[]) =>
      (await write('PUT', '', { providers: [LAB, ...providers] }, '*')).json;
    expect((await put({ ...LAB, baseUrl: 'https://other.example.com' })).error.param).toBe('providers[1].name');
    expect((await put({ ...LAB, name: 'constructor' })).error.param).toBe('providers[1].name');
    const { error } = await put({ ...LAB, name: 'new', baseUrl: 'https://10.1.2.3/v1' });
    expect([error.param, error.message]).toEqual([
      'providers[1].baseUrl',
      "The provider 'new': 'baseUrl' must be an address of the public internet.",
    ]);
    expect(await current()).toEqual(before);
    const credentialId = await credentialFor('brief', 'lab.example.com');
    const { version } = await put({ ...LAB, name: 'brief', credentialId });
    await write('PUT', '', { providers: before.providers }, '*');
    expect((await admin.call('DELETE', `/credentials/${credentialId}`)).status).toBe(200);
    expect((await write('POST', '/rollback', { version })).json.error).toMatchObject({
      param: 'version',
      message: "The provider 'brief': There is no such credential.",
    });
  });

  it('has a name once: stored or set up by the settings', async () => {
    for (const name of ['lab', 'openai']) {
      const { status, json } = await add({ ...LAB, name });
      expect([status, json.error.code]).toEqual([409, 'conflict']);
    }
  });

  it('is changed in the named fields; null removes one', async () => {
    const { version } = await current();
    expect((await write('PATCH', '/lab', { state: 'disabled' }, '"0"')).status).toBe(412);
    const { json, headers } = await write('PATCH', '/lab', { state: 'disabled', models: [] }, `"${version}"`);
    expect([json.state, json.isCallable, json.baseUrl, json.models.globs]).toEqual([
      'disabled',
      false,
      LAB.baseUrl,
      [],
    ]);
    expect(headers.get('etag')).toBe(`"${version + 1}"`);
    expect((await write('PATCH', '/lab', { baseUrl: null })).json.error.param).toBe('baseUrl');
    const capabilities = { endpoints: ['chat'] };
    expect((await write('PATCH', '/lab', { capabilities, state: 'active' })).json.capabilities).toEqual(capabilities);
    expect((await write('PATCH', '/lab', { capabilities: null })).json.capabilities).toBeNull();
    expect((await write('PATCH', '/nowhere', { state: 'disabled' })).status).toBe(404);
    expect((await write('PATCH', '/echo', { state: 'disabled' })).status).toBe(409);
  });

  it('of the settings is overridden; its key stays for its host', async () => {
    expect(await get('openai')).toMatchObject({ source: 'settings', isOverridden: false, credentials: 'present' });
    expect((await write('PATCH', '/openai', { state: 'disabled' })).json).toMatchObject({
      ...{ source: 'api', isOverridden: true, state: 'disabled', credentials: 'present' },
      ...{ host: 'api.openai.com', baseUrl: null, keyVariable: 'OPENAI_API_KEY' },
    });
    expect((await write('PATCH', '/openai', { baseUrl: 'https://proxy.example.com/v1' })).json).toMatchObject({
      ...{ host: 'proxy.example.com', credentials: 'not_needed', keyVariable: null },
    });
    expect((await write('DELETE', '/openai')).json).toEqual({
      object: 'provider.deletion',
      name: 'openai',
      deleted: true,
    });
    expect(await get('openai')).toMatchObject({ source: 'settings', state: 'active', credentials: 'present' });
    expect((await write('DELETE', '/openai')).json.error.code).toBe('conflict');
  });

  it('that a route names is not removed, nor by a roll back', async () => {
    const before = await current();
    for (const call of [() => write('DELETE', '/lab'), () => write('POST', '/rollback', { version: 0 })]) {
      const { status, json } = await call();
      expect([status, json.error.code, json.error.message]).toEqual([
        409,
        'conflict',
        "A route names the provider 'lab': remove it from the routes first.",
      ]);
    }
    expect(await current()).toEqual(before);
    expect((await write('DELETE', '/cerebras')).status).toBe(200);
    expect((await write('DELETE', '/cerebras')).status).toBe(404);
  });
});

it('there are at most 64', async () => {
  const before = (await current()).providers.length;
  for (let at = before; at < 64; at += 1) expect((await add({ ...LAB, name: `n-${at}` })).status).toBe(201);
  const { status, json } = await add({ ...LAB, name: 'one-more' });
  expect([status, json.error.param]).toEqual([400, 'providers']);
});

it('no change of simultaneous ones is lost', async () => {
  const models = [['a-*'], ['b-*'], ['c-*']];
  const names = ['n-5', 'n-6', 'n-7'];
  const changed = await Promise.all(names.map((name, at) => write('PATCH', `/${name}`, { models: models[at] })));
  expect(changed.every(({ status }) => status === 200 || status === 409)).toBe(true);
  const { providers } = await current();
  const kept = names.filter((name, at) =>
    providers.some(
      (one: { name: string; models?: string[] }) => one.name === name && one.models?.[0] === models[at]?.[0],
    ),
  );
  expect(kept.length).toBe(changed.filter(({ status }) => status === 200).length);
});

it('versions are listed, read and restored as a new version', async () => {
  const { version, providers } = await current();
  const old = (await admin.call('GET', '/providers/versions/1')).json;
  expect(old).toMatchObject({ object: 'providers', version: 1, createdBy: admin.admin.id });
  expect((await admin.call('GET', '/providers/versions/0')).json.providers).toEqual([]);
  expect((await admin.call('GET', '/providers/versions/99')).status).toBe(404);
  const { json, headers } = await write('POST', '/rollback', { version: 1 });
  expect([json.version, json.providers, headers.get('etag')]).toEqual([version + 1, old.providers, `"${version + 1}"`]);
  expect(json.providers).not.toEqual(providers);
  expect((await write('POST', '/rollback', { version: 99 })).status).toBe(404);
});

it('is for administrators', async () => {
  const { key } = (await admin.call('POST', '/keys', { body: { name: 'app' } })).json;
  for (const [method, path, body] of [
    ['POST', '', LAB],
    ['GET', '/lab', undefined],
    ['PATCH', '/lab', { state: 'disabled' }],
    ['DELETE', '/lab', undefined],
    ['GET', '/versions', undefined],
    ['GET', '/versions/1', undefined],
    ['POST', '/rollback', { version: 1 }],
  ] as const) {
    expect((await admin.call(method, `/providers${path}`, { key, body })).status).toBe(403);
  }
});
