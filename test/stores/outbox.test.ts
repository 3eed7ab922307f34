import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createDynamoClient,
  createSqsClient,
  type DynamoClient,
  type SqsClient,
} from '../../functions/adapters/aws/clients.ts';
import { createSecretSealer } from '../../functions/adapters/aws/secret-sealer.ts';
import { SqsEventPublisher } from '../../functions/adapters/aws/sqs-queues.ts';
import { DynamoKeyStore } from '../../functions/adapters/dynamo/dynamo-key-store.ts';
import { DynamoOutbox } from '../../functions/adapters/dynamo/dynamo-outbox.ts';
import { DynamoRequestRecords } from '../../functions/adapters/dynamo/dynamo-request-records.ts';
import { DynamoSessionStore } from '../../functions/adapters/dynamo/dynamo-session-store.ts';
import { DynamoWebhookStore } from '../../functions/adapters/dynamo/dynamo-webhook-store.ts';
import { RELAYED_TABLES } from '../../functions/adapters/dynamo/tables.ts';
import { recordOf, T0 } from '../../functions/control/analytics/record.fixture.ts';
import { keyEvent, type StoredKey } from '../../functions/control/keys/index.ts';
import { withTurn } from '../../functions/control/sessions/index.ts';
import { type StoredWebhook, testEvent } from '../../functions/control/webhooks/index.ts';
import { composeEventRelay } from '../../functions/event-relay/compose.ts';
import { type ApiKey, createKeySchema, type GatewayEvent, newEventId } from '../../functions/kernel/model/index.ts';
import { embeddedAccess, LOCAL_TABLES } from '../../lib/local/create-resources.ts';
import { type EmbeddedStores, startEmbeddedStores } from '../../lib/local/embedded-stores.ts';
import { startOutboxStream } from '../../lib/local/table-streams.ts';
import { eventually } from '../support/eventually.ts';
import { byDayOrNight } from '../support/night.ts';
import { toldEvents } from '../support/told-events.ts';
import { makeWebhook } from './store-calls.ts';

const RELAY = path.resolve(import.meta.dirname, '../../lib/local/streams-process.ts');
const KILLS = byDayOrNight(2, 6);
const clock = { now: () => T0, monotonic: () => 0 };
const iso = (ms: number) => new Date(ms).toISOString();

let stores: EmbeddedStores;
let dynamo: DynamoClient;
let sqs: SqsClient;

function use({ dynamodbUrl, sqsUrl }: EmbeddedStores): void {
  Object.assign(process.env, {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: dynamodbUrl,
    AWS_ENDPOINT_URL_SQS: sqsUrl,
  });
}
beforeAll(async () => {
  stores = await startEmbeddedStores();
  use(stores);
  dynamo = createDynamoClient(embeddedAccess(stores.dynamodbUrl));
  sqs = createSqsClient(embeddedAccess(stores.sqsUrl));
});
afterAll(async () => {
  await stores.stop();
});

let made = 0;
function makeKey(): ApiKey {
  made += 1;
  const id = `key_${made}`;
  const fields = createKeySchema.parse({ name: `key ${made}` });
  return { ...fields, id, state: 'active', last4: 'abcd', createdAt: iso(T0 + made), secretHash: `hash of ${id}` };
}
const requestEvent = (requestId: string): GatewayEvent => ({
  id: newEventId(),
  created: iso(T0),
  type: 'threat.detected',
  data: { requestId, keyId: 'key_a', environment: 'Staging' },
});
const keys = () => new DynamoKeyStore(dynamo, 'keys');
const webhooks = () =>
  new DynamoWebhookStore(
    dynamo,
    'webhooks',
    createSecretSealer(async () => 's'.repeat(64)),
    clock,
  );
const records = () =>
  new DynamoRequestRecords({ together: dynamo, alone: dynamo }, 'records', {
    keptDays: 30,
    lingerMs: 5,
    pendingIndex: true,
  });
const sessions = () =>
  new DynamoSessionStore(dynamo, 'sessions', clock, { idleMs: 60_000, readWaitMs: 20_000, joinWaitMs: 20_000 });
const relay = () => composeEventRelay({ eventsQueueUrl: stores.eventsQueueUrl, clearedTables: RELAYED_TABLES });
const told = (...tables: string[]) => toldEvents(dynamo, ...tables);
const idsOf = (events: readonly GatewayEvent[]) => events.map(({ id }) => id);

