/** Three containers with one set of tables, of which one at a time is killed under load. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { RequestRecord, Summary } from '../../../functions/contract/index.ts';
import { mintApiKey } from '../../../functions/control/keys/index.ts';
import { type Admin, adminOf } from '../../faults/administer.ts';
import { Instance } from '../../faults/instance.ts';
import { type AwsStores, startAwsStores } from '../../stores/aws-stores.ts';
import { readList } from '../../support/compare-analytics.ts';
import { eventually } from '../../support/eventually.ts';
import { type MockUpstream, startMockUpstream } from '../../support/mock-upstream/start-mock-upstream.ts';
import { buildLocalService } from '../local-process.ts';

const INSTANCES = [0, 1, 2];
/** Fewer than are sent while containers are killed. */
const LIMIT = 120;
const CONCURRENT = 6;
const CALLERS = 11;
/** Callers of the limited key: more than may run at once. */
const MORE = 8;
/** A record is written within 25 ms and a write. A busy machine takes longer. */
const WRITTEN_MS = 2_000;
/** Reservations of a killed container end 15 to 17.5 minutes later. */
const EXPIRY_MS = 20 * 60_000;
const BLOCKED = 'SVC-TEST-BLOCK-7f3a';

/** A request, what came of it, and when. */
interface Sent {
  readonly instance: number;
  readonly keyId: string;
  readonly at: number;
  readonly status: number | undefined;
  readonly id: string | undefined;
}

let stores: AwsStores;
let upstream: MockUpstream;
let receiver: Server;
let folder: string;
let instances: Instance[];
let admin: Admin;
const sent: Sent[] = [];
const killed: { readonly instance: number; readonly from: number; readonly to: number }[] = [];
/** Events by id: one may report several. */
const delivered = new Map<string, number>();
let running = 0;
let mostRunning = 0;
let holding = 0;

const serving = () => instances.flatMap(({ number, baseUrl }) => (baseUrl === undefined ? [] : [{ number, baseUrl }]));

beforeAll(async () => {
  buildLocalService();
  stores = await startAwsStores();
  upstream = await startMockUpstream({
    record: false,
    behave: ({ body }, closed) => {
      if (body.includes('HOLD')) {
        holding += 1;
        return { failure: 'stall-before-head' };
      }
      if (body.includes('Limited')) {
        running += 1;
        mostRunning = Math.max(mostRunning, running);
        void closed.then(() => {
          running -= 1;
        });
      }
      return { headDelayMs: 100 };
    },
  });
  const settings = { OPENAI_API_KEY: 'sk-killed-test', OPENAI_BASE_URL: `${upstream.url}/v1` };
  stores.secrets.put(stores.parameter.secrets.providers, JSON.stringify(settings));
  receiver = createServer(async (request, response) => {
    let body = '';
    for await (const bytes of request) body += bytes;
    const { id, data } = JSON.parse(body) as { id: string; data: { count?: number } };
    delivered.set(id, data.count ?? 1);
    response.writeHead(204).end();
  });
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  folder = await mkdtemp(path.join(tmpdir(), 'svc-killed-'));
  const adminKey = mintApiKey();
  instances = INSTANCES.map(
    (number) =>
      new Instance({
        number,
        name: path.basename(folder),
        folder,
        env: { ...stores.settings, SVC_ADMIN_KEY: adminKey, SVC_WARM_UP: 'false' },
        standstills: path.join(folder, 'standstills'),
        onStart: () => () => {},
      }),
  );
  for (const instance of instances) await instance.start();
  admin = adminOf(adminKey, serving);
});
afterAll(async () => {
  await Promise.all((instances ?? []).map((instance) => instance.stop()));
  receiver?.close();
  await upstream?.close();
  await stores?.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

function anyOf<T>(list: readonly T[]): T {
  return list[Math.floor(Math.random() * list.length)] as T;
}

async function send(keyId: string, key: string, text: string, to?: Instance): Promise<Sent> {
  const [{ number: instance, baseUrl }] = to === undefined ? [anyOf(serving())] : [to];
  const outcome = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: text }] }),
  })
    .then(async (response) => {
      await response.arrayBuffer();
      return { status: response.status, id: response.headers.get('x-request-id') ?? undefined };
    })
    .catch(() => ({ status: undefined, id: undefined }));
  const done = { instance, keyId, at: performance.now(), ...outcome };
  sent.push(done);
  return done;
}

