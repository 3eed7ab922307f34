import {
  BACKGROUND_ONCE,
  BACKGROUND_RETRIES,
  createDynamoClient,
  type DynamoClient,
  TRY_ONCE,
} from '../../functions/adapters/aws/clients.ts';
import { createSecretSealer } from '../../functions/adapters/aws/secret-sealer.ts';
import { DynamoAggregates } from '../../functions/adapters/dynamo/dynamo-aggregates.ts';
import { DynamoCancellationStore } from '../../functions/adapters/dynamo/dynamo-cancellation-store.ts';
import { DynamoDocumentStore, POLICY_DOCUMENT } from '../../functions/adapters/dynamo/dynamo-document-store.ts';
import { DynamoEndUserData } from '../../functions/adapters/dynamo/dynamo-end-user-data.ts';
import { DynamoIdempotencyStore } from '../../functions/adapters/dynamo/dynamo-idempotency-store.ts';
import { DynamoIssuedIds } from '../../functions/adapters/dynamo/dynamo-issued-ids.ts';
import { DynamoKeyStore } from '../../functions/adapters/dynamo/dynamo-key-store.ts';
import { DynamoLimitStore } from '../../functions/adapters/dynamo/dynamo-limit-store.ts';
import {
  DynamoCaptureStore,
  DynamoRecordReader,
  DynamoRequestRecords,
} from '../../functions/adapters/dynamo/dynamo-request-records.ts';
import { DynamoSessionStore } from '../../functions/adapters/dynamo/dynamo-session-store.ts';
import { DynamoWebhookStore } from '../../functions/adapters/dynamo/dynamo-webhook-store.ts';
import { countRecords } from '../../functions/control/analytics/index.ts';
import { recordOf, T0 } from '../../functions/control/analytics/record.fixture.ts';
import { limitsOf } from '../../functions/control/limits/index.ts';
import { mintWebhookSecret, newWebhookId } from '../../functions/control/webhooks/index.ts';
import {
  type ApiKey,
  type AuditFact,
  createKeySchema,
  type RecordedFinding,
  type RequestRecord,
  type Webhook,
} from '../../functions/kernel/model/index.ts';

Object.assign(process.env, { AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' });

export const clock = { now: () => T0, monotonic: () => 0 };
/** Without the deadlines of a request, so that a busy machine fails no test. */
const PATIENT = { idleMs: 1_800_000, readWaitMs: 20_000, joinWaitMs: 20_000 };
export const iso = (ms: number) => new Date(ms).toISOString();
export const FINDING: RecordedFinding = {
  type: 'jailbreak',
  rule: 'jailbreak/persona',
  severity: 'high',
  score: 0.9,
  action: 'flag',
  location: { part: 'input', message: 0, field: 'messages[0].content', start: 0, end: 9 },
};
export const LIMITS = limitsOf({ rateLimit: { requests: 10, period: 'hour' } } as Parameters<typeof limitsOf>[0]);

let names = 0;
export const freshName = () => {
  names += 1;
  return `key_${process.pid}f${names}`;
};

export function makeKey(): ApiKey {
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

export function makeWebhook(): Webhook {
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
export interface Case {
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

export const keys = (sdk: DynamoClient) => new DynamoKeyStore(sdk, 'keys');
export const webhooks = (sdk: DynamoClient) =>
  new DynamoWebhookStore(
    sdk,
    'webhooks',
    createSecretSealer(async () => 's'.repeat(64)),
    clock,
  );
export const policies = (sdk: DynamoClient) => new DynamoDocumentStore(sdk, 'policies', POLICY_DOCUMENT);
export const sessions = (sdk: DynamoClient) => new DynamoSessionStore(sdk, 'sessions', clock, PATIENT);
export const issuedIds = (sdk: DynamoClient) => new DynamoIssuedIds(sdk, 'sessions');
export const idsOf = (keyId: string) => ['a', 'b', 'c'].map((id) => `${keyId} ${id}`);
export const aggregates = (sdk: DynamoClient) => new DynamoAggregates(sdk, 'aggregates', clock);
export const captures = (sdk: DynamoClient) => new DynamoCaptureStore(sdk, 'captures', clock, 7);
export const idempotency = (sdk: DynamoClient) => new DynamoIdempotencyStore(sdk, 'idempotency');
export const cancellations = (sdk: DynamoClient) => new DynamoCancellationStore(sdk, 'idempotency');
export const reader = (sdk: DynamoClient) => new DynamoRecordReader(sdk, 'records', clock);
/** Their separate clients write in background tasks. */
export const limits = (client: DynamoClient) =>
  new DynamoLimitStore({ client, settling: createDynamoClient({ retries: BACKGROUND_ONCE }) }, 'limits', clock);
const writer = (lingerMs = 0) =>
  new DynamoRequestRecords(
    { together: createDynamoClient({ retries: TRY_ONCE }), alone: createDynamoClient({ retries: BACKGROUND_RETRIES }) },
    'records',
    { keptDays: 30, lingerMs, pendingIndex: false },
  );
export const endUsers = (sdk: DynamoClient) =>
  new DynamoEndUserData(
    sdk,
    { records: 'records', aggregates: 'aggregates', sessions: 'sessions', captures: 'captures' },
    { ...clock, now: () => T0 + 1 },
  );

export function recordsOf(count: number, fields: Partial<RequestRecord> = {}): RequestRecord[] {
  const keyId = freshName();
  return Array.from({ length: count }, (_, at) => recordOf({ keyId, time: iso(T0 - at), ...fields }));
}
export const writeAll = async (records: readonly RequestRecord[], lingerMs = 0) => {
  const log = writer(lingerMs);
  await Promise.all(records.map((record) => log.write(record)));
};
export const storedOf = async (sdk: DynamoClient, [first]: readonly RequestRecord[]) =>
  (await reader(sdk).page({ keyId: first?.keyId, withFindings: false }, 100, undefined)).rows.length;
export const count = (sdk: DynamoClient, records: readonly RequestRecord[]) =>
  countRecords(
    { source: freshName(), deliveries: records.map((record, at) => ({ position: String(at + 1), record })) },
    { store: aggregates(sdk), now: clock.now, aggregateDays: 400, sessionDays: 30 },
  );
export const claimOf = () => ({
  token: freshName(),
  salt: new Uint8Array([1]),
  bodyTag: 'tag',
  aroundTag: 'tag',
  nowMs: T0,
  lockedUntilMs: T0 + 1_000,
  expiresAtMs: T0 + 86_400_000,
  endUserId: null,
});
export const factOf = (): AuditFact => ({
  at: iso(T0),
  actor: { type: 'operator' },
  action: 'key.created',
  target: { type: 'key', id: freshName() },
  before: null,
  after: null,
  from: null,
});

/** Links the types of a case's parts. */
export function caseOf<P, T>(parts: {
  name: string;
  attempts?: number;
  prepare?: (sdk: DynamoClient) => Promise<P>;
  work: (sdk: DynamoClient, prepared: P) => Promise<T>;
  after?: (sdk: DynamoClient, prepared: P, told: T) => Promise<unknown>;
  expected: unknown;
}): Case {
  return { attempts: 3, ...parts } as Case;
}