/** All that is in the queue, as it came. */
async function received(from: SqsClient = sqs, queueUrl = stores.eventsQueueUrl): Promise<string[]> {
  const bodies: string[] = [];
  for (;;) {
    const input = { QueueUrl: queueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 600 };
    const { Messages = [] } = await from.send(new ReceiveMessageCommand(input));
    if (Messages.length === 0) return bodies;
    bodies.push(...Messages.map(({ Body = '' }) => Body));
  }
}
/** Relays what there is. */
async function relayAll(): Promise<void> {
  const stream = startOutboxStream({ client: dynamo, tables: LOCAL_TABLES, deliver: relay(), intervalMs: 60_000 });
  await stream.stop();
}

describe('a write contains its event', () => {
  const key = () => makeKey();
  const keyOf = async (id: string) => (await keys().get(id)) as StoredKey;

  it('when a key is created, changed, rotated, or expires soon', async () => {
    const one = key();
    const events = (['key.created', 'key.updated', 'key.rotated', 'key.expiring'] as const).map((type) =>
      keyEvent(type, one, T0),
    );
    const [created, updated, rotated, expiring] = events as [GatewayEvent, GatewayEvent, GatewayEvent, GatewayEvent];
    await keys().create(one, created);
    await keys().replace(await keyOf(one.id), { ...one, name: 'new' }, updated);
    await keys().replace(await keyOf(one.id), { ...one, secretHash: 'another' }, rotated);
    await keys().emitExpiryEvent({ ...one, secretHash: 'another' }, iso(T0), expiring);
    expect(idsOf(await told('keys')).sort()).toEqual(idsOf(events).sort());
    await relayAll();
    expect((await received()).sort()).toEqual(events.map((event) => JSON.stringify(event)).sort());
    expect(await told('keys')).toEqual([]);
    expect(await keyOf(one.id)).toMatchObject({ key: { secretHash: 'another' }, expiryTold: iso(T0), version: 3 });
  });

  it('but not when a change is refused after a conflict', async () => {
    const one = key();
    await keys().create(one);
    const read = await keyOf(one.id);
    await keys().replace(read, { ...one, name: 'first' });
    expect(await keys().replace(read, one, keyEvent('key.updated', one, T0))).toBe(false);
    expect(await keys().replace(read, { ...one, secretHash: 'x' }, keyEvent('key.rotated', one, T0))).toBe(false);
    expect(await told('keys')).toEqual([]);
  });

  it('even if a secret expires before its creation was relayed', async () => {
    const one = key();
    await keys().create(one);
    const rotate = async (secretHash: string, retired: string[]) => {
      const read = await keyOf(one.id);
      const retiredSecrets = retired.map((hash) => ({ hash, last4: 'abcd', validUntil: iso(T0) }));
      const event = keyEvent('key.rotated', one, T0);
      await keys().replace(read, { ...read.key, secretHash, retiredSecrets }, event);
      return event.id;
    };
    const [first, second] = [await rotate('b', [one.secretHash]), await rotate('c', [])];
    expect(idsOf(await told('keys')).sort()).toEqual([first, second].sort());
    await relayAll();
    expect(await received()).toHaveLength(2);
  });

  it('when a session is flagged, by name or by end user', async () => {
    const joined = await sessions().join('key_a', 'ann');
    const refs = [
      { keyId: 'key_a', name: 's' },
      { keyId: 'key_a', endUserId: 'ann', sessionId: joined.sessionId },
    ];
    const events = refs.map((_, at) => requestEvent(`req_${at}`));
    for (const [at, ref] of refs.entries()) {
      await sessions().update(
        ref,
        (known) => ({ ...withTurn(known, 0.9, T0), flaggedAt: T0 }),
        () => events[at],
      );
      await sessions().update(ref, (known) => withTurn(known, 0.4, T0));
    }
    expect(idsOf(await told('sessions')).sort()).toEqual(idsOf(events).sort());
    expect(await sessions().read('key_a', 's')).toMatchObject({ highest: 0.9, flaggedAt: T0 });
    await relayAll();
    expect(await received()).toHaveLength(2);
    expect(await sessions().read('key_a', 's')).toMatchObject({ highest: 0.9, flaggedAt: T0 });
  });

  it('when a webhook is tested, or disabled, once', async () => {
    const webhook = makeWebhook();
    await webhooks().create(webhook);
    const test = testEvent(webhook.id, T0);
    await webhooks().replace((await webhooks().find(webhook.id)) as StoredWebhook, webhook, test);
    const disabled = await Promise.all([1, 2].map(() => webhooks().disable(webhook, 'gone')));
    expect(disabled.sort()).toEqual([false, true]);
    const events = await told('webhooks');
    expect(events.map(({ type }) => type).sort()).toEqual(['webhook.disabled', 'webhook.test']);
    expect(JSON.stringify(events)).not.toContain('whsec_');
    expect(events.find(({ type }) => type === 'webhook.disabled')?.data).toMatchObject({
      id: webhook.id,
      disabledReason: 'gone',
    });
    await relayAll();
    expect(await received()).toHaveLength(2);
  });
});

