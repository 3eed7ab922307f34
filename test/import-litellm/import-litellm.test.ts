import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startLocalProcess } from '../contract/local-process.ts';
import type { Service } from '../contract/service.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { type MockUpstream, startMockUpstream } from '../support/mock-upstream/start-mock-upstream.ts';
import { runBin } from '../support/run-bin.ts';

/** The folder of the programs of Python's virtual environment. */
const PROGRAMS = process.env.SVC_TEST_LITELLM ?? '';
/** As `/key/generate` makes them. */
const secretOf = () => `sk-${randomBytes(16).toString('base64url')}`;
const [SHOP, STOPPED, MASTER] = [secretOf(), secretOf(), secretOf()];
const CONFIG = `
model_list:
  - model_name: fast
    litellm_params: { model: openai/gpt-4o-mini, api_key: os.environ/OPENAI_API_KEY }
  - model_name: slow
    litellm_params: { model: anthropic/claude-sonnet-4-5, api_key: os.environ/ANTHROPIC_API_KEY }
litellm_settings: { fallbacks: [{ fast: [slow] }] }
`;

let folder: string;
let upstream: MockUpstream;
let service: Service;
let litellm: ChildProcess;
let litellmUrl: string;
let litellmLog = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'svc-litellm-'));
  upstream = await startMockUpstream();
  await writeFile(path.join(folder, 'config.yaml'), CONFIG);
  const port = String(await freePort());
  litellmUrl = `http://127.0.0.1:${port}`;
  const args = ['--config', path.join(folder, 'config.yaml'), '--num_workers', '1', '--host', '127.0.0.1'];
  litellm = spawn(path.join(PROGRAMS, 'python3'), [path.join(PROGRAMS, 'litellm'), ...args, '--port', port], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...{ PATH: process.env.PATH, HOME: folder, LITELLM_MASTER_KEY: MASTER, LITELLM_LOG: 'ERROR' },
      // It would fetch a list of prices.
      LITELLM_LOCAL_MODEL_COST_MAP: 'True',
      ...{ OPENAI_API_KEY: 'of-openai', OPENAI_BASE_URL: `${upstream.url}/v1`, OPENAI_API_BASE: `${upstream.url}/v1` },
      ...{ ANTHROPIC_API_KEY: 'of-anthropic', ANTHROPIC_API_BASE: upstream.url },
    },
  });
  for (const stream of [litellm.stdout, litellm.stderr])
    stream?.on('data', (bytes: Buffer) => {
      litellmLog += bytes.toString();
    });
  service = await startLocalProcess({
    ...{ OPENAI_API_KEY: 'of-openai', OPENAI_BASE_URL: `${upstream.url}/v1` },
    ...{ ANTHROPIC_API_KEY: 'of-anthropic', ANTHROPIC_BASE_URL: upstream.url },
  });
  await eventually(async () => {
    if (litellm.exitCode !== null) throw new Error(litellmLog);
    return (await fetch(`${litellmUrl}/health/liveliness`).catch(() => undefined))?.ok;
  });
});
afterAll(async () => {
  if (litellm.exitCode === null) {
    litellm.kill('SIGKILL');
    await once(litellm, 'exit');
  }
  await service.stop();
  await upstream.close();
  await rm(folder, { recursive: true, force: true });
});

const chat = async (url: string, key: string, model: string) => {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const { status } = await fetch(`${url}/chat/completions`, { method: 'POST', headers, body });
  return status;
};
const admin = (...args: readonly string[]) =>
  runBin('admin', [...args, '--url', service.baseUrl], { SVC_ADMIN_KEY: service.adminKey });

it("LiteLLM's models, keys and teams are imported: clients change only the address", async () => {
  // LiteLLM's proxy calls the same models with the same configuration.
  for (const model of ['fast', 'slow'])
    expect([model, await chat(`${litellmUrl}/v1`, MASTER, model)]).toEqual([model, 200]);
  const modelsAsked = () => upstream.requests.map(({ json }) => (json as { readonly model: string }).model);
  const asked = modelsAsked();
  upstream.reset();

  const { stdout, stderr, status } = spawnSync(
    path.join(PROGRAMS, 'python3'),
    [path.join(import.meta.dirname, 'listed.py')],
    {
      input: JSON.stringify({ secrets: [SHOP, STOPPED] }),
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: folder, LITELLM_LOCAL_MODEL_COST_MAP: 'True' },
    },
  );
  expect([status, status === 0 ? '' : stderr]).toEqual([0, '']);
  const listed = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Readonly<Record<'keys' | 'teams', unknown>>;
  const file = (name: string) => path.join(folder, name);
  for (const name of ['keys', 'teams'] as const) await writeFile(file(`${name}.json`), JSON.stringify(listed[name]));

  const exports = ['keys.json', 'teams.json'].flatMap((name) => ['--export', file(name)]);
  const imported = await runBin('import', ['litellm', file('config.yaml'), ...exports, '--out', file('svc.yaml')], {});
  expect([imported.code, imported.error]).toEqual([0, '']);
  expect(imported.out).toContain('2 routes');
  expect(imported.out).toContain('1 teams');
  expect(imported.out).toContain('2 keys');
  for (const secret of [SHOP, STOPPED]) expect(await readFile(file('svc.yaml'), 'utf8')).not.toContain(secret);
  expect(await admin('apply', file('svc.yaml'), '--secrets', file('new-keys.jsonl'))).toMatchObject({ code: 0 });
  await expect(readFile(file('new-keys.jsonl'))).rejects.toThrow('ENOENT');

  const isServed = () => chat(service.baseUrl, SHOP, 'fast');
  await eventually(async () => (await isServed()) === 200);
  expect(asked).toContain(modelsAsked().at(-1));
  // Limits, models and state are those of LiteLLM.
  expect(await chat(service.baseUrl, SHOP, 'slow')).toBe(403);
  expect([401, 403]).toContain(await chat(service.baseUrl, STOPPED, 'fast'));
  const { out } = await admin('keys', 'list', '--json');
  expect(out).toContain('"checkout"');
  const key = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
    .find(({ name }) => name === 'checkout');
  expect(key).toMatchObject({
    rateLimit: { requests: 60, period: 'minute' },
    tokenLimit: { tokens: 50_000, period: 'minute' },
    budget: { usd: 20, period: 'day' },
    last4: SHOP.slice(-4),
    state: 'active',
  });
});
