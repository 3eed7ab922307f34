/** The drill of docs/deploy.md: a stage's tables are lost, and restored into those of a new stage. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { RESTORED_TABLES, restoreTables } from '../../bin/restore/restore-tables.ts';
import { createDynamoClient } from '../../functions/adapters/aws/clients.ts';
import { TABLE_NAMES } from '../../functions/adapters/dynamo/tables.ts';
import { createResources, embeddedAccess } from '../../lib/local/create-resources.ts';
import type { StoresParameter } from '../../lib/settings/stores-parameter.ts';
import { startLocalProcess } from '../contract/local-process.ts';
import type { ProviderSettings, Service } from '../contract/service.ts';
import { type AwsStores, startAwsStores } from '../stores/aws-stores.ts';
import { eventually } from '../support/eventually.ts';

const SVC = path.resolve(import.meta.dirname, '../../bin/svc.ts');
const KEYS = 40;

let folder: string;
let stores: AwsStores;
const running: Service[] = [];
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'svc-drill-'));
  stores = await startAwsStores();
});
afterAll(async () => {
  await Promise.all(running.map((service) => service.stop()));
  await stores?.stop();
  await rm(folder, { recursive: true, force: true });
});

const start = () => startLocalProcess({} as ProviderSettings, { ...stores.settings, SVC_ECHO: 'true' });

async function admin({ adminUrl, adminKey }: Service, method: string, at: string, body?: object) {
  const response = await fetch(`${adminUrl}/admin${at}`, {
    method,
    headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${at}: ${response.status} ${text}`);
  return text === '' ? {} : JSON.parse(text);
}

async function statusWith({ baseUrl }: Service, key: string): Promise<number> {
  const { status } = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'echo', messages: [{ role: 'user', content: 'Hello' }] }),
  });
  return status;
}

/** The status once the stores respond in time: on a busy machine they may be late for so many keys at once. */
function settledStatus(service: Service, key: string): Promise<number> {
  return eventually(
    () => statusWith(service, key),
    (status) => status !== 503,
  );
}

/** Runs `svc restore` as an operator does. */
async function restoreCommand(...args: readonly string[]) {
  const child = spawn(process.execPath, [SVC, 'restore', ...args, '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...stores.settings },
  });
  let [printed, reported] = ['', ''];
  child.stdout.on('data', (bytes: Buffer) => {
    printed += bytes;
  });
  child.stderr.on('data', (bytes: Buffer) => {
    reported += bytes;
  });
  const [code] = await once(child, 'close');
  return { code, reported, result: JSON.parse(printed || '{}') };
}

/** A new stage beside the old one. */
async function newStage(prefix: string): Promise<StoresParameter> {
  const { AWS_ENDPOINT_URL_DYNAMODB: dynamodb = '', AWS_ENDPOINT_URL_SQS: sqs = '' } = stores.settings;
  const { eventsQueueUrl, deliveriesQueueUrl } = await createResources(dynamodb, sqs, prefix);
  return {
    ...stores.parameter,
    tables: Object.fromEntries(TABLE_NAMES.map((name) => [name, `${prefix}${name}`])) as StoresParameter['tables'],
    queues: { events: eventsQueueUrl, deliveries: deliveriesQueueUrl },
  };
}

test('a new stage serves the keys, policies and audit log of the lost one, also if the restore was interrupted', async () => {
  const old = await start();
  running.push(old);
  const secrets: string[] = [];
  let revoked = '';
  for (let at = 0; at < KEYS; at += 1) {
    const { id, key } = await admin(old, 'POST', '/keys', { name: `Key ${at}`, environment: 'Production' });
    secrets.push(key);
    revoked = id;
  }
  await admin(old, 'DELETE', `/keys/${revoked}`);
  await admin(old, 'PUT', '/policy', { preset: 'strict' });
  const policy = await admin(old, 'GET', '/policy');
  const audit = await admin(old, 'GET', '/audit?limit=100');
  expect(await statusWith(old, secrets[0] as string)).toBe(200);
  await old.stop();

  const fresh = await newStage('svc-new-');
  const [from, to] = [path.join(folder, 'old.json'), path.join(folder, 'new.json')];
  await writeFile(from, JSON.stringify(stores.parameter));
  await writeFile(to, JSON.stringify(fresh));
  const progress = path.join(folder, 'progress.json');

  // The first run loses its connection after some writes.
  const dynamo = createDynamoClient(embeddedAccess(stores.settings.AWS_ENDPOINT_URL_DYNAMODB as string));
  let left = KEYS;
  const send = dynamo.send.bind(dynamo) as (command: object) => Promise<never>;
  const failing = {
    send: (command: object) => {
      if (command.constructor.name === 'PutItemCommand' && --left < 0) throw new Error('away');
      return send(command);
    },
  };
  const first = restoreTables({
    dynamo: failing as unknown as typeof dynamo,
    from: stores.parameter.tables,
    to: fresh.tables,
    tables: RESTORED_TABLES,
    at: undefined,
    replaces: false,
    progressFile: progress,
    report: () => {},
  });
  await expect(first).rejects.toThrow('away');

  const second = await restoreCommand('--from', from, '--to', to, '--progress', progress);
  expect([second.code, second.reported]).toEqual([0, expect.stringContaining('keys: ')]);
  const { keys } = second.result;
  // An item for each key and each secret; the admin key's too.
  expect(keys.copied + keys.kept).toBe(2 * (KEYS + 1));
  expect(await readFile(progress, 'utf8')).not.toContain('key_');

  stores.putParameter(JSON.stringify(fresh));
  const restored = await start();
  running.push(restored);
  const statuses = await Promise.all(secrets.map((secret) => settledStatus(restored, secret)));
  expect(statuses).toEqual([...Array(KEYS - 1).fill(200), 401]);
  expect((await admin(restored, 'GET', '/policy')).version).toBe(policy.version);
  const { data } = await admin(restored, 'GET', '/audit?limit=100');
  expect(data.map(({ hash }: { hash: string }) => hash)).toEqual(
    expect.arrayContaining(audit.data.map(({ hash }: { hash: string }) => hash)),
  );
});

test('a target with another pepper is refused before anything is copied', async () => {
  const fresh = await newStage('svc-other-');
  const [from, to] = [path.join(folder, 'from.json'), path.join(folder, 'to.json')];
  const pepper = `${stores.parameter.secrets.sealingKey}`;
  await writeFile(from, JSON.stringify(stores.parameter));
  await writeFile(to, JSON.stringify({ ...fresh, secrets: { ...fresh.secrets, pepper } }));
  const { code, result } = await restoreCommand('--from', from, '--to', to, '--progress', path.join(folder, 'p.json'));
  expect([code, result.error.message]).toEqual([1, expect.stringContaining('so no key would be valid: add it first')]);
  expect(JSON.stringify(result)).not.toContain('ppp');
});
