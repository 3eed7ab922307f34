import { readFile, stat, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isApiKeyForm } from '../../functions/control/keys/index.ts';
import type { AdminApp } from '../support/admin-app.ts';
import { runAdminInProcess } from '../support/run-bin.ts';
import { type ConfigDeployment, startConfigDeployment } from './config-setup.ts';

let deployment: ConfigDeployment;
let admin: AdminApp;
beforeAll(async () => {
  deployment = await startConfigDeployment();
  admin = deployment.admin;
});
afterAll(() => deployment.stop());

const file = (name: string) => deployment.file(name);
const write = (name: string, content: unknown) => deployment.write(name, content);
const config: ConfigDeployment['config'] = (...args) => deployment.config(...args);
const keys = async () =>
  (await admin.call('GET', '/keys?limit=100')).json.data as { id: string; name: string; state: string }[];
const auditLength = async () => (await admin.call('GET', '/audit?limit=1')).json.head?.seq ?? 0;

const WANTED = {
  policy: { preset: 'strict', bannedTopics: [{ name: 'gambling', action: 'flag' }] },
  keys: [
    { name: 'First admin key', permissions: ['admin'] },
    { name: 'shop', environment: 'production', rateLimit: { requests: 600, period: 'minute' }, tags: { team: 'a' } },
    { name: 'batch', permissions: ['/v1/embeddings'], expiresAt: '2030-01-01T01:00:00+01:00', state: 'disabled' },
  ],
};

it.each([
  ['twice', '{"keys":[{"name":"a"}],"keys":[{"name":"b","permissions":["admin"]}]}', 'an object has a member twice'],
  ['twice in a key', '{"keys":[{"name":"a","state":"disabled","state":"active"}]}', 'an object has a member twice'],
  ['nested too deeply', `{"policy":${'['.repeat(500)}${']'.repeat(500)}}`, 'nested too deeply'],
])('a file with a member %s is refused', async (_, text, fault) => {
  await write('odd.json', text);
  expect(await config('plan', 'odd.json')).toMatchObject({
    code: 2,
    error: `error: ${file('odd.json')}: ${fault}\nAdd --help to see options and examples.\n`,
  });
});

