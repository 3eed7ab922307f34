import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFile,
  chmod,
  copyFile,
  cp,
  mkdtemp,
  open,
  readdir,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { QUICK_START } from '../../support/quick-start.ts';
import { buildLocalService, ENTRY, startLocalProcess } from '../local-process.ts';
import type { Service } from '../service.ts';

/** No provider has credentials. */
const NONE = { OPENAI_API_KEY: '', OPENAI_BASE_URL: '', ANTHROPIC_API_KEY: '', ANTHROPIC_BASE_URL: '' };
/** Restores a copy or starts empty. */
const FIX = 'Restore the data folder from a copy, or move it away to start with an empty one.';

let root = '';
/** The data folder of a service that ran and ended. */
let used = '';
let service: Service;

beforeAll(async () => {
  buildLocalService();
  root = await mkdtemp(path.join(tmpdir(), 'svc-first-errors-'));
  used = path.join(root, 'used');
  // With the warm-up, as by default.
  service = await startLocalProcess(NONE, { SVC_DATA_DIR: path.join(root, 'running'), SVC_WARM_UP: '' });
  const before = await start(used);
  expect(before.out).toContain('ready http');
  // A signal that comes with the first line stops it in order, with its helper processes.
  expect(before.code).toBe(0);
});
afterAll(async () => {
  await service.stop();
  await rm(root, { recursive: true, force: true });
});

/** Starts the service, stops it when it is ready, and returns what it printed. */
async function start(dataDir: string, env: Readonly<Record<string, string>> = {}) {
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
async function failure(dataDir: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { out, error, code } = await start(dataDir, env);
  expect([out, code]).toEqual(['', 1]);
  const [line = '', ...rest] = error.split('\n');
  expect(rest).toEqual(['']);
  return line;
}

/** A copy of the used folder, damaged by `damage`. */
async function damaged(name: string, damage: (folder: string) => Promise<void>): Promise<string> {
  const folder = path.join(root, name);
  await cp(used, folder, { recursive: true });
  await damage(folder);
  return folder;
}

async function overwrite(file: string, from: number, bytes: number): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.write(Buffer.alloc(bytes, 0x5a), 0, bytes, from);
  await handle.close();
}

const tableFiles = async (folder: string, end: RegExp) =>
  (await readdir(path.join(folder, 'dynamodb')))
    .filter((name) => end.test(name))
    .map((name) => path.join(folder, 'dynamodb', name));

