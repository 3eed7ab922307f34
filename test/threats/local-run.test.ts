import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openDataFolder } from '../../lib/local/data-folder.ts';
import { type EmbeddedStores, startEmbeddedStores } from '../../lib/local/embedded-stores.ts';
import { ENTRY, startLocalProcess } from '../contract/local-process.ts';
import { PLANTED, type ProviderSettings, type Service } from '../contract/service.ts';
import { DEADLINE_MS } from '../support/eventually.ts';

let folder: string;
let service: Service;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'svc-threats-'));
  // As an earlier version or an open umask would have left it.
  await mkdir(path.join(folder, 'data'), { mode: 0o777 });
  await chmod(path.join(folder, 'data'), 0o777);
  service = await startLocalProcess({ OPENAI_API_KEY: PLANTED.openaiKey } as ProviderSettings, {
    SVC_DATA_DIR: path.join(folder, 'data'),
    SVC_ALLOWED_HOSTS: 'gateway.internal',
    // The embedded stores, also where the run asks for DynamoDB Local.
    AWS_ENDPOINT_URL_DYNAMODB: '',
  });
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

/** A request with any `Host`, which fetch does not allow. */
async function send(
  address: string,
  options: http.RequestOptions,
  body = '',
): Promise<{ status: number; body: string }> {
  const request = http.request(address, options).end(body);
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  return { status: response.statusCode ?? 0, body: await text(response) };
}

describe('the embedded stores', () => {
  let stores: EmbeddedStores;
  beforeAll(async () => {
    stores = await startEmbeddedStores();
  });
  afterAll(() => stores.stop());

  const scan = (address: string, headers: Record<string, string> = {}) =>
    fetch(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': 'DynamoDB_20120810.ListTables',
        authorization:
          'AWS4-HMAC-SHA256 Credential=local/20261122/eu-central-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
        'x-amz-date': '20261122T000000Z',
        ...headers,
      },
      body: '{}',
    });

  test.each(['dynamodbUrl', 'sqsUrl'] as const)(
    'answer nobody who does not know the secret of this start: %s',
    async (name) => {
      const { origin } = new URL(stores[name]);
      for (const address of [origin, `${origin}/`, `${origin}/${'0'.repeat(64)}/`, `${origin}//`]) {
        const response = await scan(address);
        expect([address, response.status, await response.text()]).toEqual([address, 403, '']);
      }
    },
  );

  test.each(['dynamodbUrl', 'sqsUrl'] as const)('accept no request of a page in a browser: %s', async (name) => {
    const response = await scan(stores[name], { origin: 'https://page.example' });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([403, null]);
    const preflight = await fetch(stores[name], { method: 'OPTIONS', headers: { origin: 'https://page.example' } });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([403, null]);
  });

  test('serve the service, whose URL has the secret', async () => {
    const response = await scan(stores.dynamodbUrl);
    expect([response.status, JSON.parse(await response.text()).TableNames]).toEqual([
      200,
      expect.arrayContaining(['keys']),
    ]);
  });
});

test('the process of the stores does not have the keys of providers', async () => {
  const children = await readFile(`/proc/${service.pid}/task/${service.pid}/children`, 'utf8');
  const environments = await Promise.all(
    children
      .trim()
      .split(' ')
      .map(async (pid) => [
        await readFile(`/proc/${pid}/cmdline`, 'utf8'),
        await readFile(`/proc/${pid}/environ`, 'utf8'),
      ]),
  );
  const ofStores = environments.filter(([command]) => command?.includes('stores'));
  expect(ofStores).toHaveLength(1);
  // As a boolean: an environment is not for a report.
  expect(ofStores[0]?.[1]?.includes(PLANTED.openaiKey)).toBe(false);
});

