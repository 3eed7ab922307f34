import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startLocalProcess } from '../contract/local-process.ts';
import { PLANTED, type Service } from '../contract/service.ts';
import { runAdminInProcess } from '../support/run-bin.ts';

export let service: Service;
export let receiver: Server;
export let folder = '';
/** What every run printed beside its result: nothing of a secret may be in it. */
export const said: string[] = [];
export const secrets = new Set<string>();

/** Starts a service for the tests of a file, with a folder and a receiver of webhooks. `settings` are additional variables. */
export function startForCli(settings: Readonly<Record<string, string>> = {}): void {
  beforeAll(async () => {
    const nowhere = 'http://127.0.0.1:9';
    const providers = {
      OPENAI_API_KEY: PLANTED.openaiKey,
      OPENAI_BASE_URL: nowhere,
      ANTHROPIC_API_KEY: PLANTED.anthropicKey,
      ANTHROPIC_BASE_URL: nowhere,
    };
    service = await startLocalProcess(providers, settings);
    secrets.add(service.adminKey);
    receiver = createServer((request, response) => request.resume().on('end', () => response.end())).listen(
      0,
      '127.0.0.1',
    );
    await once(receiver, 'listening');
    folder = await mkdtemp(path.join(tmpdir(), 'svc-cli-'));
  });
  afterAll(async () => {
    await service.stop();
    receiver.close();
    await rm(folder, { recursive: true, force: true });
  });
}

export const environment = () => ({ SVC_URL: service.adminUrl, SVC_ADMIN_KEY: service.adminKey });
export async function admin(args: readonly string[], { env = {}, input = '' } = {}) {
  const run = await runAdminInProcess(args, { ...environment(), ...env }, input);
  said.push(run.error);
  return run;
}
/** The JSON lines of a call that succeeds. */
export async function json(...args: readonly string[]) {
  const { out, error, code } = await admin([...args, '--json']);
  expect([code, error]).toEqual([0, expect.any(String)]);
  // biome-ignore lint/suspicious/noExplicitAny: their shape is what is tested
  return linesOf(out).map((line) => JSON.parse(line) as any);
}
const linesOf = (out: string) => out.split('\n').filter((line) => line !== '');
/** What a person reads of a call that succeeds, line by line. */
export async function lines(...args: readonly string[]) {
  const { out, error, code } = await admin(args);
  expect([code, error]).toEqual([0, expect.any(String)]);
  return linesOf(out);
}
export const newKey = async (name: string, ...more: string[]) => {
  const [made] = await json('keys', 'create', name, ...more);
  secrets.add(made.key);
  return made;
};
export const chat = (key: string, content: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${service.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'echo', messages: [{ role: 'user', content }] }),
  }).then((response) => response.status);
export const models = (key: string) =>
  fetch(`${service.baseUrl}/models`, { headers: { authorization: `Bearer ${key}` } }).then(({ status }) => status);

/** The last test of a file: of all its runs and the log of its service. */
export function testThatNoSecretWasPrinted(least: number): void {
  it('secrets are printed only as results, and never logged', () => {
    expect(secrets.size).toBeGreaterThan(least);
    const text = [...said, service.logs()].join('\n');
    for (const secret of [...secrets, PLANTED.openaiKey, PLANTED.anthropicKey]) expect(text).not.toContain(secret);
  });
}
