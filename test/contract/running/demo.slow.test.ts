import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { processesWith } from '../../support/processes-with.ts';
import { runBin } from '../../support/run-bin.ts';
import { startLocalProcess } from '../local-process.ts';
import type { Service } from '../service.ts';

const onLinux = process.platform === 'linux' ? test : test.skip;
const NO_PROVIDERS = { OPENAI_API_KEY: '', OPENAI_BASE_URL: '', ANTHROPIC_API_KEY: '', ANTHROPIC_BASE_URL: '' };
let folder: string;
let service: Service;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'svc-demo-'));
  service = await startLocalProcess(NO_PROVIDERS, { SVC_DEMO: 'true', SVC_DATA_DIR: folder });
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

// biome-ignore lint/suspicious/noExplicitAny: its shape is what is tested
const get = async (address: string): Promise<any> => {
  const headers = { authorization: `Bearer ${service.adminKey}` };
  return (await fetch(`${service.baseUrl}${address}`, { headers })).json();
};
const clear = (SVC_DATA_DIR: string) => runBin('demo', ['clear'], { SVC_DATA_DIR });

test('a demo has something on each page, and only its own data is deleted', async () => {
  const [summary, keys, teams, tools, approvals, sessions, threats, alerts, webhooks, settings] = await Promise.all(
    [
      ...['/analytics/summary', '/admin/keys', '/admin/teams', '/analytics/tools', '/approvals'],
      ...['/analytics/sessions', '/analytics/threats', '/admin/alerts', '/admin/webhooks', '/admin/settings'],
    ].map(get),
  );
  expect(summary.requests).toBeGreaterThan(200);
  for (const part of ['blocked', 'flagged', 'rateLimited', 'serverErrors', 'costUsd'])
    expect(summary[part]).toBeGreaterThan(0);
  expect(Object.keys(summary.threats).sort()).toEqual(
    expect.arrayContaining(['pii', 'prompt_injection', 'secret', 'tool_misuse']),
  );
  // With the first admin key.
  expect([keys.data.length, teams.data.length, settings.demo]).toEqual([7, 3, true]);
  expect(await readFile(path.join(folder, 'demo'), 'utf8')).toBe('filled\n');
  for (const { data } of [tools, approvals, sessions, threats, alerts, webhooks])
    expect(data.length).toBeGreaterThan(0);
  expect(threats.data.some(({ mark }: { mark: string | null }) => mark === 'false_positive')).toBe(true);

  expect(await clear(folder)).toMatchObject({ code: 1, error: expect.stringContaining('in use by another svc') });
  await service.stop();
  expect(await clear(folder)).toMatchObject({ code: 0, out: `Deleted the demo in '${folder}'.\n` });
  expect(await clear(folder)).toMatchObject({ code: 0, out: `There is no demo in '${folder}'.\n` });
});

onLinux('a demo whose process dies ends the start, and gets no secret by its environment', async () => {
  const half = await mkdtemp(path.join(tmpdir(), 'svc-half-'));
  const mark = crypto.randomUUID();
  const settings = { SVC_DEMO: 'true', SVC_DATA_DIR: half, SVC_TEST_MARK: mark };
  const starting = startLocalProcess(NO_PROVIDERS, settings);
  const refused = expect(starting).rejects.toThrow('its process has ended. The next start makes it again');
  const pid = await eventually(async () => (await processesWith('SVC_TEST_MARK', mark)).get('svc-demo'));
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8');
  const secrets = ['pepper', 'sealing-key', 'credentials-key'].map((name) => readFile(path.join(half, name), 'utf8'));
  expect(environment).not.toMatch(/svc_sk_/);
  for (const secret of await Promise.all(secrets)) expect(environment).not.toContain(secret.trim());
  process.kill(pid as number, 'SIGKILL');
  await refused;
  // The next start empties the folder: lib/local/data-folder.test.ts.
  expect(await readFile(path.join(half, 'demo'), 'utf8')).toBe('');
  await rm(half, { recursive: true });
});

test('other data is neither deleted nor filled with a demo', async () => {
  const other = await mkdtemp(path.join(tmpdir(), 'svc-other-'));
  await writeFile(path.join(other, 'pepper'), 'p'.repeat(64));
  expect(await clear(other)).toMatchObject({ code: 1, error: expect.stringContaining('is not that of a demo') });
  await expect(startLocalProcess(NO_PROVIDERS, { SVC_DEMO: 'true', SVC_DATA_DIR: other })).rejects.toThrow(
    'other data than a demo',
  );
  expect(await readdir(other)).toEqual(['pepper']);
  await rm(other, { recursive: true });
});
