import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { importCommand } from '../../bin/import.ts';
import { type ConfigDeployment, startConfigDeployment } from './config-setup.ts';

const CONFIG = `
model_list:
  - model_name: fast
    litellm_params: { model: openai/gpt-4o-mini, api_key: os.environ/OPENAI_API_KEY, rpm: 100 }
  - model_name: lab
    litellm_params: { model: lab/llama, api_base: https://llm.example.com/v1, api_key: os.environ/LAB_KEY }
    model_info: { input_cost_per_token: 1.0e-6, output_cost_per_token: 2.0e-6 }
litellm_settings: { fallbacks: [{ fast: [lab] }], success_callback: [langfuse] }
`;
/** A key of LiteLLM: `sk-` and 16 random bytes. */
const SECRET = 'sk-HfX1yq2d9wTn4bVbQm0c8A';
const TEAMS = [{ team_id: 't', team_alias: 'Shop', max_budget: 500, budget_duration: '1mo' }];
const KEYS = {
  keys: [
    {
      ...{ token: createHash('sha256').update(SECRET).digest('hex'), key_name: `sk-...${SECRET.slice(-4)}` },
      ...{ key_alias: 'checkout', team_id: 't', models: ['fast'], rpm_limit: 60 },
    },
  ],
};

let deployment: ConfigDeployment;
beforeAll(async () => {
  deployment = await startConfigDeployment();
});
afterAll(() => deployment.stop());

async function run(...args: readonly string[]) {
  const printed = { out: '', error: '' };
  const to = (name: keyof typeof printed) =>
    new Writable({
      write(chunk, _, done) {
        printed[name] += chunk;
        done();
      },
    });
  const code = await importCommand(args, { env: {}, stdin: process.stdin, stdout: to('out'), stderr: to('error') });
  return { code, ...printed };
}

it('a configuration of LiteLLM is imported, planned and applied', async () => {
  const config = await deployment.write('config.yaml', CONFIG);
  const exports = [await deployment.write('keys.json', KEYS), await deployment.write('teams.json', TEAMS)];
  const options = exports.flatMap((file) => ['--export', file]);
  const out = deployment.file('svc.yaml');

  const dry = await run('litellm', config, ...options);
  expect(dry).toMatchObject({ code: 0, error: '', out: expect.stringContaining('Nothing was written') });
  const { code, out: report } = await run('litellm', config, ...options, '--out', out);
  expect(code).toBe(0);
  expect(report).toContain('2 routes, 1 prices, 1 teams, 1 credentials, 1 providers, 1 keys');
  expect(report).toContain('litellm_settings.success_callback: see webhooks');

  const missing = await deployment.config('plan', 'svc.yaml');
  expect(`${missing.out}${missing.error}`).toContain('lab');
  const [command] = /credentials create .*/.exec(report) ?? [];
  expect(command).toBe('credentials create lab "lab" --hosts llm.example.com   # the key of LAB_KEY');
  // As a shell reads it.
  const words = [...(command ?? '').replace(/ +#.*/, '').matchAll(/"([^"]*)"|\S+/g)].map(
    ([word, quoted]) => quoted ?? word,
  );
  expect(await deployment.command([...words, '--skip-test'], 'value-of-lab\n')).toMatchObject({ code: 0 });
  const secrets = deployment.file('secrets.jsonl');
  expect(await deployment.config('apply', 'svc.yaml', '--secrets', secrets)).toMatchObject({ code: 0, error: '' });
  expect(await deployment.config('plan', 'svc.yaml')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/\nNo changes\.\n$/),
  });
  // The client keeps its key: none is made.
  await expect(readFile(secrets, 'utf8')).rejects.toThrow('ENOENT');
  const [key] = (await deployment.admin.call('GET', '/keys?search=checkout')).json.data;
  expect(key).toMatchObject({ name: 'checkout', last4: SECRET.slice(-4), state: 'active' });
  const plan = await deployment.config('plan', 'svc.yaml', '--json');
  expect(plan.out).not.toContain(KEYS.keys[0]?.token);
  await deployment.admin.call('PATCH', `/keys/${key.id}`, { body: { permissions: ['analytics'] } });
  expect((await deployment.admin.call('GET', '/keys', { key: SECRET })).status).toBe(403);
  expect((await deployment.admin.call('GET', '/keys', { key: `${SECRET}x` })).status).toBe(401);
  const routes = (await deployment.admin.call('GET', '/routes')).json;
  expect(routes.routes).toEqual([
    {
      models: 'fast',
      targets: [{ provider: 'openai', model: 'gpt-4o-mini' }],
      fallbacks: [{ provider: 'lab', model: 'llama' }],
    },
    { models: 'lab', targets: [{ provider: 'lab', model: 'llama' }] },
  ]);
});

it.each([
  ['another source', ['kong', 'config.yaml'], 2],
  ['no file', ['litellm'], 2],
  ['an unknown option', ['litellm', 'config.yaml', '--key', 'x'], 2],
  ['a file that is missing', ['litellm', 'missing.yaml'], 1],
])('%s is an error without a stack', async (_, args, code) => {
  const result = await run(...args);
  expect(result).toMatchObject({ code, out: '' });
  expect(result.error).not.toMatch(/\n\s+at /);
});

it('a file that is no YAML is refused without a part of it, and no file is overwritten', async () => {
  const broken = await deployment.write('broken.yaml', 'a: [hunter2');
  expect(await run('litellm', broken)).toEqual({ code: 1, out: '', error: `${broken}: is no YAML.\n` });
  const taken = path.join(path.dirname(broken), 'taken.yaml');
  await writeFile(taken, 'mine');
  const config = await deployment.write('config.yaml', CONFIG);
  expect(await run('litellm', config, '--out', taken)).toMatchObject({
    code: 1,
    error: `${taken}: exists. Name another file.\n`,
  });
  expect(await readFile(taken, 'utf8')).toBe('mine');
});
