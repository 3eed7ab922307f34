import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDynamoClient, createSqsClient } from '../../functions/adapters/aws/clients.ts';
import { createSecretSealer } from '../../functions/adapters/aws/secret-sealer.ts';
import { DynamoDeliveryStore } from '../../functions/adapters/dynamo/dynamo-delivery-store.ts';
import { DynamoWebhookStore } from '../../functions/adapters/dynamo/dynamo-webhook-store.ts';
import { tableVariables } from '../../functions/adapters/dynamo/tables.ts';
import { systemClock } from '../../functions/adapters/node/process-time.ts';
import { deliveryIdOf, mintWebhookSecret, newWebhookId } from '../../functions/control/webhooks/index.ts';
import type { Webhook } from '../../functions/kernel/model/index.ts';
import { embeddedAccess } from '../../lib/local/create-resources.ts';
import { type InvokedFunction, startInvokedFunction } from './invoked-function.ts';

const SEALING_ARN = 'arn:aws:secretsmanager:eu-central-1:000000000000:secret:sealing-key';
const SEALING_KEY = 's'.repeat(64);

let delivery: InvokedFunction;
beforeAll(async () => {
  delivery = await startInvokedFunction({
    bundle: 'webhook-delivery',
    role: 'WebhookDeliveryRole',
    secrets: { [SEALING_ARN]: SEALING_KEY },
    env: ({ deliveriesQueueUrl }, { queueUrl }) => ({
      ...tableVariables('webhook-delivery', (table) => table),
      SVC_DELIVERIES_QUEUE_URL: queueUrl(deliveriesQueueUrl),
      SVC_SEALING_SECRET_ARN: SEALING_ARN,
      // Nothing that a deployment listens to.
      SVC_WEBHOOK_ALLOW_LOOPBACK: 'true',
    }),
  });
});
afterAll(() => delivery?.stop());

const invoke = (event: object) => delivery.invoke(event);

const message = (messageId: string, body: unknown) => ({
  messageId,
  body: JSON.stringify(body),
  eventSource: 'aws:sqs',
});

/** Messages that can never be processed: after five attempts they are in the dead-letter queue. */
const POISON: Readonly<Record<string, string>> = {
  'no JSON': '{"planted":',
  'another object': '{"planted":"text"}',
  'a wake-up without an endpoint': '{"wake":{"planted":1}}',
};
/** The other messages of the two queues. */
const GOOD: Readonly<Record<string, (at: number) => object>> = {
  events: (at) => ({ id: `evt_p${at}`, type: 'key.created', created: '2026-11-21T09:00:00.000Z', data: {} }),
  deliveries: (at) => ({ wake: `wh_${at}` }),
};

describe.each(Object.entries(POISON))('%s', (_name, poison) => {
  test.each(
    Object.keys(GOOD).flatMap((queue) => [[0], [5], [9], [0, 4, 5, 9]].map((places) => [queue, places] as const)),
  )('among %s at %j of ten is reported alone, and delays no other', async (queue, places) => {
    const Records = Array.from({ length: 10 }, (_, at) => ({
      ...message(`m${at}`, GOOD[queue]?.(at)),
      ...(places.includes(at) && { body: poison }),
    }));
    expect(await invoke({ Records })).toEqual({
      batchItemFailures: places.map((at) => ({ itemIdentifier: `m${at}` })),
    });
    expect(delivery.logs().join('\n')).not.toContain('planted');
  });
});

test('the deployed bundle accepts events and wake messages, reports which to retry, and connects to nothing in its network', async () => {
  const { stores } = delivery;
  const dynamo = createDynamoClient(embeddedAccess(stores.dynamodbUrl));
  const sqs = createSqsClient(embeddedAccess(stores.sqsUrl));
  const webhook: Webhook = {
    id: newWebhookId(Date.now()),
    url: 'https://127.0.0.1:9/hook',
    events: ['key.created'],
    filter: {},
    description: null,
    state: 'active',
    disabledReason: null,
    failingSince: null,
    createdAt: new Date().toISOString(),
    secrets: [mintWebhookSecret(Date.now())],
  };
  await new DynamoWebhookStore(
    dynamo,
    'webhooks',
    createSecretSealer(async () => SEALING_KEY),
    systemClock,
  ).create(webhook);
  const event = { id: 'evt_1', type: 'key.created', created: '2026-11-21T09:00:00.000Z', data: { id: 'key_1' } };
  const taken = await invoke({ Records: [message('m1', event), message('m2', { nonsense: true })] });
  expect(taken).toEqual({ batchItemFailures: [{ itemIdentifier: 'm2' }] });
  const { Messages } = await sqs.send(new ReceiveMessageCommand({ QueueUrl: stores.deliveriesQueueUrl }));
  expect(Messages?.map(({ Body }) => JSON.parse(Body ?? ''))).toEqual([{ wake: webhook.id }]);

  expect(await invoke({ Records: [message('m3', { wake: webhook.id })] })).toEqual({ batchItemFailures: [] });
  const store = new DynamoDeliveryStore(dynamo, 'deliveries', systemClock, 30);
  expect(await store.get(deliveryIdOf('evt_1', webhook.id))).toMatchObject({
    state: 'pending',
    attempts: [{ failure: 'address', status: null }],
  });
  expect(await invoke({ source: 'aws.events' })).toBeNull();
});