describe('a service that cannot start says why and what to do, in one line', () => {
  it('a port in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const folder = path.join(root, 'port');
    expect(await failure(folder, { PORT: String(port) })).toBe(
      `Not started: port ${port} is in use. Stop what listens there, or set PORT to another one.`,
    );
    expect(await failure(folder, { SVC_METRICS_PORT: String(port) })).toContain(
      'or set SVC_METRICS_PORT to another one.',
    );
    taken.close();
  });

  it('an address of another machine, a wrong variable', async () => {
    const folder = path.join(root, 'address');
    expect(await failure(folder, { SVC_HOST: '192.0.2.1' })).toBe(
      'Not started: this machine does not have the address 192.0.2.1. Set SVC_HOST to one that it has.',
    );
    expect(await failure(folder, { PORT: 'http' })).toBe('Not started: Wrong environment. PORT: must be a number');
  });

  it('a data folder in use', async () => {
    const folder = path.join(root, 'running');
    expect(await failure(folder)).toBe(
      `Not started: the data folder '${folder}' is in use by another svc. Stop that one, or set SVC_DATA_DIR to another folder.`,
    );
  });

  it('a data folder that is a file, below a file, or cannot be created', async () => {
    const file = path.join(root, 'file');
    await writeFile(file, '');
    for (const folder of [file, path.join(file, 'below')]) {
      expect(await failure(folder)).toBe(
        `Not started: the data folder '${folder}' is a file, or below one. Set SVC_DATA_DIR to a folder.`,
      );
    }
    // Root may write everywhere else.
    const closed = process.getuid?.() === 0 ? '/proc/svc' : path.join(root, 'closed', 'data');
    if (!closed.startsWith('/proc')) {
      await cp(used, path.dirname(closed), { recursive: true });
      await chmod(path.dirname(closed), 0o500);
    }
    expect(await failure(closed)).toMatch(
      /^Not started: the data folder '.*' cannot be written \(E[A-Z]+\)\. Make it writable for this user, or set SVC_DATA_DIR/,
    );
  });

  it('tables that cannot be opened or read', async () => {
    const renamed = await damaged('current', (folder) =>
      writeFile(path.join(folder, 'dynamodb/CURRENT'), 'MANIFEST-9\n'),
    );
    expect(await failure(renamed)).toMatch(
      new RegExp(`^Not started: the store '${renamed}/dynamodb' cannot be opened: .*\\. ${FIX}$`),
    );
    const cutOff = await damaged('manifest', async (folder) => {
      for (const file of await tableFiles(folder, /^MANIFEST/)) await truncate(file, 20);
    });
    expect(await failure(cutOff)).toMatch(/cannot be opened: Corruption: /);
    // Starting once more writes the tables into separate files.
    await start(used);
    const blocks = await damaged('blocks', async (folder) => {
      for (const file of await tableFiles(folder, /\.ldb$/)) await truncate(file, 300);
    });
    expect((await tableFiles(blocks, /\.ldb$/)).length).toBeGreaterThan(0);
    expect(await failure(blocks)).toMatch(
      new RegExp(`^Not started: the store '${blocks}/dynamodb' cannot be .*\\. ${FIX}$`),
    );
  });

  it('a damaged end of the log is cut with a warning', async () => {
    const folder = path.join(root, 'tail');
    const first = await start(folder);
    expect(first.out).not.toContain('store cut');
    const [log = ''] = await tableFiles(folder, /\.log$/);
    const { size } = await stat(log);
    await overwrite(log, size - 300, 100);
    const { out } = await start(folder);
    const [cut] = out.split('\n').filter((one) => one.includes('store cut'));
    expect(JSON.parse(cut ?? '{}')).toMatchObject({
      level: 'WARN',
      message: 'store cut',
      store: `${folder}/dynamodb`,
      bytes: expect.any(Number),
    });
  });

  it('tables that have lost their data, instead of starting with empty ones', async () => {
    const lost = await damaged('lost', async (folder) => {
      for (const file of await tableFiles(folder, /./)) await rm(file);
    });
    expect(await failure(lost)).toBe(`Not started: the store '${lost}/dynamodb' has lost its data. ${FIX}`);
  });

  it('damaged queues, lock and secrets', async () => {
    const noise = 'x'.repeat(4_096);
    const queues = await damaged('queues', async (folder) => {
      for (const file of await readdir(path.join(folder, 'sqs'))) await rm(path.join(folder, 'sqs', file));
      await appendFile(path.join(folder, 'sqs/messages.db'), noise);
    });
    expect(await failure(queues)).toBe(
      `Not started: the store '${queues}/sqs/messages.db' cannot be opened: file is not a database. ${FIX}`,
    );
    const lock = await damaged('lock', (folder) => writeFile(path.join(folder, 'lock'), noise));
    expect(await failure(lock)).toBe(
      `Not started: the lock file '${lock}/lock' is damaged (file is not a database). Delete it: it contains no data.`,
    );
    const pepper = await damaged('pepper', (folder) => truncate(path.join(folder, 'pepper'), 10));
    expect(await failure(pepper)).toMatch(/^Not started: the file '.*\/pepper' is damaged\. Restore it/);
  });

  it('a missing pepper, without which the keys are invalid', async () => {
    const folder = await damaged('no-pepper', (copy) => rm(path.join(copy, 'pepper')));
    expect(await failure(folder)).toMatch(
      /^Not started: the file '.*\/pepper' is missing, without which no existing key is valid\. Restore it from a copy, set SVC_PEPPER/,
    );
    await copyFile(path.join(used, 'pepper'), path.join(folder, 'pepper'));
    expect((await start(folder)).out).toContain('ready http');
  });
});

it('a model of a provider without credentials: the error and the log name what to set', async () => {
  const ask = async (model: string) => {
    const response = await fetch(`${service.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.adminKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
    });
    const { error } = (await response.json()) as { error: { message: string } };
    return [response.status, error.message];
  };
  expect(await ask('gpt-4o')).toEqual([502, 'The provider openai is not configured here: set OPENAI_API_KEY.']);
  expect(await ask('bedrock/amazon.nova-pro-v1:0')).toEqual([
    502,
    'The provider bedrock is not configured here: set BEDROCK_API_KEY, or AWS_REGION and AWS credentials.',
  ]);
  const isLogged = (text: string) => eventually(() => service.logs().includes(text) || undefined);
  await isLogged('openai: OPENAI_API_KEY is not set');
  await isLogged('bedrock: neither BEDROCK_API_KEY nor a region with AWS credentials is set');
});
