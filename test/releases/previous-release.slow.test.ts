import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createDynamoClient } from '../../functions/adapters/aws/clients.ts';
import { TABLE_NAMES } from '../../functions/adapters/dynamo/tables.ts';
import { FINDINGS_EVENTS } from '../../functions/kernel/model/index.ts';
import { embeddedAccess } from '../../lib/local/create-resources.ts';
import { type EmbeddedStores, startEmbeddedStores } from '../../lib/local/embedded-stores.ts';
import { startLocalProcess } from '../contract/local-process.ts';
import type { Service } from '../contract/service.ts';
import { eventually } from '../support/eventually.ts';
import { Issuer } from '../support/issuer.ts';
import { type MockUpstream, startMockUpstream } from '../support/mock-upstream/start-mock-upstream.ts';
import { ITEM_KINDS, kindOf } from './item-kinds.ts';
import { type Messages, type Queues, startQueues } from './queues.ts';
import { changeEverything, Reader, readEverything, repeatRequests } from './read-back.ts';
import { buildRelease, PREVIOUS_RELEASE, type Release } from './release.ts';
import { keyOf, readTables } from './stored-items.ts';
import {
  type Call,
  callerOf,
  endSignIn,
  providersAt,
  SECRETS,
  type SigningIn,
  type Stored,
  signInAt,
  startSignIn,
  storeEverything,
  storeUnrelayed,
} from './traffic.ts';

/** A canary: this release and the one before it on the same tables and queues. */
let stores: EmbeddedStores;
let queues: Queues;
let issuer: Issuer;
let upstream: MockUpstream;
let release: Release;
let services: Readonly<Record<'current' | 'previous', Service>>;
let calls: Readonly<Record<'current' | 'previous', Call>>;
let stored: Stored;
/** Messages of this release: the previous one has changed nothing yet. */
let written: Messages;

beforeAll(async () => {
  release = buildRelease(PREVIOUS_RELEASE);
  stores = await startEmbeddedStores();
  upstream = await startMockUpstream();
  queues = await startQueues();
  issuer = new Issuer(Date.now);
  await issuer.start();
  const tables = { AWS_ENDPOINT_URL_DYNAMODB: stores.dynamodbUrl, AWS_ENDPOINT_URL_SQS: queues.url };
  // Browsers reach both under one address.
  const at = { ...tables, ...signInAt(issuer), SVC_DASHBOARD_URL: 'http://127.0.0.1:4000' };
  const start = (settings: object, entry?: string) =>
    startLocalProcess(providersAt(upstream), { ...SECRETS, ...at, ...settings }, entry);
  const current = await start({});
  const SVC_ADMIN_KEY = current.adminKey;
  services = { current, previous: await start({ SVC_ADMIN_KEY }, release.entry) };
  calls = {
    current: callerOf({ ...services.current, adminKey: SVC_ADMIN_KEY }),
    previous: callerOf({ ...services.previous, adminKey: SVC_ADMIN_KEY }),
  };
  stored = await storeEverything(calls.current, SVC_ADMIN_KEY, issuer);
  written = queues.messages;
  // Read by either release from the queue and the outboxes.
  await storeUnrelayed(calls.current, stored);
});
afterAll(async () => {
  await services?.previous.stop();
  await services?.current.stop();
  await upstream?.close();
  await queues?.close();
  issuer?.stop();
  await stores?.stop();
  release?.remove();
});

test('each item that this release stores has a kind', async () => {
  const tables = await readTables(createDynamoClient(embeddedAccess(stores.dynamodbUrl)));
  const all = TABLE_NAMES.flatMap((table) =>
    (tables[table] ?? []).map((item) => ({ table, key: keyOf(item), kind: kindOf(table, item) })),
  );
  expect(all.filter(({ kind }) => kind === undefined)).toEqual([]);
  // Whether these are there depends on the time: an event leaves its item, a digest closes, an endpoint fails.
  const brief = [
    'key with an event',
    'record with an event',
    'digest',
    'gathered delivery',
    'failing webhook',
    'webhook',
  ];
  const kinds = TABLE_NAMES.flatMap((table) => ITEM_KINDS[table].filter(({ noSample }) => noSample === undefined));
  const missing = kinds.filter((kind) => !brief.includes(kind.name) && !all.some((item) => item.kind === kind));
  expect(missing.map(({ name }) => name)).toEqual([]);
});

const span = () => {
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  return { from: day(Date.now() - 86_400_000), to: day(Date.now() + 2 * 86_400_000) };
};

test('the previous release reads and lists what this release stores', async () => {
  const reader = await Reader.start(calls.previous, services.previous.baseUrl);
  await readEverything(reader, span());
  expect(reader.faults).toEqual([]);
});

test.each(['previous', 'current'] as const)(
  'the %s release repeats responses and finds ids of the other',
  async (name) => {
    const { replay, long, responseId, itemId, chat } = await repeatRequests(calls[name], stored);
    expect(replay).toEqual([200, 'true', stored.repeated.text]);
    expect(long).toEqual([200, 'true', true]);
    for (const reply of [responseId, itemId, chat]) expect([reply?.status, reply?.text]).toEqual([200, reply?.text]);
  },
);

