import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { startLocalProcess } from '../contract/local-process.ts';
import type { Service } from '../contract/service.ts';
import { eventually } from '../support/eventually.ts';
import { Browser, CLIENT_ID, IdentityProvider } from '../support/identity-provider.ts';
import { COMPILE_CACHE, WITHOUT_EVENTS } from '../support/quick-start.ts';
import { runBin } from '../support/run-bin.ts';
import { Running } from './terminal.ts';

/** No provider has credentials: the built-in model is enough. */
const NONE = { OPENAI_API_KEY: '', OPENAI_BASE_URL: '', ANTHROPIC_API_KEY: '', ANTHROPIC_BASE_URL: '' };
const provider = new IdentityProvider();
let service: Service;
let home = '';
let gateway = '';

beforeAll(async () => {
  for (const level of ['info', 'warn'] as const) jest.spyOn(console, level).mockImplementation(() => {});
  await provider.start();
  home = await mkdtemp(path.join(tmpdir(), 'svc-login-'));
  const rules = [{ id: 'engineers', match: { groups: ['engineering'], email: ['*@example.com'] } }];
  const issuer = { issuer: provider.url, audience: [CLIENT_ID, 'internal'], signIn: { clientId: CLIENT_ID }, rules };
  const machines = { issuer: 'https://machines.example.com', audience: ['internal'], rules: [] };
  service = await startLocalProcess(NONE, {
    ...WITHOUT_EVENTS,
    SVC_IDENTITY: JSON.stringify({ issuers: [issuer, machines] }),
  });
  gateway = service.baseUrl.replace(/\/v1$/, '');
  const running = new Running('login', ['--gateway', gateway, '--yes'], {
    XDG_CONFIG_HOME: home,
    PATH: '',
    DISPLAY: ':0',
  });
  await new Browser().signIn(await running.printed(/^(http\S+\/auth\?\S+)$/m));
  expect((await running.ended()).code).toBe(0);
});
afterAll(async () => {
  await service.stop();
  provider.stop();
  await rm(home, { recursive: true, force: true });
});

const token = () => runBin('token', ['--gateway', gateway], { XDG_CONFIG_HOME: home });
const refreshes = () => provider.asked.filter((one) => one === 'POST /token').length;

/** The session as if its token were over. */
async function expire(): Promise<void> {
  const folder = path.join(home, 'svc/sessions');
  const name = (await readdir(folder)).find((one) => one.endsWith('.json')) ?? '';
  const session = JSON.parse(await readFile(path.join(folder, name), 'utf8'));
  await writeFile(path.join(folder, name), JSON.stringify({ ...session, receivedAt: 0, expiresAt: 1 }));
}

it('a gateway shows anyone where people sign in, and nothing else of its issuers', async () => {
  const response = await fetch(`${gateway}/v1/sign-in`);
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'public, max-age=60']);
  const signIn = { clientId: CLIENT_ID, token: 'id_token', redirectUri: 'http://127.0.0.1/callback' };
  expect(await response.json()).toEqual({ object: 'sign_in', issuers: [{ issuer: provider.url, ...signIn }] });
});

it('processes that need a new token at the same time refresh once, and the gateway takes it', async () => {
  await expire();
  const before = refreshes();
  const all = await Promise.all(Array.from({ length: 4 }, token));
  expect(all.map(({ code, error }) => [code, error])).toEqual(Array(4).fill([0, '']));
  expect([new Set(all.map(({ out }) => out)).size, refreshes() - before]).toEqual([1, 1]);
  const value = all[0]?.out.trim() ?? '';
  // Claude Code sends the output of its apiKeyHelper in both headers.
  const response = await fetch(`${gateway}/v1/messages`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${value}`,
      'x-api-key': value,
      'anthropic-version': '2023-06-01',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ model: 'echo', max_tokens: 10, messages: [{ role: 'user', content: 'Hello' }] }),
  });
  expect([response.status, await response.json()]).toMatchObject([200, { content: [{ text: 'Hello' }] }]);
  expect(service.logs()).not.toContain(value);
});

it('a process that is killed while it refreshes leaves no lock', async () => {
  await expire();
  provider.hook = (request) => request.method === 'POST';
  const before = refreshes();
  const env = { PATH: process.env.PATH, ...COMPILE_CACHE, XDG_CONFIG_HOME: home };
  const child = spawn(process.execPath, ['bin/svc.ts', 'token', '--gateway', gateway], { env, stdio: 'ignore' });
  await eventually(() => refreshes() > before);
  child.kill('SIGKILL');
  await once(child, 'exit');
  provider.hook = () => false;
  expect(await token()).toMatchObject({ code: 0, error: '' });
});