describe('a deployment as code', () => {
  it('is planned: the changes are listed, and none is made', async () => {
    await write('svc.json', WANTED);
    const before = await auditLength();
    const { code, out } = await config('plan', 'svc.json');
    expect([code, out.split('\n')]).toEqual([
      0,
      [
        '~ policy',
        '    preset: none -> "strict"',
        '    bannedTopics: none -> [{"name":"gambling","action":"flag"}]',
        "+ key 'shop'",
        "+ key 'batch'",
        '',
      ],
    ]);
    expect(await auditLength()).toBe(before);
  });

  it('is applied: new keys match the file, and their secrets are printed once', async () => {
    const { code, out } = await config('apply', 'svc.json');
    expect([code, out]).toEqual([0, expect.stringMatching(/Applied: 3 changes\.\n$/)]);
    const made = out.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
    expect(made.map(({ name }) => name)).toEqual(['shop', 'batch']);
    for (const { id, key } of made) {
      expect(isApiKeyForm(key)).toBe(true);
      expect((await admin.call('GET', `/keys/${id}`)).json.last4).toBe(key.slice(-4));
    }
    const byName = new Map((await keys()).map((key) => [key.name, key]));
    expect(byName.get('shop')).toMatchObject({ environment: 'Production', tags: { team: 'a' }, state: 'active' });
    expect(byName.get('batch')).toMatchObject({
      permissions: ['embeddings'],
      expiresAt: '2030-01-01T00:00:00.000Z',
      state: 'disabled',
    });
    expect((await admin.call('GET', '/policy')).json).toMatchObject({ version: 1, ...WANTED.policy });
  });

  it('does not change when the file is applied again', async () => {
    const before = await auditLength();
    for (const command of ['apply', 'plan']) {
      expect(await config(command, 'svc.json')).toMatchObject({ code: 0, out: 'No changes.\n' });
    }
    expect(await auditLength()).toBe(before);
  });

  it('is exported unchanged, without secrets', async () => {
    expect(await config('export', 'exported.json')).toMatchObject({ code: 0, out: '' });
    const text = await readFile(file('exported.json'), 'utf8');
    expect(text).not.toMatch(/svc_sk_|last4|key_[0-9a-f]{32}/);
    expect(JSON.parse(text)).toEqual({
      versions: { policy: 1, routes: 0, prices: 0, providers: 0, identity: 0, mcpServers: 0 },
      providers: [],
      identity: { issuers: [] },
      policy: WANTED.policy,
      routes: [],
      prices: {},
      keys: [
        // The deployment decides it at creation, so a file that leaves it out would change nothing.
        { name: 'First admin key', permissions: ['admin'], maxConcurrent: null },
        {
          name: 'batch',
          permissions: ['embeddings'],
          maxConcurrent: 50,
          expiresAt: '2030-01-01T00:00:00.000Z',
          state: 'disabled',
        },
        {
          name: 'shop',
          environment: 'Production',
          rateLimit: { requests: 600, period: 'minute' },
          maxConcurrent: 50,
          tags: { team: 'a' },
        },
      ],
    });
    expect(await config('plan', 'exported.json')).toMatchObject({ out: 'No changes.\n' });
    await config('export', 'again.json');
    expect(await readFile(file('again.json'), 'utf8')).toBe(text);
  });

  it('is changed field by field; what the file leaves out has its default', async () => {
    const [, shop, batch] = WANTED.keys;
    await write('changed.json', {
      keys: [WANTED.keys[0], { ...shop, tags: { team: 'b' }, rateLimit: undefined }, { ...batch, state: 'active' }],
    });
    const { out } = await config('apply', 'changed.json');
    expect(out).toContain('    rateLimit: {"requests":600,"period":"minute"} -> {"requests":1000,"period":"hour"}\n');
    expect(out).toContain('    tags: {"team":"a"} -> {"team":"b"}\n');
    expect(out).toContain('    state: "disabled" -> "active"\n');
    const [record] = (await admin.call('GET', '/audit?limit=2')).json.data.reverse();
    expect(Object.keys(record.after).sort()).toEqual(['rateLimit', 'tags']);
    expect(await config('plan', 'changed.json')).toMatchObject({ out: 'No changes.\n' });
  });

  it('keeps keys that are not in the file, unless --prune is set, and administrators always', async () => {
    await admin.call('POST', '/keys', { body: { name: 'second admin', permissions: ['admin'] } });
    await write('few.json', { keys: [{ ...WANTED.keys[1], tags: { team: 'b' }, rateLimit: undefined }] });
    const kept = await config('apply', 'few.json');
    expect(kept.out).toContain("key 'batch' (");
    expect(kept.out).toContain('No changes.');
    const unasked = await config('apply', 'few.json', '--prune');
    expect([unasked.code, unasked.error]).toEqual([2, expect.stringContaining('pass --yes')]);
    expect((await keys()).filter(({ state }) => state === 'revoked')).toEqual([]);
    const pruned = await config('apply', 'few.json', '--prune', '--yes');
    expect(pruned.out).toMatch(/^- key 'batch' \(key_/m);
    expect(pruned.out).toContain("key 'second admin' (");
    const living = (await keys()).filter(({ state }) => state !== 'revoked').map(({ name }) => name);
    expect(living.sort()).toEqual(['First admin key', 'second admin', 'shop']);
    expect((await config('apply', 'few.json', '--prune')).out).toContain('No changes.');
  });

  it('does not change what the file does not mention', async () => {
    await write('policy.json', { policy: { preset: 'monitor' } });
    expect((await config('apply', 'policy.json', '--prune')).out).toContain('Applied: 1 change.');
    expect((await keys()).filter(({ state }) => state !== 'revoked')).toHaveLength(3);
    await write('keys.json', { keys: [] });
    await config('apply', 'keys.json');
    expect((await admin.call('GET', '/policy')).json.preset).toBe('monitor');
  });

  it('does not change an expired key', async () => {
    await write('expired.json', { keys: [{ name: 'old', expiresAt: '2020-01-01T00:00:00Z', state: 'disabled' }] });
    expect((await config('apply', 'expired.json')).out).toContain('Applied: 1 change.');
    expect((await config('apply', 'expired.json')).out).toContain('No changes.');
  });
});

describe('webhooks as code', () => {
  const webhooks = [
    { url: 'https://a.example.com/hook', events: ['key.created'], filter: { environments: ['Production'] } },
    { url: 'https://b.example.com/hook', events: ['session.flagged'], state: 'disabled' },
  ];
  const deployed = async () => (await admin.call('GET', '/webhooks')).json.data as { url: string; state: string }[];

  it('are created, printed with their secrets once, and not created again', async () => {
    await write('hooks.json', { webhooks });
    const { code, out } = await config('apply', 'hooks.json');
    expect([code, out]).toEqual([0, expect.stringContaining('+ webhook https://a.example.com/hook\n')]);
    const secrets = out.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
    expect(secrets).toEqual(
      webhooks.map(({ url }) => ({ url, id: expect.stringMatching(/^wh_/), secret: expect.stringMatching(/^whsec_/) })),
    );
    const before = await auditLength();
    expect(await config('apply', 'hooks.json')).toMatchObject({ code: 0, out: 'No changes.\n' });
    expect(await auditLength()).toBe(before);
    await config('export', 'hooks-exported.json');
    const text = await readFile(file('hooks-exported.json'), 'utf8');
    expect(JSON.parse(text).webhooks).toEqual(webhooks);
    expect(text).not.toMatch(/whsec_|wh_[0-9a-f]/);
  });

  it('are changed by the file, and deleted with --prune', async () => {
    await write('hooks.json', { webhooks: [{ ...webhooks[1], state: 'active' }] });
    const { out } = await config('apply', 'hooks.json');
    expect(out).toContain('    state: "disabled" -> "active"\n');
    expect(out).toMatch(/webhook https:\/\/a\.example\.com\/hook \(wh_\w+\) is not in the file and stays/);
    expect((await config('apply', 'hooks.json', '--prune', '--yes')).out).toMatch(/^- webhook https:\/\/a\.example/m);
    expect(await deployed()).toMatchObject([{ url: 'https://b.example.com/hook', state: 'active' }]);
  });
});

describe('teams as code', () => {
  const shop = {
    name: 'Shop',
    members: [{ match: { groups: ['shop'] }, role: 'owner' }],
    budget: { usd: 5, period: 'day' },
  };
  const content = { teams: [shop], keys: [{ name: 'of the shop', teamId: 'Shop' }] };

  it('are created before their keys, and the file changes nothing when it is applied again', async () => {
    await write('teams.json', content);
    expect((await config('apply', 'teams.json')).out).toMatch(/^\+ team 'Shop'\n\+ key 'of the shop'\n/);
    const [team] = (await admin.call('GET', '/teams')).json.data;
    expect(team).toMatchObject(shop);
    expect((await keys()).find(({ name }) => name === 'of the shop')).toMatchObject({ teamId: team.id });
    const before = await auditLength();
    expect((await config('apply', 'teams.json')).out).toContain('No changes.\n');
    expect(await auditLength()).toBe(before);
    await config('export', 'teams-exported.json');
    const text = await readFile(file('teams-exported.json'), 'utf8');
    expect(JSON.parse(text).teams).toEqual([shop]);
    expect(text).not.toContain(team.id);
    expect((await config('plan', 'teams-exported.json')).out).toBe('No changes.\n');
  });

  it('are changed, and stay when the file has none of them', async () => {
    await write('teams.json', { teams: [{ ...shop, maxKeys: 2 }] });
    expect((await config('apply', 'teams.json')).out).toContain('    maxKeys: null -> 2\n');
    await write('teams.json', { teams: [] });
    expect((await config('apply', 'teams.json', '--prune', '--yes')).out).toContain("team 'Shop' (team_");
    expect((await admin.call('GET', '/teams')).json.data).toHaveLength(1);
  });
});

describe('the secrets of new keys', () => {
  it('go into a file that only its owner may read, and are then not printed', async () => {
    await write('more.json', { keys: [{ name: 'third' }, { name: 'fourth' }] });
    const { code, out } = await config('apply', 'more.json', '--secrets', file('secrets'));
    expect([code, out]).toEqual([0, expect.not.stringContaining('svc_sk_')]);
    const lines = (await readFile(file('secrets'), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ name, key }) => [name, isApiKeyForm(key)])).toEqual([
      ['third', true],
      ['fourth', true],
    ]);
    expect((await stat(file('secrets'))).mode & 0o777).toBe(0o600);
  });

  it('overwrite no file: if it exists, no key is created', async () => {
    await write('fifth.json', { keys: [{ name: 'fifth' }] });
    const { code, error } = await config('apply', 'fifth.json', '--secrets', file('secrets'));
    expect([code, error]).toEqual([1, expect.stringContaining(': exists already\n')]);
    expect((await keys()).map(({ name }) => name)).not.toContain('fifth');
  });
});

