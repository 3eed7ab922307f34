import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  BACKGROUND_ONCE,
  BACKGROUND_RETRIES,
  createDynamoClient,
  type DynamoClient,
  TRY_ONCE,
} from '../../functions/adapters/aws/clients.ts';
import { createSecretSealer } from '../../functions/adapters/aws/secret-sealer.ts';
import { DynamoAggregates } from '../../functions/adapters/dynamo/dynamo-aggregates.ts';
import { DynamoAuditLog } from '../../functions/adapters/dynamo/dynamo-audit-log.ts';
import { DynamoCancellationStore } from '../../functions/adapters/dynamo/dynamo-cancellation-store.ts';
import { DynamoEndUserData } from '../../functions/adapters/dynamo/dynamo-end-user-data.ts';
import { DynamoIdempotencyStore } from '../../functions/adapters/dynamo/dynamo-idempotency-store.ts';
import { DynamoIssuedIds } from '../../functions/adapters/dynamo/dynamo-issued-ids.ts';
import { DynamoKeyStore } from '../../functions/adapters/dynamo/dynamo-key-store.ts';
import { DynamoLimitStore } from '../../functions/adapters/dynamo/dynamo-limit-store.ts';
import { DynamoOutbox } from '../../functions/adapters/dynamo/dynamo-outbox.ts';
import { DynamoPolicyStore } from '../../functions/adapters/dynamo/dynamo-policy-store.ts';
import {
  DynamoCaptureStore,
  DynamoRecordReader,
  DynamoRequestRecords,
} from '../../functions/adapters/dynamo/dynamo-request-records.ts';
import { DynamoSessionStore } from '../../functions/adapters/dynamo/dynamo-session-store.ts';
import { DynamoWebhookStore } from '../../functions/adapters/dynamo/dynamo-webhook-store.ts';
import { countRecords } from '../../functions/core/analytics/count-records.ts';
import { recordOf, T0 } from '../../functions/core/analytics/record.fixture.ts';
import { StoreUnavailable } from '../../functions/core/base/errors.ts';
import { keyEvent } from '../../functions/core/keys/make-key.ts';
import { reservedFor, settlementOf } from '../../functions/core/limits/limit-store.ts';
import { limitsOf, NO_NEED, windowOf } from '../../functions/core/limits/limits.ts';
import type { RecordedFinding, RequestRecord } from '../../functions/core/model/analytics.ts';
import { type ApiKey, createKeySchema } from '../../functions/core/model/api-key.ts';
import type { AuditFact } from '../../functions/core/model/audit.ts';
import type { Webhook } from '../../functions/core/model/webhook.ts';
import { withTurn } from '../../functions/core/sessions/suspicion.ts';
import { mintWebhookSecret, newWebhookId } from '../../functions/core/webhooks/webhook-store.ts';
import { type Fault, startFaultyStore } from '../support/faulty-store.ts';
import { toldEvents } from '../support/told-events.ts';
import { availableEngines } from './engines.ts';

