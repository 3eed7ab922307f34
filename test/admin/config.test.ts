import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isApiKeyForm } from '../../functions/control/keys/index.ts';
import type { HttpHost } from '../../functions/server/http-host.ts';
import { startHttpHost } from '../../functions/server/index.ts';
import { type AdminApp, startAdminApp } from '../support/admin-app.ts';
import { runAdminInProcess } from '../support/run-bin.ts';

let admin: AdminApp;
let host: HttpHost;
let folder = '';
/** Before the service handles a request. */
let onRequest: ((method: string, url: string) => Promise<void>) | undefined;
beforeAll(async () => {
  admin = await startAdminApp();
  const app: typeof admin.app = async (request, context) => {
    await onRequest?.(request.method, request.url);
    return admin.app(request, context);
  };
  host = await startHttpHost(app, { port: 0, host: '127.0.0.1', maxBodyBytes: 1_000_000 });
  folder = await mkdtemp(path.join(tmpdir(), 'svc-config-'));
});
afterAll(async () => {
  await host.stop(0);
  await admin.stop();
  await rm(folder, { recursive: true, force: true });
});

const file = (name: string) => path.join(folder, name);
const write = async (name: string, content: unknown) => {
  await writeFile(file(name), typeof content === 'string' ? content : JSON.stringify(content));
  return file(name);
};
const config = (command: string, name: string, ...more: readonly string[]) =>
  runAdminInProcess([command, file(name), '--url', `${host.url}/v1`, ...more], {
    SVC_ADMIN_KEY: admin.admin.secret,
  });
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
      versions: { policy: 1, routes: 0, prices: 0, providers: 0 },
      providers: [],
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
    onRequest = async (method, url) => {
      if (method !== 'PUT' || !url.endsWith('/prices')) return;
      onRequest = undefined;
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