describe('errors are reported, and nothing is changed', () => {
  it('a file with an error, which is named', async () => {
    await write('wrong.json', { keys: [{ name: 'x' }, { name: 'y', rateLimit: { requests: 0, period: 'day' } }] });
    const before = await auditLength();
    const { code, out, error } = await config('apply', 'wrong.json');
    expect([code, out, error]).toEqual([1, '', expect.stringContaining('keys.1.rateLimit.requests: ')]);
    expect(await auditLength()).toBe(before);
  });

  it('two keys with one name in the deployment, if the file names one or all are exported', async () => {
    for (const _ of [1, 2]) await admin.call('POST', '/keys', { body: { name: 'twin' } });
    await write('twin.json', { keys: [{ name: 'twin' }] });
    expect(await config('apply', 'twin.json')).toMatchObject({
      code: 1,
      error: expect.stringContaining("Two keys are named 'twin', key_"),
    });
    expect(await config('export', 'twins.json')).toMatchObject({ code: 1, error: expect.stringContaining('twin') });
    await write('others.json', { keys: [{ name: 'shop' }] });
    expect((await config('plan', 'others.json')).code).toBe(0);
  });

  it('a file that is not JSON, by its line and column', async () => {
    const broken = file('broken.json');
    await writeFile(broken, '{\n  "keys": [] "x"\n}');
    expect(await config('plan', 'broken.json')).toMatchObject({
      code: 2,
      error: `error: ${broken}:2: not valid JSON (column 14)\nAdd --help to see options and examples.\n`,
    });
  });

  it('a missing file, wrong arguments, no key', async () => {
    expect(await config('plan', 'none.json')).toMatchObject({
      code: 1,
      error: expect.stringContaining('no such file'),
    });
    const wrong = await runAdminInProcess(['destroy', 'x', '--url', 'y'], { SVC_ADMIN_KEY: 'x' });
    expect([wrong.code, wrong.error]).toEqual([2, expect.stringContaining("unknown command 'destroy'")]);
    const { code, error } = await runAdminInProcess(['plan', 'x', '--url', 'http://x/v1'], {});
    expect([code, error]).toEqual([2, expect.stringContaining('SVC_ADMIN_KEY')]);
  });
});