const createKey = (limits: object) => admin.post<{ id: string; key: string }>('/keys', { name: 'killed', ...limits });

test('nothing recorded is lost, limits are never exceeded, and reservations come back', async () => {
  await admin.post('/webhooks', {
    url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
    events: ['request.blocked'],
  });
  const limited = await createKey({ rateLimit: { requests: LIMIT, period: 'month' }, maxConcurrent: CONCURRENT });
  const open = await createKey({ rateLimit: { requests: 1_000_000, period: 'month' }, maxConcurrent: null });
  let loaded = true;
  const callers = Array.from({ length: CALLERS }, async (_, caller) => {
    const { id, key } = caller < MORE ? limited : open;
    for (let count = 0; loaded; count += 1) {
      const text = caller < MORE ? 'Limited' : count % 10 === 0 ? BLOCKED : 'Hello';
      const { status } = await send(id, key, text);
      // As a client that waits before it tries again.
      if (status !== 200) await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
  for (const instance of instances) {
    const before = sent.length;
    await eventually(() => sent.length > before + 60);
    const from = performance.now();
    await instance.kill();
    killed.push({ instance: instance.number, from, to: performance.now() });
    await eventually(() => sent.length > before + 90);
    await instance.startAgain();
  }
  await eventually(() => sent.filter(({ keyId, status }) => keyId === limited.id && status === 429).length > 20);
  loaded = false;
  await Promise.all(callers);

  const finished = sent.filter(({ status, id }) => status === 200 && id !== undefined);
  expect(finished.filter(({ keyId }) => keyId === limited.id).length).toBeLessThanOrEqual(LIMIT);
  expect(mostRunning).toBeLessThanOrEqual(CONCURRENT);
  expect(finished.filter(({ keyId }) => keyId === open.id).length).toBeGreaterThan(30);

  /** A kill loses only what its container had not written yet. */
  const mustBeRecorded = finished.filter(
    ({ instance, at }) =>
      !killed.some(({ instance: one, from, to }) => one === instance && at > from - WRITTEN_MS && at <= to),
  );
  expect(mustBeRecorded.length).toBeGreaterThan(finished.length / 2);
  const records = await eventually(
    () => readList<RequestRecord>(admin.read, '/analytics/requests'),
    (list) => mustBeRecorded.every(({ id }) => list.some((record) => record.id === id)),
  );
  expect(new Set(records.map(({ id }) => id)).size).toBe(records.length);
  const { requests } = await eventually(
    () => admin.read<Summary>('/analytics/summary'),
    (summary) => summary.requests === records.length,
  );
  expect(requests).toBe(records.length);
  const blocked = records.filter(({ action }) => action === 'block');
  expect(blocked.length).toBeGreaterThan(0);
  const reported = () => [...delivered.values()].reduce((sum, count) => sum + count, 0);
  await eventually(() => reported() >= blocked.length);
  expect(reported()).toBe(blocked.length);
});

test('reservations of a killed container hold until they expire, and then come back', async () => {
  const { id, key } = await createKey({ maxConcurrent: 2 });
  const [one, ...others] = instances as [Instance, ...Instance[]];
  const held = [1, 2].map(() => send(id, key, 'HOLD', one));
  await eventually(() => holding === 2);
  const [other] = others as [Instance];
  expect((await send(id, key, 'Hello', other)).status).toBe(429);
  await one.kill();
  await Promise.all(held);
  expect((await send(id, key, 'Hello', other)).status).toBe(429);
  await Promise.all(others.map((instance) => instance.setClock(EXPIRY_MS)));
  await eventually(async () => (await send(id, key, 'Hello', other)).status === 200);
});
