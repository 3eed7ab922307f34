import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createDynamoClient, type DynamoClient } from '../../functions/adapters/aws/clients.ts';
import { DynamoAggregates } from '../../functions/adapters/dynamo/dynamo-aggregates.ts';
import { DynamoApprovalStore } from '../../functions/adapters/dynamo/dynamo-approval-store.ts';
import {
  ALERTS_DOCUMENT,
  DynamoDocumentStore,
  POLICY_DOCUMENT,
} from '../../functions/adapters/dynamo/dynamo-document-store.ts';
import { DynamoKeyStore } from '../../functions/adapters/dynamo/dynamo-key-store.ts';
import { DynamoStateStore, REPORT_STATES } from '../../functions/adapters/dynamo/dynamo-state-store.ts';
import { tableVariables } from '../../functions/adapters/dynamo/tables.ts';
import { createApprovalSecrets } from '../../functions/adapters/node/approval-secrets.ts';
import { createKeyHasher } from '../../functions/adapters/node/hmac-key-hasher.ts';
import { systemClock } from '../../functions/adapters/node/process-time.ts';
import { Approvals } from '../../functions/control/approvals/index.ts';
import { makeKey } from '../../functions/control/keys/index.ts';
import type { Alert } from '../../functions/kernel/alerts/index.ts';
import { createKeySchema } from '../../functions/kernel/model/index.ts';
import { embeddedAccess } from '../../lib/local/create-resources.ts';
import { eventually } from '../support/eventually.ts';
import { toldEvents } from '../support/told-events.ts';
import { type InvokedFunction, startInvokedFunction } from './invoked-function.ts';

const DAY_MS = 86_400_000;

let watch: InvokedFunction;
let dynamo: DynamoClient;
beforeAll(async () => {
  watch = await startInvokedFunction({
    bundle: 'key-watch',
    role: 'KeyWatchRole',
    env: () => tableVariables('key-watch', (table) => table),
  });
  dynamo = createDynamoClient(embeddedAccess(watch.stores.dynamodbUrl));
});
afterAll(async () => {
  await watch?.stop();
});

/** As EventBridge invokes it: https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-rule-schedule.html */
const SCHEDULED = {
  version: '0',
  id: '53dc4d37-cffa-4f76-80c9-8b7d4a4d2eaa',
  'detail-type': 'Scheduled Event',
  source: 'aws.events',
  account: '000000000000',
  time: '2026-11-21T09:00:00Z',
  region: 'eu-central-1',
  resources: ['arn:aws:events:eu-central-1:000000000000:rule/KeyWatch'],
  detail: {},
};

async function addKey(name: string, expiresInDays: number): Promise<string> {
  const expiresAt = new Date(Date.now() + expiresInDays * DAY_MS).toISOString();
  const hasher = createKeyHasher(async () => 'p'.repeat(64));
  const { key } = await makeKey(createKeySchema.parse({ name, expiresAt }), hasher, systemClock);
  await new DynamoKeyStore(dynamo, 'keys').create(key);
  return key.id;
}

test('the deployed bundle withdraws a roll-out that blocks too much, in any minute', async () => {
  const policies = new DynamoDocumentStore(dynamo, 'policies', POLICY_DOCUMENT);
  const first = await policies.current();
  const rollout = {
    percent: 100,
    watch: { blockedPoints: 2, minRequests: 10, minutes: 60 },
    policy: { preset: 'strict' as const },
  };
  const createdAt = new Date().toISOString();
  const rolledOut = { version: 1, settings: { canary: true, rollout }, createdAt, createdBy: 'key_1' };
  expect(await policies.replace(first, rolledOut)).toBe(true);
  const anyMinute = { ...SCHEDULED, time: '2026-11-21T09:07:00Z' };
  expect(await watch.invoke(anyMinute)).toBeNull();
  expect((await policies.current()).version).toBe(1);
  const value = { requests: 10, blocked: 5, flagged: 0, blockedBefore: 0, flaggedBefore: 0 };
  const key = { pk: 'rollout#1', sk: createdAt.slice(0, 16) };
  const aggregates = new DynamoAggregates(dynamo, 'aggregates', systemClock);
  await aggregates.replace({ key, value, expiresAt: Math.ceil(Date.now() / 1000) + 3_600 }, undefined);
  expect(await watch.invoke(anyMinute)).toBeNull();
  expect(await policies.current()).toMatchObject({ version: 2, settings: { canary: true }, createdBy: null });
  expect((await toldEvents(dynamo, 'policies')).map(({ type }) => type)).toEqual(['policy.withdrawn']);
});

