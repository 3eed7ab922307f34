import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createDynamoClient } from '../../functions/adapters/dynamo-client.ts';
import { createSqsClient } from '../../functions/adapters/sqs-client.ts';
import { embeddedAccess } from '../../lib/local/embedded-access.ts';
import { toldEvents } from '../support/told-events.ts';
import { type InvokedFunction, startInvokedFunction } from './invoked-function.ts';

const findingsQueueOf = (eventsQueueUrl: string) => eventsQueueUrl.replace(/events$/, 'findings');

let relay: InvokedFunction;
beforeAll(async () => {
  relay = await startInvokedFunction({
    bundle: 'event-relay',
    role: 'EventRelayRole',
    env: ({ eventsQueueUrl }, { queueUrl }) => ({
      SVC_EVENTS_QUEUE_URL: queueUrl(eventsQueueUrl),
      SVC_FINDINGS_QUEUE_URL: queueUrl(findingsQueueOf(eventsQueueUrl)),
      SVC_KEYS_TABLE: 'keys',
      SVC_SESSIONS_TABLE: 'sessions',
      SVC_WEBHOOKS_TABLE: 'webhooks',
    }),
  });
});
afterAll(() => relay?.stop());

/** As the deployed function is invoked by the mapping of a table's stream. @returns its response; undefined where it failed */
function deliver(table: string, ...items: readonly { readonly key: object; readonly image: object }[]) {
  const Records = items.map(({ key, image }, at) => ({
    eventID: String(at),
    eventName: 'MODIFY',
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: 'eu-central-1',
    dynamodb: { Keys: key, NewImage: image, SequenceNumber: String(at).padStart(21, '0'), StreamViewType: 'NEW_IMAGE' },
    eventSourceARN: `arn:aws:dynamodb:eu-central-1:000000000000:table/${table}/stream/2026-11-21T09:00:00.000`,
  }));
  return relay.invoke({ Records }).catch(() => undefined);
}

const DONE = { batchItemFailures: [] };

test.each([0, 5, 9])(
  'a record that cannot be relayed, number %i of ten, delays no other',
  async (poison) => {
    const { stores } = relay;
    const sqs = createSqsClient(embeddedAccess(stores.sqsUrl));
    const events = Array.from({ length: 10 }, (_, at) =>
      // More than a message may hold.
      JSON.stringify({
        id: `evt_${poison}_${at}`,
        type: 'key.created',
        text: at === poison ? 'x'.repeat(2 << 20) : '',
      }),
    );
    const items = events.map((S, at) => {
      const key = { pk: { S: `secret#${at}` } };
      return { key, image: { ...key, outbox: { L: [{ S }] }, outboxPk: { S: 'outbox' } } };
    });
    expect(await deliver('records', ...items)).toEqual({
      batchItemFailures: [{ itemIdentifier: String(poison).padStart(21, '0') }],
    });
    const relayed = new Set<string>();
    for (;;) {
      const input = { QueueUrl: stores.eventsQueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 0 };
      const { Messages = [] } = await sqs.call('sqs:ReceiveMessage', input);
      if (Messages.length === 0) break;
      for (const { Body = '' } of Messages) relayed.add(JSON.parse(Body).id);
      const Entries = Messages.map(({ ReceiptHandle }, at) => ({ Id: String(at), ReceiptHandle }));
      await sqs.call('sqs:DeleteMessageBatch', { QueueUrl: stores.eventsQueueUrl, Entries });
    }
    expect(relayed.size).toBe(9);
    expect(relay.logs().join('\n')).toContain('"message":"record failed"');
  },
  60_000,
);

test('the deployed bundle puts an event on the queue and takes it out of its item, and fails where it cannot, so that it comes again', async () => {
  const { stores } = relay;
  const dynamo = createDynamoClient(embeddedAccess(stores.dynamodbUrl));
  const sqs = createSqsClient(embeddedAccess(stores.sqsUrl));
  const event = JSON.stringify({ id: 'evt_1', type: 'key.created', created: '2026-11-21T09:00:00.000Z', data: {} });
  const key = { pk: { S: 'secret#1' } };
  const image = { ...key, outbox: { L: [{ S: event }] }, outboxPk: { S: 'outbox' } };
  await dynamo.call('dynamodb:PutItem', { TableName: 'keys', Item: image });
  expect(await deliver('keys', { key, image })).toEqual(DONE);
  const relayed = await sqs.call('sqs:ReceiveMessage', { QueueUrl: stores.eventsQueueUrl, MaxNumberOfMessages: 10 });
  expect(relayed.Messages?.map(({ Body }) => Body)).toEqual([event]);
  expect(await toldEvents(dynamo, 'keys')).toEqual([]);
  // Of each table it takes away what it relayed, and of records it takes nothing.
  for (const [table, own] of Object.entries({
    sessions: { pk: { S: 'session#1' } },
    webhooks: { pk: { S: 'webhooks' }, sk: { S: 'wh_1' } },
  })) {
    const item = { ...own, outbox: { L: [{ S: event }] }, outboxPk: { S: 'outbox' } };
    await dynamo.call('dynamodb:PutItem', { TableName: table, Item: item });
    expect(await deliver(table, { key: own, image: item })).toEqual(DONE);
    expect(await toldEvents(dynamo, table)).toEqual([]);
  }
  expect(await deliver('records', { key: { pk: { S: 'r' }, sk: { S: '1' } }, image })).toEqual(DONE);
  // What a SIEM is told goes to its own queue besides, and nothing else does.
  await sqs.call('sqs:CreateQueue', { QueueName: 'findings' });
  const finding = JSON.stringify({ ...JSON.parse(event), id: 'evt_2', type: 'threat.detected' });
  const found = { ...image, outbox: { L: [{ S: event }, { S: finding }] } };
  expect(await deliver('records', { key: { pk: { S: 'r' }, sk: { S: '2' } }, image: found })).toEqual(DONE);
  const findings = findingsQueueOf(stores.eventsQueueUrl);
  const told = await sqs.call('sqs:ReceiveMessage', { QueueUrl: findings, MaxNumberOfMessages: 10 });
  expect(told.Messages?.map(({ Body }) => Body)).toEqual([finding]);
  // The mapping delivers again what could not be relayed.
  await stores.stop();
  expect(await deliver('keys', { key, image })).toBeUndefined();
}, 120_000);
