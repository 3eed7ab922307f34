import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { isApiKeyForm } from '../../functions/control/keys/index.ts';
import { startLocalProcess } from '../contract/local-process.ts';
import type { Service } from '../contract/service.ts';
import { eventually } from '../support/eventually.ts';
import { runAdminInProcess, runBin } from '../support/run-bin.ts';

/** No provider has credentials. */
const NONE = { OPENAI_API_KEY: '', OPENAI_BASE_URL: '', ANTHROPIC_API_KEY: '', ANTHROPIC_BASE_URL: '' };

let root = '';
let dataDir = '';
const secrets: string[] = [];

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'svc-admin-key-'));
  dataDir = path.join(root, 'data');
});
afterAll(() => rm(root, { recursive: true, force: true }));

const startService = () => startLocalProcess(NONE, { SVC_DATA_DIR: dataDir });
const createKey = (...args: readonly string[]) => runBin('admin-key', ['--local', ...args], { SVC_DATA_DIR: dataDir });

/** The audit record of a key, as a key with `admin` reads it. */
async function recordOf(id: string | undefined, service: Service, key: string) {
  const env = { SVC_URL: service.adminUrl, SVC_ADMIN_KEY: key };
  const { out } = await runAdminInProcess(['audit', 'list', '--json'], env);
  const records = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return records.find(({ target }) => target.id === id);
}

it('without data it says what to do', async () => {
  const { code, out, error } = await createKey();
  expect([code, out, error]).toEqual([
    ...[1, ''],
    expect.stringMatching(
      /^No key was created: there is no data in '.*' that this user can read\. The service's first start creates it .*SVC_DATA_DIR .*\.\n$/,
    ),
  ]);
});

it('creates an admin key while the service runs, and while it is stopped, each with an audit record', async () => {
  let service = await startService();
  expect((await stat(path.join(dataDir, 'stores.json'))).mode & 0o777).toBe(0o600);
  const running = await createKey();
  const key = running.out.trim();
  secrets.push(key);
  const id = /^Created (key_\w+), 'Admin key 20\S+Z'\. .*\n$/.exec(running.error)?.[1];
  expect([running.code, running.out, isApiKeyForm(key)]).toEqual([0, `${key}\n`, true]);
  expect(await recordOf(id, service, key)).toMatchObject({
    action: 'key.created',
    actor: { type: 'operator' },
    target: { type: 'key', id },
    before: null,
    after: { permissions: ['admin'] },
    from: null,
  });
  await service.stop();
  expect(service.logs()).not.toContain(key);
  await expect(stat(path.join(dataDir, 'stores.json'))).rejects.toThrow('ENOENT');

  const stopped = await createKey('--name', 'Mine', '--json');
  const made = JSON.parse(stopped.out);
  secrets.push(made.key);
  expect([stopped.code, made]).toEqual([
    0,
    { id: expect.stringMatching(/^key_/), name: 'Mine', key: expect.any(String) },
  ]);

  service = await startService();
  expect(await recordOf(made.id, service, made.key)).toMatchObject({
    action: 'key.created',
    actor: { type: 'operator' },
  });
  const env = { SVC_URL: service.adminUrl, SVC_ADMIN_KEY: key };
  expect(await runAdminInProcess(['audit', 'verify'], env)).toMatchObject({ code: 0 });
  await service.stop();
  for (const secret of secrets) expect(service.logs() + running.error + stopped.error).not.toContain(secret);
});

it('a service that was killed does not prevent it', async () => {
  const service = await startService();
  process.kill(service.pid as number, 'SIGKILL');
  // The stores end when they see that their parent is gone.
  const made = await eventually(createKey, ({ code }) => code === 0);
  expect([made.code, isApiKeyForm(made.out.trim())]).toEqual([0, true]);
});

it.each([
  [[], /^error: --local is required\./],
  [['--local', '--planted-secret'], /^error: unknown argument\./],
])('wrong usage ends with 2: %j', async (args, message) => {
  const { code, out, error } = await runBin('admin-key', args, {});
  expect([code, out, error]).toEqual([2, '', expect.stringMatching(message)]);
  expect(error).toContain('Usage: npm run --silent admin-key -- --local');
  expect(error).not.toContain('planted');
});
