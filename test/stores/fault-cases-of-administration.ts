import { DynamoAuditLog } from '../../functions/adapters/dynamo/dynamo-audit-log.ts';
import type { DynamoKeyStore } from '../../functions/adapters/dynamo/dynamo-key-store.ts';
import { DynamoOutbox } from '../../functions/adapters/dynamo/dynamo-outbox.ts';
import type { DynamoWebhookStore } from '../../functions/adapters/dynamo/dynamo-webhook-store.ts';
import { T0 } from '../../functions/control/analytics/record.fixture.ts';
import { keyEvent } from '../../functions/control/keys/index.ts';
import { toldEvents } from '../support/told-events.ts';
import { type Case, caseOf, factOf, iso, keys, makeKey, makeWebhook, policies, webhooks } from './store-calls.ts';

/** Calls about keys, policies, webhooks and the audit log, and what they return or leave written. */
export const ADMINISTRATION_CASES: readonly Case[] = [
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
];

function numbersDownFrom(version: number): string {
  return Array.from({ length: version }, (_, at) => version - at).join();
}
