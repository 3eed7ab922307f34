import { CreateQueueCommand, DeleteMessageBatchCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDynamoClient, createSqsClient } from '../../functions/adapters/aws/clients.ts';
import type { Item } from '../../functions/adapters/dynamo/dynamo-calls.ts';
import { tableVariables } from '../../functions/adapters/dynamo/tables.ts';
import { embeddedAccess } from '../../lib/local/create-resources.ts';
import { eventually } from '../support/eventually.ts';
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
      ...tableVariables('event-relay', (table) => table),
    }),
  });
});
afterAll(() => relay?.stop());

/** As the deployed function is invoked by the mapping of a table's stream. @returns its response; undefined where it failed */
function deliver(table: string, ...items: readonly { readonly key: Item; readonly image: Item }[]) {
  const Records = items.map(({ key, image }, at) => ({
    eventID: String(at),
    eventName: 'MODIFY',
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: 'eu-central-1',
    dynamodb: {
      Keys: marshall(key),
      NewImage: marshall(image),
      SequenceNumber: String(at).padStart(21, '0'),
      StreamViewType: 'NEW_IMAGE',
    },
    eventSourceARN: `arn:aws:dynamodb:eu-central-1:000000000000:table/${table}/stream/2026-11-21T09:00:00.000`,
  }));
  return relay.invoke({ Records }).catch(() => undefined);
}

const DONE = { batchItemFailures: [] };

/** Items whose event can never be relayed. */
const POISON: Readonly<Record<string, Item>> = {
  'an event that is no JSON': { outbox: ['{"planted":'] },
  'an event that is larger than a message may be': { outbox: [JSON.stringify({ planted: 'x'.repeat(2 << 20) })] },
  'an outbox that is no list': { outbox: 'planted' },
};

async function relayedIds(): Promise<string[]> {
  const { stores } = relay;
  const sqs = createSqsClient(embeddedAccess(stores.sqsUrl));
  const relayed = new Set<string>();
  for (;;) {
    const input = { QueueUrl: stores.eventsQueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 0 };
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand(input));
    if (Messages.length === 0) return [...relayed].sort();
    for (const { Body = '' } of Messages) relayed.add(JSON.parse(Body).id);
    const Entries = Messages.map(({ ReceiptHandle }, at) => ({ Id: String(at), ReceiptHandle }));
    await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: stores.eventsQueueUrl, Entries }));
  }
}

describe.each(Object.entries(POISON))('%s', (name, poison) => {
  test.each([[[0]], [[5]], [[9]], [[0, 4, 5, 9]]])(
    'at %j of ten is skipped with a log line and a metric, and delays no other',
    async (places) => {
      const before = relay.logs().length;
      const idOf = (at: number) => `evt_${name.length}_${places.join('')}_${at}`;
      const items = Array.from({ length: 10 }, (_, at) => {
        const key = { pk: `secret#${at}` };
        const event = { outbox: [JSON.stringify({ id: idOf(at), type: 'key.created' })] };
        return { key, image: { ...key, ...(places.includes(at) ? poison : event), outboxPk: 'outbox' } };
      });
      expect(await deliver('records', ...items)).toEqual(DONE);
      const good = Array.from({ length: 10 }, (_, at) => at).filter((at) => !places.includes(at));
      expect(await relayedIds()).toEqual(good.map(idOf).sort());
      const skipped = await eventually(
        () => relay.logs().filter((line, at) => at >= before && line.includes('"message":"record skipped"')),
        ({ length }) => length >= places.length,
      );
      expect(skipped.map((line) => JSON.parse(line))).toMatchObject(
        places.map(() => ({ level: 'ERROR', position: expect.any(String), SkippedRecords: 1 })),
      );
      expect(relay.logs().join('\n')).not.toContain('planted');
    },
  );
});

test('the deployed bundle puts an event on the queue and removes it from its item, and fails if it cannot, so that it is retried', async () => {
  const { stores } = relay;
  const dynamo = createDynamoClient(embeddedAccess(stores.dynamodbUrl));
  const sqs = createSqsClient(embeddedAccess(stores.sqsUrl));
  const event = JSON.stringify({ id: 'evt_1', type: 'key.created', created: '2026-11-21T09:00:00.000Z', data: {} });
  const key = { pk: 'secret#1' };
  const image = { ...key, outbox: [event], outboxPk: 'outbox' };
  await dynamo.send(new PutCommand({ TableName: 'keys', Item: image }));
  expect(await deliver('keys', { key, image })).toEqual(DONE);
  const receive = (QueueUrl: string) => sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
  const relayed = await receive(stores.eventsQueueUrl);
  expect(relayed.Messages?.map(({ Body }) => Body)).toEqual([event]);
  expect(await toldEvents(dynamo, 'keys')).toEqual([]);
  // Of each table it takes away what it relayed, and of records it takes nothing.
  for (const [table, own] of Object.entries({
    sessions: { pk: 'session#1' },
    webhooks: { pk: 'webhooks', sk: 'wh_1' },
    approvals: { pk: 'approval#1', sk: '1' },
    policies: { pk: 'current' },
  })) {
    const item = { ...own, outbox: [event], outboxPk: 'outbox' };
    await dynamo.send(new PutCommand({ TableName: table, Item: item }));
    expect(await deliver(table, { key: own, image: item })).toEqual(DONE);
    expect(await toldEvents(dynamo, table)).toEqual([]);
  }
  expect(await deliver('records', { key: { pk: 'r', sk: '1' }, image })).toEqual(DONE);
  // Events for a SIEM also go to a separate queue, and no others do.
  await sqs.send(new CreateQueueCommand({ QueueName: 'findings' }));
  const finding = JSON.stringify({ ...JSON.parse(event), id: 'evt_2', type: 'threat.detected' });
  const found = { ...image, outbox: [event, finding] };
  expect(await deliver('records', { key: { pk: 'r', sk: '2' }, image: found })).toEqual(DONE);
  const told = await receive(findingsQueueOf(stores.eventsQueueUrl));
  expect(told.Messages?.map(({ Body }) => Body)).toEqual([finding]);
  // The mapping delivers again what could not be relayed.
  await stores.stop();
  expect(await deliver('keys', { key, image })).toBeUndefined();
});