describe('the local service', () => {
  const ask = (host: string, address = `${service.baseUrl}/admin/keys`) =>
    send(address, { headers: { host, authorization: `Bearer ${service.adminKey}` } });

  test.each([
    'page.example',
    'page.example:8787',
    '127.0.0.1.page.example',
    'localhost.page.example',
    'notlocalhost',
    '127.0.0.1@page.example',
    'a.gateway.internal',
  ])('refuses a host that is not its own, whatever key comes with it: %s', async (host) => {
    const { status, body } = await ask(host);
    expect([status, JSON.parse(body).error.code]).toEqual([403, 'insufficient_permissions']);
    const models = await ask(host, `${service.baseUrl}/models`);
    expect(models.status).toBe(403);
  });

  test.each([
    '127.0.0.1',
    'localhost:1234',
    'app.localhost',
    '[::1]:8787',
    'host.docker.internal:8787',
    'LOCALHOST',
    'gateway.internal:8787',
  ])('serves its own names and addresses: %s', async (host) => {
    expect((await ask(host)).status).toBe(200);
  });
});

describe('the data folder', () => {
  const modes = async (place: string): Promise<Record<string, number>> => {
    const entries = await readdir(place, { recursive: true, withFileTypes: true });
    const all = entries.map(async (entry) => {
      const { mode } = await stat(path.join(entry.parentPath, entry.name));
      return [
        path.relative(place, path.join(entry.parentPath, entry.name)),
        mode & 0o777,
        entry.isDirectory(),
      ] as const;
    });
    const open = (await Promise.all(all)).filter(([, mode, isFolder]) => mode !== (isFolder ? 0o700 : 0o600));
    return Object.fromEntries(open.map(([name, mode]) => [name, mode]));
  };

  test('is readable only by its owner, with all files', async () => {
    const data = path.join(folder, 'data');
    expect((await stat(data)).mode & 0o777).toBe(0o700);
    expect(await readdir(data)).toEqual(expect.arrayContaining(['dynamodb', 'pepper', 'sealing-key', 'sqs']));
    expect(await modes(data)).toEqual({});
  });

  test('of an earlier version is closed to others, and a folder with other files keeps its mode', async () => {
    const shared = path.join(folder, 'shared');
    await mkdir(path.join(shared, 'dynamodb'), { recursive: true });
    await writeFile(path.join(shared, 'dynamodb', 'CURRENT'), '', { mode: 0o644 });
    await writeFile(path.join(shared, 'script.sh'), '', { mode: 0o755 });
    await chmod(shared, 0o755);
    await openDataFolder(shared);
    expect(await modes(shared)).toEqual({ 'script.sh': 0o755 });
    expect((await stat(shared)).mode & 0o777).toBe(0o755);
  });

  test('that another svc uses is refused with a message, and the other one continues', async () => {
    const { status, stderr } = spawnSync(process.execPath, [ENTRY], {
      env: { PATH: process.env.PATH, PORT: '0', SVC_DATA_DIR: path.join(folder, 'data') },
      encoding: 'utf8',
      timeout: DEADLINE_MS,
    });
    expect([status, stderr]).toEqual([
      1,
      `Not started: the data folder '${path.join(folder, 'data')}' is in use by another svc. Stop that one, or set SVC_DATA_DIR to another folder.\n`,
    ]);
    expect((await fetch(new URL('/readyz', service.baseUrl))).status).toBe(200);
  });
});

test('the session cookie of a dashboard with https is sent over https only, by its host', async () => {
  const https = await startLocalProcess({} as ProviderSettings, { SVC_DASHBOARD_URL: 'https://svc.example.com' });
  try {
    const cookies = await Promise.all(
      [https, service].map(async ({ baseUrl, adminKey }) => {
        const response = await fetch(`${baseUrl}/admin/session`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
          body: JSON.stringify({ key: adminKey }),
        });
        return response.headers.get('set-cookie');
      }),
    );
    expect(cookies).toEqual([
      expect.stringMatching(/^__Host-svc_session=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict; Secure$/),
      expect.stringMatching(/^svc_session=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict$/),
    ]);
  } finally {
    await https.stop();
  }
});