test.each(['previous', 'current'] as const)('the %s release accepts a dashboard session of the other', async (name) => {
  for (const cookie of [stored.cookie ?? '', stored.personCookie ?? '']) {
    const { status } = await calls[name]('GET', '/admin/session', undefined, { key: '', headers: { cookie } });
    expect(status).toBe(200);
  }
});

test.each([
  ['previous', 'current'],
  ['current', 'previous'],
] as const)("a person's sign-in that begins at the %s release ends at the %s one", async (first, second) => {
  const begun = (await startSignIn(calls[first])) as SigningIn;
  const { status, location, cookie } = await endSignIn(calls[second], begun, issuer);
  expect([status, location]).toEqual([303, '/']);
  for (const call of [calls.current, calls.previous])
    expect((await call('GET', '/admin/session', undefined, { key: '', headers: { cookie } })).status).toBe(200);
});

test('the previous release processes the messages that this release sends', async () => {
  // Where that release has them.
  const { deliveredEventSchema, eventBody } = await release.load('functions/core/webhooks/delivered-event.ts');
  const { exportFindings } = await release.load('functions/core/findings/export-findings.ts');
  const events = written.filter((body) => !body.startsWith('{"wake":'));
  const types = new Set(events.map((body) => JSON.parse(body).type));
  expect([...types]).toEqual(expect.arrayContaining(['threat.detected', 'request.blocked', 'key.created']));
  expect(written.length).toBeGreaterThan(events.length);
  for (const body of events)
    expect(JSON.parse(eventBody(deliveredEventSchema.parse(JSON.parse(body))))).toEqual(JSON.parse(body));
  const sent: unknown[] = [];
  const target = {
    ...{ maxFindings: 1_000, maxBytes: 1e9, maxFindingBytes: 1e9 },
    send: async (findings: readonly unknown[]) => {
      sent.push(...findings);
      return [];
    },
  };
  const findings = events.filter((body) => FINDINGS_EVENTS.includes(JSON.parse(body).type));
  const messages = findings.map((body, at) => ({ id: String(at), body }));
  expect(await exportFindings(messages, { target, clock: { now: () => 0, monotonic: () => 0 } })).toEqual(new Map());
  expect(sent.length).toBeGreaterThanOrEqual(findings.length);
});

test('the previous release counts the records that this release stores', async () => {
  const { toBatch } = await release.load('functions/usage-counter/compose.ts');
  const { assertCountable } = await release.load('functions/core/analytics/count-records.ts');
  const { records = [] } = await readTables(createDynamoClient(embeddedAccess(stores.dynamodbUrl)));
  const images = records.filter(({ record }) => record !== undefined);
  const Records = images.map((NewImage, at) => ({
    eventName: 'INSERT',
    dynamodb: { SequenceNumber: String(at), NewImage },
  }));
  const skipped: unknown[] = [];
  const check = (record: unknown) => assertCountable(record, { aggregateDays: 400, sessionDays: 30 });
  const { deliveries } = toBatch({ Records, shardId: 'shard' }, check, (_: string, error: unknown) =>
    skipped.push(error),
  );
  expect([skipped, deliveries.length]).toEqual([[], images.length]);
});

test('both releases settle the limits of one key', async () => {
  const limits = { tokenLimit: { tokens: 1_000_000, period: 'day' }, budget: { usd: 100, period: 'month' } };
  const fields = { name: 'Both', rateLimit: { requests: 100, period: 'day' }, maxConcurrent: 4, ...limits };
  const { json: made } = await calls.current('POST', '/admin/keys', fields);
  const body = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hello' }] };
  const ask = (at: number) =>
    calls[at % 2 === 0 ? 'current' : 'previous']('POST', '/chat/completions', body, { key: made.key });
  const statuses: number[] = [];
  for (let at = 0; at < 40; at += 4) {
    const replies = await Promise.all([ask(at), ask(at + 1)]);
    statuses.push(...replies.map(({ status }) => status));
  }
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  // Nothing stays reserved but what a busy store did not confirm in time, which both releases log.
  const item = async () => {
    const get = new GetCommand({ TableName: 'limits', Key: { pk: made.id }, ConsistentRead: true });
    return (await createDynamoClient(embeddedAccess(stores.dynamodbUrl)).send(get)).Item ?? {};
  };
  const logs = () => services.current.logs() + services.previous.logs();
  const unsettled = () =>
    logs()
      .split('\n')
      .filter((line) => line.includes('use not counted') && line.includes(made.id));
  await eventually(async () => (await item()).open <= unsettled().length);
  expect(await ask(0)).toMatchObject({ status: 200 });
});

test('the previous release changes what this release stores, and this release reads the result', async () => {
  const previous = await Reader.start(calls.previous, services.previous.baseUrl);
  await changeEverything(previous, span());
  expect(previous.faults).toEqual([]);
  const current = await Reader.start(calls.current, services.current.baseUrl);
  await readEverything(current, span());
  expect(current.faults).toEqual([]);
});
