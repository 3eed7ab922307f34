import path from 'node:path';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type EmbeddedStores, startEmbeddedStores } from '../../lib/local/embedded-stores.ts';
import { toldEvents } from '../support/told-events.ts';
import { InvocationQueue } from './invocation-queue.ts';
import { Sandbox } from './sandbox.ts';

const DIST = path.resolve(import.meta.dirname, '../../dist/event-relay');
const ACCESS = { region: 'eu-central-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };

let stores: EmbeddedStores;
let sandbox: Sandbox;
const invocations = new InvocationQueue();
beforeAll(async () => {
  stores = await startEmbeddedStores();
  sandbox = await Sandbox.start({
    bundleDir: DIST,
    handler: 'index.handler',
    env: {
      AWS_ENDPOINT_URL_DYNAMODB: stores.dynamodbUrl,
      AWS_ENDPOINT_URL_SQS: stores.sqsUrl,
      SVC_EVENTS_QUEUE_URL: stores.eventsQueueUrl,
      SVC_KEYS_TABLE: 'keys',
      SVC_SESSIONS_TABLE: 'sessions',
      SVC_WEBHOOKS_TABLE: 'webhooks',
    },
    timeoutMs: 60_000,
    log: () => {},
    take: (signal) => invocations.take(signal),
  });
});
afterAll(async () => {
  await sandbox?.stop();
  await stores?.stop();
});

/** As the deployed function is invoked by the mapping of a table's stream. */
function deliver(table: string, key: object, image: object): Promise<boolean> {
  const record = {
    eventID: '1',
    eventName: 'MODIFY',
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: 'eu-central-1',
    dynamodb: { Keys: key, NewImage: image, SequenceNumber: '1'.padStart(21, '0'), StreamViewType: 'NEW_IMAGE' },
    eventSourceARN: `arn:aws:dynamodb:eu-central-1:000000000000:table/${table}/stream/2026-11-21T09:00:00.000`,
  };
  return new Promise((resolve) => {
    invocations.add({
      id: crypto.randomUUID(),
      event: { Records: [record] },
      outcome: {
        streamStarted: () => {},
        chunk: async () => {},
        streamEnded: () => resolve(false),
        returned: () => resolve(true),
        failed: () => resolve(false),
      },
    });
  });
}

test('the deployed bundle puts an event on the queue and takes it out of its item, and asks for it again where it cannot', async () => {
  const dynamo = new DynamoDBClient({ ...ACCESS, endpoint: stores.dynamodbUrl });
  const sqs = new SQSClient({ ...ACCESS, endpoint: stores.sqsUrl });
  const event = JSON.stringify({ id: 'evt_1', type: 'key.created', created: '2026-11-21T09:00:00.000Z', data: {} });
  const key = { pk: { S: 'secret#1' } };
  const image = { ...key, outbox: { L: [{ S: event }] }, outboxPk: { S: 'outbox' } };
  await dynamo.send(new PutItemCommand({ TableName: 'keys', Item: image }));
  expect(await deliver('keys', key, image)).toBe(true);
  const receive = new ReceiveMessageCommand({ QueueUrl: stores.eventsQueueUrl, MaxNumberOfMessages: 10 });
  expect((await sqs.send(receive)).Messages?.map(({ Body }) => Body)).toEqual([event]);
  expect(await toldEvents(dynamo, 'keys')).toEqual([]);
  // A table of that name is not there: the mapping would deliver it again.
  expect(await deliver('keys', { wrong: { S: 'x' } }, image)).toBe(false);
  dynamo.destroy();
  sqs.destroy();
}, 120_000);
