import { once } from 'node:events';
import { chmod, cp, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testOfLocalRun } from '../../stores/local-run.ts';
import { eventually } from '../../support/eventually.ts';
import { startLocalProcess } from '../local-process.ts';
import type { Service } from '../service.ts';
import { damaged, FIX, failure, root, used } from './failed-starts.ts';

/** No provider has credentials. */
const NONE = { OPENAI_API_KEY: '', OPENAI_BASE_URL: '', ANTHROPIC_API_KEY: '', ANTHROPIC_BASE_URL: '' };
let service: Service;

beforeAll(async () => {
  // With the warm-up, as by default.
  service = await startLocalProcess(NONE, { SVC_DATA_DIR: path.join(root, 'running'), SVC_WARM_UP: '' });
});
afterAll(() => service.stop());

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

  testOfLocalRun('a data folder in use', async () => {
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

  it('tables that cannot be opened', async () => {
    const renamed = await damaged('current', (folder) =>
      writeFile(path.join(folder, 'dynamodb/CURRENT'), 'MANIFEST-9\n'),
    );
    expect(await failure(renamed)).toMatch(
      new RegExp(`^Not started: the store '${renamed}/dynamodb' cannot be opened: .*\\. ${FIX}$`),
    );
  });
});

testOfLocalRun('a model of a provider without credentials: the error and the log name what to set', async () => {
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
  await isLogged('bedrock: neither an API key nor a region with AWS credentials is set');
});
