/** A service that starts with a data folder and prints why it does not, for the tests of a file that imports this. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { QUICK_START } from '../../support/quick-start.ts';
import { buildLocalService, ENTRY } from '../local-process.ts';

/** Restores a copy or starts empty. */
export const FIX = 'Restore the data folder from a copy, or move it away to start with an empty one.';

export let root = '';
/** The data folder of a service that ran and ended. */
export let used = '';

beforeAll(async () => {
  buildLocalService();
  root = await mkdtemp(path.join(tmpdir(), 'svc-first-errors-'));
  used = path.join(root, 'used');
  const before = await start(used);
  expect(before.out).toContain('ready http');
  // A signal that comes with the first line stops it in order, with its helper processes.
  expect(before.code).toBe(0);
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** Starts the service, stops it when it is ready, and returns what it printed. */
export async function start(dataDir: string, env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [ENTRY], {
    cwd: root,
    env: { PATH: process.env.PATH, ...QUICK_START, PORT: '0', SVC_DATA_DIR: dataDir, ...env },
  });
  child.stdout.on('data', (bytes: Buffer) => {
    if (bytes.includes('ready http')) child.kill('SIGTERM');
  });
  const [out, error, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { out, error, code };
}

/** The one line that a failed start prints. */
export async function failure(dataDir: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { out, error, code } = await start(dataDir, env);
  expect([out, code]).toEqual(['', 1]);
  const [line = '', ...rest] = error.split('\n');
  expect(rest).toEqual(['']);
  return line;
}

/** A copy of the used folder, damaged by `damage`. */
export async function damaged(name: string, damage: (folder: string) => Promise<void>): Promise<string> {
  const folder = path.join(root, name);
  await cp(used, folder, { recursive: true });
  await damage(folder);
  return folder;
}

export async function overwrite(file: string, from: number, bytes: number): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.write(Buffer.alloc(bytes, 0x5a), 0, bytes, from);
  await handle.close();
}

export const tableFiles = async (folder: string, end: RegExp) =>
  (await readdir(path.join(folder, 'dynamodb')))
    .filter((name) => end.test(name))
    .map((name) => path.join(folder, 'dynamodb', name));
