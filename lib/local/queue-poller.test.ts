import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { eventually } from '../../test/support/eventually.ts';
import { useStores } from './create-resources.ts';
import { pollQueue, type QueuePoller } from './queue-poller.ts';

/** Calls that wait for messages, and the receipts of deleted ones. */
let waiting: ServerResponse[];
let deleted: string[];
let poller: QueuePoller;
const queue = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  response.setHeader('content-type', 'application/x-amz-json-1.0');
  if (String(request.headers['x-amz-target']).endsWith('ReceiveMessage')) {
    waiting.push(response);
    return;
  }
  const { Entries } = JSON.parse(body) as { Entries: { ReceiptHandle: string }[] };
  deleted.push(...Entries.map(({ ReceiptHandle }) => ReceiptHandle));
  response.end(JSON.stringify({ Successful: [], Failed: [] }));
});

/** Ends the call that waits, with messages of these names. */
async function send(...names: string[]): Promise<void> {
  const call = await eventually(() => waiting.shift());
  const Messages = names.map((name) => ({
    ...{ MessageId: name, Body: name, ReceiptHandle: name },
    MD5OfBody: createHash('md5').update(name).digest('hex'),
  }));
  call.end(JSON.stringify({ Messages }));
}

beforeEach(async () => {
  [waiting, deleted] = [[], []];
  queue.listen(0, '127.0.0.1');
  await once(queue, 'listening');
  const url = `http://127.0.0.1:${(queue.address() as AddressInfo).port}`;
  useStores(url, url);
});
afterEach(async () => {
  await poller.stop();
  queue.closeAllConnections();
  queue.close();
});

it('receives by one call while batches are processed, until there are as many as allowed', async () => {
  const started: string[] = [];
  const ends: (() => void)[] = [];
  poller = pollQueue({
    queueUrl: 'http://localhost/events',
    batchesAtOnce: 2,
    deliver: async ({ Records }) => {
      started.push(...Records.map(({ body }) => body));
      await new Promise<void>((resolve) => ends.push(resolve));
      return { batchItemFailures: [] };
    },
  });
  await eventually(() => waiting.length > 0);
  expect(waiting).toHaveLength(1);
  await send('one');
  await send('two', 'three');
  await eventually(() => started.length === 3);
  // The end of a batch, not the start of the second one, makes room for another call.
  expect(waiting).toEqual([]);
  ends.shift()?.();
  await send('four');
  await eventually(() => started.length === 4);
  expect(deleted).toEqual(['one']);
  for (const end of ends) end();
  await eventually(() => deleted.length === 4 && waiting.length > 0);
  expect(waiting).toHaveLength(1);
});

it('deletes the messages of a batch that did not fail, and none of a batch that failed as a whole', async () => {
  poller = pollQueue({
    queueUrl: 'http://localhost/events',
    batchesAtOnce: 2,
    deliver: async ({ Records }) => {
      if (Records.some(({ body }) => body === 'broken')) throw new Error('the whole batch');
      return { batchItemFailures: [{ itemIdentifier: 'late' }] };
    },
  });
  await send('broken', 'beside it');
  await send('first', 'late', 'last');
  await eventually(() => deleted.length > 0);
  expect(deleted).toEqual(['first', 'last']);
});