Object.assign(process.env, { AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' });

const clock = { now: () => T0, monotonic: () => 0 };
/** Without the deadlines of a request, so that a busy machine fails no test. */
const PATIENT = { idleMs: 1_800_000, readWaitMs: 20_000, joinWaitMs: 20_000 };
const iso = (ms: number) => new Date(ms).toISOString();
const FINDING: RecordedFinding = {
  type: 'jailbreak',
  rule: 'jailbreak/persona',
  severity: 'high',
  score: 0.9,
  action: 'flag',
  location: { part: 'input', message: 0, field: 'messages[0].content', start: 0, end: 9 },
};
const LIMITS = limitsOf({ rateLimit: { requests: 10, period: 'hour' } } as Parameters<typeof limitsOf>[0]);

let names = 0;
const freshName = () => {
  names += 1;
  return `key_${process.pid}f${names}`;
};

function makeKey(): ApiKey {
  const id = freshName();
  return {
    ...createKeySchema.parse({ name: 'a key' }),
    id,
    state: 'active',
    last4: 'abcd',
    createdAt: iso(T0 + names),
    expiresAt: null,
    secretHash: `hash-of-${id}`,
  } as ApiKey;
}

function makeWebhook(): Webhook {
  return {
    id: newWebhookId(T0),
    url: 'https://example.com/',
    events: ['webhook.disabled'],
    filter: {},
    description: null,
    state: 'active',
    disabledReason: null,
    failingSince: null,
    createdAt: iso(T0),
    secrets: [mintWebhookSecret(T0)],
  };
}

/** A call of each store over a separate client. @returns its expected result or written data */
interface Case {
  readonly name: string;
  /** How often a call of it is tried. */
  readonly attempts: number;
  /** What must be there before, made without faults. */
  prepare?(sdk: DynamoClient): Promise<unknown>;
  work(sdk: DynamoClient, prepared: never): Promise<unknown>;
  /** What is there then, read without faults. */
  after?(sdk: DynamoClient, prepared: never, told: never): Promise<unknown>;
  readonly expected: unknown;
}

const keys = (sdk: DynamoClient) => new DynamoKeyStore(sdk, 'keys');
const webhooks = (sdk: DynamoClient) =>
  new DynamoWebhookStore(
    sdk,
    'webhooks',
    createSecretSealer(async () => 's'.repeat(64)),
    clock,
  );
const policies = (sdk: DynamoClient) => new DynamoPolicyStore(sdk, 'policies');
const sessions = (sdk: DynamoClient) => new DynamoSessionStore(sdk, 'sessions', clock, PATIENT);
const issuedIds = (sdk: DynamoClient) => new DynamoIssuedIds(sdk, 'sessions');
const idsOf = (keyId: string) => ['a', 'b', 'c'].map((id) => `${keyId} ${id}`);
const aggregates = (sdk: DynamoClient) => new DynamoAggregates(sdk, 'aggregates', clock);
const captures = (sdk: DynamoClient) => new DynamoCaptureStore(sdk, 'captures', clock, 7);
const idempotency = (sdk: DynamoClient) => new DynamoIdempotencyStore(sdk, 'idempotency');
const cancellations = (sdk: DynamoClient) => new DynamoCancellationStore(sdk, 'idempotency');
const reader = (sdk: DynamoClient) => new DynamoRecordReader(sdk, 'records', clock);
/** Their separate clients write in background tasks. */
const limits = (client: DynamoClient) =>
  new DynamoLimitStore({ client, settling: createDynamoClient({ retries: BACKGROUND_ONCE }) }, 'limits', clock);
const writer = (lingerMs = 0) =>
  new DynamoRequestRecords(
    { together: createDynamoClient({ retries: TRY_ONCE }), alone: createDynamoClient({ retries: BACKGROUND_RETRIES }) },
    'records',
    { keptDays: 30, lingerMs, pendingIndex: false },
  );
const endUsers = (sdk: DynamoClient) =>
  new DynamoEndUserData(
    sdk,
    { records: 'records', aggregates: 'aggregates', sessions: 'sessions', captures: 'captures' },
    { ...clock, now: () => T0 + 1 },
  );

function recordsOf(count: number, fields: Partial<RequestRecord> = {}): RequestRecord[] {
  const keyId = freshName();
  return Array.from({ length: count }, (_, at) => recordOf({ keyId, time: iso(T0 - at), ...fields }));
}
const writeAll = async (records: readonly RequestRecord[], lingerMs = 0) => {
  const log = writer(lingerMs);
  await Promise.all(records.map((record) => log.write(record)));
};
const storedOf = async (sdk: DynamoClient, [first]: readonly RequestRecord[]) =>
  (await reader(sdk).page({ keyId: first?.keyId, withFindings: false }, 100, undefined)).rows.length;
const count = (sdk: DynamoClient, records: readonly RequestRecord[]) =>
  countRecords(
    { source: freshName(), deliveries: records.map((record, at) => ({ position: String(at + 1), record })) },
    { store: aggregates(sdk), now: clock.now, aggregateDays: 400, sessionDays: 30 },
  );
const claimOf = () => ({
  token: freshName(),
  salt: new Uint8Array([1]),
  bodyTag: 'tag',
  aroundTag: 'tag',
  nowMs: T0,
  lockedUntilMs: T0 + 1_000,
  expiresAtMs: T0 + 86_400_000,
  endUserId: null,
});
const factOf = (): AuditFact => ({
  at: iso(T0),
  actor: { type: 'operator' },
  action: 'key.created',
  target: { type: 'key', id: freshName() },
  before: null,
  after: null,
  from: null,
});

/** Links the types of a case's parts. */
function caseOf<P, T>(parts: {
  name: string;
  attempts?: number;
  prepare?: (sdk: DynamoClient) => Promise<P>;
  work: (sdk: DynamoClient, prepared: P) => Promise<T>;
  after?: (sdk: DynamoClient, prepared: P, told: T) => Promise<unknown>;
  expected: unknown;
}): Case {
  return { attempts: 3, ...parts } as Case;
}

const CASES: readonly Case[] = [
  caseOf({
    name: 'a key is made',
    prepare: async () => makeKey(),
    work: (sdk, key) => keys(sdk).create(key),
    after: async (sdk, key) => [
      (await keys(sdk).get(key.id))?.version,
      (await keys(sdk).find([key.secretHash]))?.id === key.id,
    ],
    expected: [1, true],
  }),
  caseOf({
    name: 'a key is looked up',
    prepare: async (sdk) => {
      const key = makeKey();
      await keys(sdk).create(key);
      return key;
    },
    work: async (sdk, key) => (await keys(sdk).find(['none', key.secretHash]))?.id === key.id,
    expected: true,
  }),
  caseOf({
    name: 'a key gets a new secret',
    prepare: async (sdk) => {
      const key = makeKey();
      await keys(sdk).create(key);
      return (await keys(sdk).get(key.id)) as NonNullable<Awaited<ReturnType<DynamoKeyStore['get']>>>;
    },
    work: (sdk, read) => keys(sdk).replace(read, { ...read.key, secretHash: `${read.key.secretHash}, new` }),
    after: async (sdk, { key }, told) => {
      const now = await keys(sdk).get(key.id);
      return [told, now?.version, now?.key.secretHash === `${key.secretHash}, new`];
    },
    expected: [true, 2, true],
  }),
  caseOf({
    name: 'the policy is replaced',
    prepare: (sdk) => policies(sdk).current(),
    work: (sdk, read) =>
      policies(sdk).replace(read, { ...read, version: read.version + 1, createdAt: iso(T0), createdBy: 'key_a' }),
    after: async (sdk, read, told) => {
      const { versions } = await policies(sdk).list(100, undefined);
      return [told, versions.map(({ version }) => version).join() === numbersDownFrom(read.version + 1)];
    },
    expected: [true, true],
  }),
  caseOf({
    name: 'a key is changed, and told of',
    prepare: async (sdk) => {
      const key = makeKey();
      await keys(sdk).create(key);
      return (await keys(sdk).get(key.id)) as NonNullable<Awaited<ReturnType<DynamoKeyStore['get']>>>;
    },
    work: (sdk, read) => keys(sdk).replace(read, { ...read.key, name: 'new' }, keyEvent('key.updated', read.key, T0)),
    after: async (sdk, { key }, told) => [
      told,
      (await toldEvents(sdk, 'keys')).filter(({ data }) => 'id' in data && data.id === key.id).length,
    ],
    expected: [true, 1],
  }),
  caseOf({
    name: 'a webhook is made',
    prepare: async () => makeWebhook(),
    work: (sdk, webhook) => webhooks(sdk).create(webhook),
    after: async (sdk, webhook) => (await webhooks(sdk).find(webhook.id))?.version,
    expected: 1,
  }),
  caseOf({
    name: 'a webhook is disabled, and told of',
    prepare: async (sdk) => {
      const webhook = makeWebhook();
      await webhooks(sdk).create(webhook);
      return webhook;
    },
    work: (sdk, webhook) => webhooks(sdk).disable(webhook, 'gone'),
    after: async (sdk, { id }, told) => [
      told,
      (await webhooks(sdk).get(id))?.disabledReason,
      (await toldEvents(sdk, 'webhooks')).filter(({ data }) => 'id' in data && data.id === id).length,
    ],
    expected: [true, 'gone', 1],
  }),
  caseOf({
    name: 'a webhook is noted as failing, and is deleted',
    prepare: async (sdk) => {
      const webhook = makeWebhook();
      await webhooks(sdk).create(webhook);
      return webhook;
    },
    work: async (sdk, { id }) => {
      await webhooks(sdk).noteFailing(id, iso(T0));
      const read = (await webhooks(sdk).find(id)) as NonNullable<Awaited<ReturnType<DynamoWebhookStore['find']>>>;
      return [read.webhook.failingSince, await webhooks(sdk).delete(read)];
    },
    after: async (sdk, { id }, told) => [told, await webhooks(sdk).get(id)],
    expected: [[iso(T0), true], undefined],
  }),
  caseOf({
    name: 'an outbox is cleared',
    prepare: async (sdk) => {
      const key = makeKey();
      const event = keyEvent('key.created', key, T0);
      await keys(sdk).create(key, event);
      return { id: key.id, event, at: { pk: `secret#${key.secretHash}` } };
    },
    work: (sdk, { event, at }) =>
      new DynamoOutbox(sdk, ['keys']).clear({ table: 'keys', key: at, events: [JSON.stringify(event)] }),
    after: async (sdk, { id, event }) => [
      (await keys(sdk).get(id))?.key.id === id,
      (await toldEvents(sdk, 'keys')).some((one) => one.id === event.id),
    ],
    expected: [true, false],
  }),
  caseOf({
    name: 'an action is audited',
    prepare: async () => factOf(),
    work: (sdk, fact) => new DynamoAuditLog(sdk, 'audit', 1).append(fact),
    after: async (sdk, fact, { record }) => {
      const { entries } = await new DynamoAuditLog(sdk, 'audit', 1).list(100, undefined);
      const of = entries.filter((entry) => entry.record.target.id === fact.target.id);
      return [of.length, of[0]?.record.seq === record.seq, entries.length === entries[0]?.record.seq];
    },
    expected: [1, true, true],
  }),
  caseOf({
    name: 'an answer is kept',
    prepare: async () => ({ name: freshName(), claim: claimOf() }),
    work: async (sdk, { name, claim }) => {
      const other = await idempotency(sdk).claim(name, claim);
      await idempotency(sdk).complete(name, claim, new Uint8Array([7]));
      return other;
    },
    after: async (sdk, { name }, told) => [told, (await idempotency(sdk).claim(name, claimOf()))?.answer],
    expected: [undefined, new Uint8Array([7])],
  }),
  caseOf({
    name: 'a stream is to be ended, and was',
    prepare: async () => ({ keyId: freshName(), requestId: freshName() }),
    work: async (sdk, stream) => {
      const before = await cancellations(sdk).ask(stream, T0);
      await cancellations(sdk).confirm(stream);
      return [before, await cancellations(sdk).isConfirmed(stream)];
    },
    after: async (sdk, stream, told) => [told, await cancellations(sdk).ask(stream, T0)],
    expected: [[false, true], true],
  }),
  caseOf({
    name: 'a text is captured and read',
    prepare: async () => freshName(),
    work: async (sdk, id) => {
      await captures(sdk).write(id, { mode: 'full', request: '{}', answer: [], truncated: false });
      return captures(sdk).read(id);
    },
    expected: { mode: 'full', request: '{}', answer: [], truncated: false },
  }),
  caseOf({
    name: "a session's score is read",
    prepare: async (sdk) => {
      const ref = { keyId: freshName(), name: 's' };
      await sessions(sdk).update(ref, (known) => withTurn(known, 0.9, T0));
      return ref;
    },
    work: async (sdk, { keyId, name }) => (await sessions(sdk).read(keyId, name))?.highest,
    expected: 0.9,
  }),
  caseOf({
    name: 'ids are bound to a key',
    prepare: async () => freshName(),
    work: (sdk, keyId) => issuedIds(sdk).keep(idsOf(keyId), { keyId, score: undefined }, null),
    after: async (sdk, keyId) => (await issuedIds(sdk).find([...idsOf(keyId), `${keyId} d`])).size,
    expected: 3,
  }),
  caseOf({
    name: 'an id is looked up',
    prepare: async (sdk) => {
      const keyId = freshName();
      await issuedIds(sdk).keep([`${keyId} a`], { keyId, score: undefined }, null);
      return keyId;
    },
    work: async (sdk, keyId) => (await issuedIds(sdk).find([`${keyId} a`])).get(`${keyId} a`)?.keyId === keyId,
    expected: true,
  }),
  caseOf({
    name: 'an unread id is marked as read',
    prepare: async (sdk) => {
      const keyId = freshName();
      await issuedIds(sdk).keep([`${keyId} a`], { keyId, score: undefined, isUnread: true }, null);
      return keyId;
    },
    work: (sdk, keyId) => issuedIds(sdk).read(keyId, `${keyId} a`, false),
    after: async (sdk, keyId) => (await issuedIds(sdk).find([`${keyId} a`])).get(`${keyId} a`),
    expected: expect.objectContaining({ score: undefined }),
  }),
  caseOf({
    name: "an end user's session is joined",
    prepare: async () => freshName(),
    work: async (sdk, keyId) => (await sessions(sdk).join(keyId, 'ann')).sessionId,
    after: async (sdk, keyId, told) => (await sessions(sdk).join(keyId, 'ann')).sessionId === told,
    expected: true,
  }),
  caseOf({
    name: 'a request is admitted',
    prepare: async () => freshName(),
    work: (sdk, keyId) => limits(sdk).take(keyId, LIMITS, { needs: [NO_NEED] }),
    after: async (sdk, keyId, { granted }) => {
      const { ledger } = await limits(sdk).peek(keyId);
      const takenOf = (ledger.fullAtMicros - T0 * 1000) / LIMITS.requests.intervalMicros;
      // Once, or twice if the first response was lost, but never zero times.
      return [granted, takenOf === 1 || takenOf === 2];
    },
    expected: [1, true],
  }),
  caseOf({
    name: 'a record is written',
    ...{ hot: true, attempts: BACKGROUND_RETRIES.attempts },
    prepare: async () => recordsOf(1),
    work: (_, records) => writeAll(records),
    after: (sdk, records) => storedOf(sdk, records),
    expected: 1,
  }),
  caseOf({
    name: 'many records are written together',
    ...{ hot: true, attempts: BACKGROUND_RETRIES.attempts },
    prepare: async () => recordsOf(30),
    work: (_, records) => writeAll(records, 5),
    after: (sdk, records) => storedOf(sdk, records),
    expected: 30,
  }),
  caseOf({
    name: 'records are listed and marked',
    prepare: async () => {
      const records = recordsOf(3, { findings: [FINDING] });
      await writeAll(records);
      return records;
    },
    work: async (sdk, records) => {
      const marked = await reader(sdk).mark(records[0] as RequestRecord, 0, 'confirmed');
      return [await storedOf(sdk, records), marked?.marks];
    },
    expected: [3, { 0: 'confirmed' }],
  }),
  caseOf({
    name: 'records are added up',
    prepare: async () => recordsOf(20, { endUserId: freshName(), sessionId: 'talk' }),
    work: (sdk, records) => count(sdk, records),
    after: async (sdk, records) => {
      const user = records[0]?.endUserId as string;
      const { values } = await aggregates(sdk).listSessions({ endUserId: user }, 10, undefined);
      return values.map((value) => (value as { totals: { requests: number } }).totals.requests);
    },
    expected: [20],
  }),
  caseOf({
    name: 'totals are read',
    prepare: async (sdk) => {
      const records = recordsOf(6, { endUserId: freshName() }).map((record, at) => ({
        ...record,
        sessionId: `talk ${at}`,
      }));
      await count(sdk, records);
      return records[0]?.endUserId as string;
    },
    work: async (sdk, endUserId) => (await aggregates(sdk).listSessions({ endUserId }, 10, undefined)).values.length,
    expected: 6,
  }),
  caseOf({
    name: "an end user's data is deleted",
    prepare: async (sdk) => {
      const records = recordsOf(5, { endUserId: freshName() });
      await writeAll(records);
      await count(sdk, records);
      return records[0]?.endUserId as string;
    },
    work: (sdk, endUserId) => endUsers(sdk).deleteEndUser(endUserId),
    after: async (sdk, endUserId, { records }) => [records, await endUsers(sdk).find(endUserId)],
    expected: [5, { records: 0, sessions: 0, aggregates: 0, captures: 0 }],
  }),
];

function numbersDownFrom(version: number): string {
  return Array.from({ length: version }, (_, at) => version - at).join();
}

const refused = (type: string, status = 400): Fault => ({ kind: 'refused', type, status });
const TRANSIENT: readonly [string, Fault][] = [
  ['a partition is written to too often', refused('ProvisionedThroughputExceededException')],
  ['DynamoDB has a fault of its own', refused('InternalServerError', 500)],
  ['DynamoDB is not available', refused('ServiceUnavailable', 503)],
  ['a call is done and told as failed', { kind: 'done, but told as failed' }],
  ['the connection is cut before a call is done', { kind: 'cut off before it is done' }],
  ['the connection is cut when a call is done', { kind: 'cut off when it is done' }],
  ['the table throttles', refused('ThrottlingException')],
  ['the account asks for too much', refused('RequestLimitExceeded')],
  // We use no transactions, so only another client's could conflict.
  ['a transaction is in the way', refused('TransactionConflictException')],
];
/** A second each, so that a few must do for all: a read, and writes of every form. */
const WAITED_FOR = CASES.filter(({ name }) =>
  [
    'a key is looked up',
    'ids are bound to a key',
    'a request is admitted',
    'many records are written together',
  ].includes(name),
).map((each) => [each.name, each] as const);

describe.each(availableEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  let url = '';
  let stop = async () => {};
  let store: Awaited<ReturnType<typeof startFaultyStore>>;
  let sdk: DynamoClient;
  beforeAll(async () => {
    ({ url, stop } = await engine.start());
  });
  afterAll(() => stop());
  beforeEach(async () => {
    // One for each test: what is still being tried again when a test ends must not meet the next one's faults.
    store = await startFaultyStore(url);
    process.env.AWS_ENDPOINT_URL_DYNAMODB = store.url;
    // As the functions have it, deadlines and attempts too.
    sdk = createDynamoClient();
  });
  afterEach(() => {
    store.stop();
  });

  /** The case's result or written data if its first call fails so many times. */
  async function resultOf({ prepare, work, after }: Case, fault: Fault, times: number): Promise<unknown> {
    const prepared = (await prepare?.(sdk)) as never;
    store.fail(fault, times);
    try {
      const told = (await work(sdk, prepared)) as never;
      store.mend();
      return after === undefined ? told : await after(sdk, prepared, told);
    } finally {
      store.mend();
    }
  }

  async function expectUnavailable({ prepare, work, attempts }: Case, fault: Fault): Promise<void> {
    const prepared = (await prepare?.(sdk)) as never;
    store.take();
    store.fail(fault, Infinity);
    await expect(work(sdk, prepared)).rejects.toBeInstanceOf(StoreUnavailable);
    // For each call, and a case makes at most 32 at the same time.
    expect(store.take()).toBeLessThanOrEqual(attempts * 32);
  }

  describe.each(CASES.map((each) => [each.name, each] as const))('%s', (__, each) => {
    it.each(TRANSIENT)('once and completely, while %s', async (___, fault) => {
      expect(await resultOf(each, fault, 1)).toEqual(each.expected);
    });

    it('once and completely, if batches are done in part', async () => {
      expect(await resultOf(each, { kind: 'batches done in part' }, Infinity)).toEqual(each.expected);
    });

    it('or fails as unavailable after a few attempts, if no call succeeds', async () => {
      await expectUnavailable(each, refused('InternalServerError', 500));
    });

    it('or fails as unavailable after a few attempts, if the table keeps throttling', async () => {
      await expectUnavailable(each, refused('ProvisionedThroughputExceededException'));
    });
  });

  it.each(WAITED_FOR)('%s once and completely, if the first call gets no response', async (__, each) => {
    expect(await resultOf(each, { kind: 'never answered' }, 1)).toEqual(each.expected);
  });

  it('a use is settled once, even if the response to its write is lost on a reused connection', async () => {
    const keyId = freshName();
    const budgeted = {
      ...{ requests: { capacity: 100, intervalMicros: 1_000_000 }, tokens: undefined, maxConcurrent: undefined },
      budget: { nanoUsd: 1e9, period: 'month' as const },
    };
    const need = { tokens: 0, nanoUsd: 100 };
    const asking = limits(sdk);
    const { slot } = await asking.take(keyId, budgeted, { needs: [need, need, need] });
    const spent = async () => {
      const { ledger } = await limits(sdk).peek(keyId);
      return [...ledger.spent.values()];
    };
    expect(await spent()).toEqual([300]);
    store.fail({ kind: 'cut off when it is done' }, 1);
    const used = settlementOf(
      reservedFor(need, 1, budgeted, clock.now()),
      slot,
      { tokens: 0, nanoUsd: 30 },
      budgeted,
      clock.now(),
    );
    await expect(asking.settle(keyId, used)).rejects.toBeInstanceOf(StoreUnavailable);
    store.mend();
    expect(await spent()).toEqual([230]);
  });

  it('records and settlements are retried longer than a response could wait', async () => {
    const [record] = recordsOf(1);
    store.fail(refused('InternalServerError', 500), BACKGROUND_RETRIES.attempts - 1);
    await writeAll([record as RequestRecord]);
    store.mend();
    expect(await storedOf(sdk, [record as RequestRecord])).toBe(1);
    const keyId = freshName();
    store.fail(refused('ThrottlingException'), BACKGROUND_RETRIES.attempts - 1);
    const used = { tokenPicos: 0n, nanoUsd: new Map([[windowOf('month', T0), 30]]) };
    await limits(sdk).settle(keyId, { release: new Map(), used });
    store.mend();
    const { ledger } = await limits(sdk).peek(keyId);
    expect([...ledger.spent.values()]).toEqual([30]);
  });

  it("a session's score counts a turn once, or twice if the response to its write was lost", async () => {
    const accumulated = async (fault: Fault) => {
      const ref = { keyId: freshName(), name: 's' };
      await sessions(sdk).update(ref, (known) => withTurn(known, 0.5, T0));
      const { accumulated: before = 0 } = (await sessions(sdk).read(ref.keyId, ref.name)) ?? {};
      const asking = sessions(sdk);
      await asking.read(ref.keyId, ref.name);
      store.fail(fault, 2);
      await asking.update(ref, (known) => withTurn(known, 0.5, T0));
      store.mend();
      return Math.round(((await sessions(sdk).read(ref.keyId, ref.name))?.accumulated ?? 0) / before);
    };
    expect(await accumulated(refused('ThrottlingException'))).toBe(2);
    expect([2, 3]).toContain(await accumulated({ kind: 'done, but told as failed' }));
  });
});
