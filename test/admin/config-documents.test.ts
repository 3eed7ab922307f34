import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AdminApp } from '../support/admin-app.ts';
import { type ConfigDeployment, startConfigDeployment } from './config-setup.ts';

const ARN = 'arn:aws:secretsmanager:eu-central-1:000000000000:secret:lab-AbCdEf';

let deployment: ConfigDeployment;
let admin: AdminApp;
beforeAll(async () => {
  deployment = await startConfigDeployment((deps) => ({
    ...deps,
    outsideSecret: () => ({ version: 1, read: async () => 'sk-planted-value-0001', renewedSince: async () => false }),
  }));
  admin = deployment.admin;
  await admin.call('PUT', '/policy', { body: { preset: 'monitor' } });
});
afterAll(() => deployment.stop());

const file = (name: string) => deployment.file(name);
const write = (name: string, content: unknown) => deployment.write(name, content);
const config: ConfigDeployment['config'] = (...args) => deployment.config(...args);
const auditLength = async () => (await admin.call('GET', '/audit?limit=1')).json.head?.seq ?? 0;

describe('documents as code', () => {
  const price = { input: 1, output: 2 };
  const route = { models: 'fast', targets: [{ provider: 'echo', model: 'echo' }] };
  const versions = async () =>
    Object.fromEntries(
      await Promise.all(
        ['policy', 'routes', 'prices'].map(async (name) => [name, (await admin.call('GET', `/${name}`)).json.version]),
      ),
    );
  const setPrice = (model: string, input: number) =>
    admin.call('POST', '/prices/set', { body: { model, input, output: input } });
  const read = async (name: string) => (await admin.call('GET', `/${name}`)).json;

  it('are applied together, and the file then has their new versions; comments stay', async () => {
    const before = await versions();
    const text = `# ours
versions: { policy: ${before.policy}, routes: ${before.routes}, prices: ${before.prices} }
policy: { preset: strict }
routes:
  - models: fast
    targets: [{ provider: echo, model: echo }]
prices:
  lab/llama: { input: 1, output: 2 } # a dollar
`;
    await write('documents.yaml', text);
    expect((await config('plan', 'documents.yaml')).out).toBe(
      [
        ...['~ prices', '    lab/llama: none -> {"input":1,"output":2}'],
        ...['~ routes', `    routes: [] -> ${JSON.stringify([route])}`],
        ...['~ policy', '    preset: "monitor" -> "strict"', ''],
      ].join('\n'),
    );
    expect((await config('apply', 'documents.yaml')).out).toContain('Applied: 3 changes.');
    const after = await versions();
    expect(after).toEqual({ policy: before.policy + 1, routes: 1, prices: 1 });
    const written = await readFile(file('documents.yaml'), 'utf8');
    expect(written).toMatch(/^# ours\n/);
    expect(written).toContain('# a dollar');
    expect([await read('routes'), await read('prices')]).toMatchObject([
      { routes: [route] },
      { prices: { 'lab/llama': price } },
    ]);
    expect(await config('apply', 'documents.yaml')).toMatchObject({ code: 0, out: 'No changes.\n' });
    expect(await readFile(file('documents.yaml'), 'utf8')).toBe(written);
  });

  it('have providers, which are written before the routes that name them and removed after', async () => {
    const lab = { name: 'lab', protocol: 'openai', baseUrl: 'https://lab.example.com/v1' };
    const added = { providers: [lab], routes: [route, { models: 'slow', targets: [{ provider: 'lab', model: 'm' }] }] };
    await write('providers.json', added);
    expect((await config('apply', 'providers.json')).out).toContain('Applied: 2 changes.');
    expect((await admin.call('GET', '/providers/lab')).json).toMatchObject({ source: 'api', protocol: 'openai' });
    await config('export', 'with-providers.json');
    expect(JSON.parse(await readFile(file('with-providers.json'), 'utf8'))).toMatchObject(added);
    await write('providers.json', { providers: [{ ...lab, name: 'new' }], routes: [route] });
    const { out } = await config('plan', 'providers.json');
    expect(out.split('\n').filter((line) => line.startsWith('~'))).toEqual(['~ providers', '~ routes', '~ providers']);
    expect((await config('apply', 'providers.json')).code).toBe(0);
    expect((await admin.call('GET', '/providers/lab')).status).toBe(404);
    await write('providers.json', { providers: [] });
    expect((await config('apply', 'providers.json')).out).toContain('Applied: 1 change.');
    expect((await config('apply', 'providers.json')).out).toBe('No changes.\n');
  });

  it('are exported as YAML', async () => {
    expect((await config('export', 'exported.yaml')).code).toBe(0);
    const text = await readFile(file('exported.yaml'), 'utf8');
    expect(text).toContain('prices:\n  lab/llama:\n    input: 1\n');
    expect((await config('plan', 'exported.yaml')).out).toBe('No changes.\n');
  });

  it('keep what others have changed since, and show it', async () => {
    await config('export', 'since.json');
    await setPrice('lab/other', 5);
    const kept = await config('apply', 'since.json');
    expect(kept.out).toMatch(
      new RegExp(
        `^! prices lab/other: set to {"input":5,"output":5} by version 2 at the latest \\(2026-06-01T.*, ${admin.admin.id}\\), and stays; the file has none\n`,
      ),
    );
    expect(kept.out).toContain('No changes.');
    const content = JSON.parse(await readFile(file('since.json'), 'utf8'));
    await write('since.json', { ...content, prices: { ...content.prices, 'lab/third': price } });
    expect((await config('apply', 'since.json')).out).toContain('    lab/third: none -> {"input":1,"output":2}\n');
    expect(Object.keys((await read('prices')).prices)).toEqual(['lab/llama', 'lab/other', 'lab/third']);
    expect(JSON.parse(await readFile(file('since.json'), 'utf8')).versions.prices).toBe(3);
  });

  it('are not applied where both have changed the same, unless --overwrite is set', async () => {
    await config('export', 'both.json');
    await setPrice('lab/llama', 7);
    const content = JSON.parse(await readFile(file('both.json'), 'utf8'));
    await write('both.json', { ...content, prices: { ...content.prices, 'lab/llama': { input: 8, output: 8 } } });
    const before = await auditLength();
    const refused = await config('apply', 'both.json');
    expect(refused).toMatchObject({ code: 1, error: expect.stringContaining('Nothing was applied') });
    expect(refused.out).toContain('! prices lab/llama: set to {"input":7,"output":7} by version');
    expect(await auditLength()).toBe(before);
    expect((await config('apply', 'both.json', '--overwrite')).code).toBe(0);
    expect((await read('prices')).prices['lab/llama']).toEqual({ input: 8, output: 8 });
  });

  it('are refused if the file names a version that the deployment does not have', async () => {
    await write('other.json', { versions: { prices: 99 }, prices: {} });
    const { code, error } = await config('plan', 'other.json');
    expect([code, error]).toEqual([1, expect.stringContaining('exported from another deployment')]);
  });

  it('that one step refuses are applied up to it, and a second apply does the rest', async () => {
    // Another administrator deletes the webhook after the plan.
    const gone = { url: 'https://gone.example.com/hook', events: ['key.created'] };
    await write('half.json', { webhooks: [gone] });
    await config('apply', 'half.json');
    const [hook] = (await admin.call('GET', '/webhooks')).json.data;
    await write('half.json', { prices: { 'lab/half': price }, webhooks: [{ ...gone, description: 'new' }] });
    deployment.onRequest = async (method, url) => {
      if (method !== 'PUT' || !url.endsWith('/prices')) return;
      deployment.onRequest = undefined;
      await admin.call('DELETE', `/webhooks/${hook.id}`);
    };
    const failed = await config('apply', 'half.json');
    expect([failed.code, failed.error]).toEqual([
      1,
      expect.stringContaining('Applied 1 of 2 changes: prices. Apply the file again for the rest.'),
    ]);
    expect((await config('apply', 'half.json')).out).toContain('Applied: 1 change.');
    await write('no-hooks.json', { webhooks: [] });
    await config('apply', 'no-hooks.json', '--prune', '--yes');
  });

  it('that are not YAML are refused with the line', async () => {
    await write('broken.yaml', 'policy: { preset: strict }\nkeys: [\n');
    const { code, error } = await config('plan', 'broken.yaml');
    expect([code, error]).toEqual([2, expect.stringMatching(/broken\.yaml:\d: not valid YAML/)]);
    const grown = (name: string, of: string) => `${name}: &${name} [${Array(9).fill(of).join(', ')}]\n`;
    const bomb = [grown('a', 'x'), grown('b', '*a'), grown('c', '*b'), grown('d', '*c')].join('');
    await write('bomb.yaml', bomb);
    const refused = await config('plan', 'bomb.yaml');
    expect([refused.code, refused.error]).toEqual([2, expect.stringMatching(/bomb\.yaml: too many aliases/)]);
    await write('twice.yaml', 'policy: {}\npolicy: { preset: strict }\n');
    expect((await config('plan', 'twice.yaml')).code).toBe(2);
  });
});

describe('credentials as code', () => {
  const lab = { name: 'lab', protocol: 'openai', baseUrl: 'https://lab.example.com/v1' };
  const shared = { name: 'Lab, shared', provider: 'lab', type: 'secret', secretArn: ARN, hosts: ['lab.example.com'] };
  const sealed = { name: 'Lab, ours', provider: 'lab', hosts: ['lab.example.com'] };
  const stored = async () => (await admin.call('GET', '/credentials')).json.data;

  it('in Secrets Manager are created, and the providers and keys of the file get their ids', async () => {
    await write('secret.json', {
      credentials: [shared],
      providers: [{ ...lab, credentialId: shared.name }],
      keys: [
        { name: 'First admin key', permissions: ['admin'] },
        { name: 'bound', credentialId: shared.name },
      ],
    });
    expect((await config('plan', 'secret.json')).out).toMatch(/^\+ credential 'Lab, shared'\n~ providers\n/);
    const applied = await config('apply', 'secret.json');
    expect([applied.code, applied.error, applied.out]).toEqual([0, '', expect.stringContaining('Applied: 3 changes.')]);
    const [{ id }] = await stored();
    expect((await admin.call('GET', '/providers/lab')).json.credentialId).toBe(id);
    expect((await admin.call('GET', '/keys?limit=100')).json.data).toContainEqual(
      expect.objectContaining({ name: 'bound', credentialId: id }),
    );
    const before = await auditLength();
    expect(await config('apply', 'secret.json')).toMatchObject({ code: 0, out: 'No changes.\n' });
    expect(await auditLength()).toBe(before);
  });

  it('that are sealed are for a person to add: nothing that names them is applied before', async () => {
    const wanted = { credentials: [shared, sealed], providers: [{ ...lab, credentialId: sealed.name }] };
    await write('sealed.json', wanted);
    const before = await auditLength();
    const refused = await config('apply', 'sealed.json');
    expect([refused.code, refused.out, refused.error]).toEqual([
      1,
      expect.stringContaining(
        "! credential 'Lab, ours' (named by lab) is to be added: svc admin credentials create lab 'Lab, ours'\n",
      ),
      expect.stringContaining('Nothing was applied'),
    ]);
    expect(await auditLength()).toBe(before);
    const body = { ...sealed, value: 'sk-planted-value-0002', skipTest: true };
    const { id } = (await admin.call('POST', '/credentials', { body })).json;
    expect((await config('apply', 'sealed.json')).out).toContain('Applied: 1 change.');
    expect((await admin.call('GET', '/providers/lab')).json.credentialId).toBe(id);
  });

  it('are exported by name, without values; a state in the file is set, and an absent one stays', async () => {
    const [, { id }] = await stored();
    await admin.call('PATCH', `/credentials/${id}`, { body: { state: 'disabled' } });
    await config('export', 'exported.json');
    const text = await readFile(file('exported.json'), 'utf8');
    expect(text).not.toMatch(/planted|cred_|last4|0002/);
    const exported = JSON.parse(text);
    expect(exported).toMatchObject({
      credentials: [shared, { ...sealed, type: 'sealed', state: 'disabled' }],
      providers: [{ name: 'lab', credentialId: sealed.name }],
    });
    expect((await config('plan', 'exported.json')).out).toBe('No changes.\n');
    await write('state.json', { credentials: [shared, sealed] });
    expect((await config('apply', 'state.json')).out).toBe('No changes.\n');
    await write('state.json', { credentials: [{ ...shared, keysOnly: true }, sealed] });
    expect((await config('apply', 'state.json')).out).toContain('    keysOnly: false -> true\n');
    await write('state.json', { credentials: [{ ...shared, hosts: ['other.example.com'] }] });
    expect((await config('plan', 'state.json')).error).toContain(
      "'hosts' of the credential 'Lab, shared' never changes",
    );
  });

  it('that the file leaves out stay; --prune deletes references only, and asks before', async () => {
    await write('none.json', { credentials: [], keys: [{ name: 'First admin key', permissions: ['admin'] }] });
    expect((await config('apply', 'none.json')).out).toContain("credential 'Lab, shared' (cred_");
    expect((await config('apply', 'none.json', '--prune')).error).toContain('pass --yes');
    const pruned = await config('apply', 'none.json', '--prune', '--yes');
    expect(pruned.out).toMatch(/credential 'Lab, ours' \(cred_\w+\) is not in the file and stays/);
    expect((await stored()).map(({ name }: { name: string }) => name)).toEqual([sealed.name]);
  });
});
