import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { buildApp } from 'fauxqs';
import { type KeptQueues, keepQueues } from './embedded-stores.ts';

const QueueUrl = 'http://localhost/000000000000/events';

interface Received {
  readonly Messages?: readonly { readonly Body: string; readonly ReceiptHandle: string }[];
}

let folder = '';
let server: ReturnType<typeof buildApp>;
let kept: KeptQueues;

/** A process that finds what an earlier one left in the folder. The earlier one closed nothing, as after SIGKILL. */
async function start(): Promise<void> {
  server = buildApp({ logger: false });
  kept = keepQueues(server, folder);
  await call('CreateQueue', { QueueName: 'events' });
  await kept.restore();
}

async function call<T>(action: string, input: object): Promise<T> {
  const response = await server.inject({
    method: 'POST',
    url: '/',
    headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `AmazonSQS.${action}` },
    payload: JSON.stringify(input),
  });
  expect(response.statusCode).toBe(200);
  return response.json<T>();
}

async function receive(): Promise<NonNullable<Received['Messages']>> {
  return (await call<Received>('ReceiveMessage', { QueueUrl, MaxNumberOfMessages: 10 })).Messages ?? [];
}

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'svc-kept-'));
  await start();
});
afterEach(async () => {
  await server.close();
  kept.close();
  await rm(folder, { recursive: true });
});

it('restores messages that were not deleted, in order, received ones too', async () => {
  await call('SendMessage', { QueueUrl, MessageBody: 'one' });
  const batch = ['two', 'three', 'four'].map((MessageBody, Id) => ({ Id: String(Id), MessageBody }));
  await call('SendMessageBatch', { QueueUrl, Entries: batch });
  const [one, two] = await receive();
  await call('DeleteMessage', { QueueUrl, ReceiptHandle: one?.ReceiptHandle });
  await call('DeleteMessageBatch', { QueueUrl, Entries: [{ Id: '0', ReceiptHandle: two?.ReceiptHandle }] });

  await start();
  expect((await receive()).map(({ Body }) => Body)).toEqual(['three', 'four']);
  // Restored once more, not twice.
  await start();
  const left = await receive();
  expect(left.map(({ Body }) => Body)).toEqual(['three', 'four']);
  const Entries = left.map(({ ReceiptHandle }, Id) => ({ Id: String(Id), ReceiptHandle }));
  await call('DeleteMessageBatch', { QueueUrl, Entries });
  await start();
  expect(await receive()).toEqual([]);
});

it('restores the delay of a message', async () => {
  await call('SendMessage', { QueueUrl, MessageBody: 'later', DelaySeconds: 600 });
  await start();
  const { messages } = (await server.inject('/_fauxqs/queues/events')).json();
  expect(messages).toMatchObject({ ready: [], delayed: [{ body: 'later' }] });
  expect(messages.delayed[0].delayUntil - Date.now()).toBeGreaterThan(590_000);
});

it('fails the start if a queue is gone', async () => {
  await call('CreateQueue', { QueueName: 'old' });
  await call('SendMessage', { QueueUrl: 'http://localhost/000000000000/old', MessageBody: 'body' });
  await expect(start()).rejects.toThrow("a message kept for the queue 'old' was refused: 400");
});