describe('an outbox', () => {
  it('is not cleared if events were added after the read', async () => {
    const one = makeKey();
    const events = [1, 2].map(() => keyEvent('key.updated', one, T0));
    await keys().create(one, events[0]);
    const read = { table: 'keys', key: { pk: `secret#${one.secretHash}` }, events: [JSON.stringify(events[0])] };
    await keys().replace((await keys().get(one.id)) as StoredKey, one, events[1]);
    const outbox = new DynamoOutbox(dynamo, ['keys']);
    await outbox.clear(read);
    expect(idsOf(await told('keys'))).toEqual(idsOf(events));
    await outbox.clear({ ...read, events: events.map((event) => JSON.stringify(event)) });
    expect(await told('keys')).toEqual([]);
    // What comes next is another list, though as long.
    await keys().replace((await keys().get(one.id)) as StoredKey, one, events[1]);
    await outbox.clear(read);
    expect(idsOf(await told('keys'))).toEqual([events[1]?.id]);
    await relayAll();
    expect(await received()).toHaveLength(1);
  });

  it('of a table whose items expire stays unchanged', async () => {
    const event = requestEvent('req_1');
    await records().write(recordOf(), event);
    const cleared = composeEventRelay({ eventsQueueUrl: stores.eventsQueueUrl, clearedTables: ['keys'] });
    const stream = startOutboxStream({ client: dynamo, tables: LOCAL_TABLES, deliver: cleared, intervalMs: 60_000 });
    await stream.stop();
    expect(idsOf(await told('records'))).toEqual([event.id]);
    await relayAll();
    expect(new Set(await received())).toEqual(new Set([JSON.stringify(event)]));
  });
});

it('many events are sent in batches that the queue accepts, at any size', async () => {
  const small = Array.from({ length: 23 }, (_, at) => JSON.stringify({ id: `evt_${at}` }));
  const large = Array.from({ length: 9 }, (_, at) => JSON.stringify({ id: `evt_l${at}`, text: 'ä'.repeat(32_000) }));
  await new SqsEventPublisher(sqs, stores.eventsQueueUrl).publish([...small, ...large]);
  expect((await received()).sort()).toEqual([...small, ...large].sort());
});

describe('a relay that is killed (SIGKILL) again and again', () => {
  const start = async (): Promise<ChildProcess> => {
    const child = fork(RELAY, [], {
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
      env: {
        ...process.env,
        SVC_EVENTS_QUEUE_URL: stores.eventsQueueUrl,
        SVC_TABLES: JSON.stringify(LOCAL_TABLES),
      },
      execArgv: [],
    });
    await once(child, 'message');
    return child;
  };

  it('relays everything that was written, and nothing else', async () => {
    const expected: GatewayEvent[] = [];
    const write = async () => {
      const store = records();
      const events = Array.from({ length: 60 }, (_, at) => requestEvent(`req_${expected.length + at}`));
      const key = makeKey();
      const made = keyEvent('key.created', key, T0);
      expected.push(...events, made);
      await Promise.all([
        ...events.map((event) => store.write(recordOf(), event)),
        // And some without events.
        ...events.map(() => store.write(recordOf())),
        keys().create(key, made),
      ]);
    };
    for (let round = 0; round < KILLS; round += 1) {
      const [child] = await Promise.all([start(), write()]);
      // Somewhere on its way through what is there.
      await new Promise((resolve) => setTimeout(resolve, round * 25));
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    const last = await start();
    await eventually(async () => (await told('records', 'keys')).length === 0);
    last.kill('SIGTERM');
    await once(last, 'exit');
    expect(await told('records', 'keys')).toEqual([]);
    expect(new Set(await received())).toEqual(new Set(expected.map((event) => JSON.stringify(event))));
  });
});

it('the local queue keeps its messages through a restart', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'svc-queue-'));
  const first = await startEmbeddedStores(folder);
  const event = JSON.stringify(requestEvent('req_1'));
  const clientOf = ({ sqsUrl }: EmbeddedStores) => createSqsClient(embeddedAccess(sqsUrl));
  await new SqsEventPublisher(clientOf(first), first.eventsQueueUrl).publish([event]);
  await first.stop();
  const second = await startEmbeddedStores(folder);
  expect(await received(clientOf(second), second.eventsQueueUrl)).toEqual([event]);
  await second.stop();
  await rm(folder, { recursive: true, force: true });
});
