import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createDynamoClient } from '../../functions/adapters/aws/clients.ts';
import { DynamoSweepLog } from '../../functions/adapters/dynamo/dynamo-sweep-log.ts';
import { systemClock } from '../../functions/adapters/system-clock.ts';
import { composeWebhookDelivery } from '../../functions/webhook-delivery/compose.ts';
import { LOCAL_TABLES } from '../../lib/local/create-resources.ts';
import { embeddedAccess } from '../../lib/local/embedded-access.ts';
import { startEmbeddedStores } from '../../lib/local/embedded-stores.ts';

let stores: Awaited<ReturnType<typeof startEmbeddedStores>>;
beforeAll(async () => {
  stores = await startEmbeddedStores();
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: stores.dynamodbUrl,
    AWS_ENDPOINT_URL_SQS: stores.sqsUrl,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  });
});
afterAll(() => stores.stop());

test('a sweep is recorded when it ended', async () => {
  const log = new DynamoSweepLog(
    createDynamoClient(embeddedAccess(stores.dynamodbUrl)),
    LOCAL_TABLES.sweeps,
    systemClock,
  );
  expect(await log.last()).toBeUndefined();
  const startedAt = Date.now();
  const delivery = composeWebhookDelivery({
    tables: LOCAL_TABLES,
    deliveryDays: 30,
    deliveriesQueueUrl: stores.deliveriesQueueUrl,
    sealingKey: async () => 's'.repeat(64),
    allowLoopback: false,
  });
  await delivery.sweep();
  expect(await log.last()).toBeGreaterThanOrEqual(startedAt);
});