test('the deployed bundle counts the tool calls that wait for a person, in any minute', async () => {
  const store = new DynamoApprovalStore(dynamo, 'approvals', systemClock);
  const secrets = createApprovalSecrets(async () => 'p'.repeat(64));
  const askedAt = (now: number, name: string) => {
    const clock = { now: () => now, monotonic: () => now };
    const call = { id: 'call_1', name, arguments: '{}' };
    const origin = { call: name, argument: 'to', user: false, sources: [], ordered: true };
    const doubt = { origin, value: 'x', policyRule: undefined, reason: 'Doubtful.' };
    const about = { keyId: 'key_1', environment: 'Staging', sessionId: null, endUserId: null };
    const approvals = new Approvals({ store, secrets, clock, onChanged: () => {} });
    return approvals.request({ ...about, requestId: 'req_1', field: 'output', ...doubt, call });
  };
  await askedAt(Date.now(), 'pay');
  await askedAt(Date.now() - 30 * 60_000, 'send');
  await askedAt(Date.now() - 61 * 60_000, 'post');
  expect(await watch.invoke({ ...SCHEDULED, time: '2026-11-21T09:07:00Z' })).toBeNull();
  const counted = () => watch.logs().filter((line) => line.includes('"message":"approvals waiting"'));
  expect(await eventually(async () => counted().at(-1)?.includes('"ApprovalsWaiting":2'))).toBe(true);
});

test('the deployed bundle evaluates alerts with the permissions of its role, and emits one event for a change', async () => {
  const store = new DynamoDocumentStore(dynamo, 'policies', ALERTS_DOCUMENT);
  const rule = { compare: 'below', threshold: 1, minutes: 1, minRequests: 20, silencedUntil: null } as const;
  const about = { createdAt: '2026-11-01T00:00:00.000Z', targets: [] };
  const alerts: Alert[] = [
    { ...rule, ...about, id: 'alert_1', name: 'Silence', metric: 'requests', scope: {} },
    {
      ...rule,
      ...about,
      id: 'alert_2',
      name: 'Budget',
      metric: 'budgetShare',
      scope: { keyId: await addKey('x', 90) },
    },
    { ...rule, ...about, id: 'alert_3', name: 'Team', metric: 'requests', minutes: 60, scope: { teamId: 'team_1' } },
  ];
  await store.replace(await store.current(), { version: 1, settings: { alerts }, createdAt: null, createdBy: null });
  const reported = async () =>
    (await toldEvents(dynamo, 'policies'))
      .filter(({ type }) => type === 'alert.fired')
      .map(({ data }) => (data as { alertId: string }).alertId)
      .sort();
  const anyMinute = { ...SCHEDULED, time: '2026-11-21T09:08:00Z' };
  expect(await watch.invoke(anyMinute)).toBeNull();
  expect(await reported()).toEqual(['alert_1', 'alert_2', 'alert_3']);
  expect(await watch.invoke(anyMinute)).toBeNull();
  expect(await reported()).toHaveLength(3);
  expect(watch.logs().filter((line) => line.includes('alert not evaluated'))).toEqual([]);
});

test('the deployed bundle reports a month that is over once, with the permissions of its role', async () => {
  const reported = async () =>
    (await toldEvents(dynamo, 'policies')).flatMap(({ type, data }) =>
      type === 'spend.report' ? [(data as { month: string }).month] : [],
    );
  // It begins with the month of its first run.
  expect(await watch.invoke(SCHEDULED)).toBeNull();
  expect(await reported()).toEqual([]);
  const states = new DynamoStateStore(dynamo, 'policies', REPORT_STATES);
  const [begun] = await states.read(['spend']);
  if (begun?.month == null) throw new Error('no month is noted');
  const earlier = new Date(Date.parse(`${begun.month}-15`) - 30 * DAY_MS).toISOString().slice(0, 7);
  await states.replace('spend', begun, { month: earlier, version: begun.version + 1 }, undefined);
  expect(await watch.invoke(SCHEDULED)).toBeNull();
  expect(await watch.invoke(SCHEDULED)).toBeNull();
  expect(await reported()).toEqual([begun.month]);
});

test('the deployed bundle reports keys that expire within a week, once, and fails if it cannot read them', async () => {
  const soon = await addKey('soon', 2);
  await addKey('later', 30);
  const reported = async () =>
    (await toldEvents(dynamo, 'keys')).filter(({ type }) => type === 'key.expiring').map(({ data }) => data);
  expect(await watch.invoke(SCHEDULED)).toBeNull();
  expect(await reported()).toEqual([expect.objectContaining({ id: soon })]);
  expect(await watch.invoke(SCHEDULED)).toBeNull();
  expect(await reported()).toHaveLength(1);
  await watch.stores.stop();
  // Asked again by Lambda, twice, and in an hour.
  await expect(watch.invoke(SCHEDULED)).rejects.toThrow();
});
