import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { createDynamoClient } from '../../functions/adapters/aws/clients.ts';
import { embeddedAccess } from './create-resources.ts';
import { startEmbeddedStores } from './embedded-stores.ts';

// Dynalite throws outside of any call, which fails this test, if a write finds its table closed.
test('writes that have reached the stores end before the tables are closed', async () => {
  const stores = await startEmbeddedStores();
  const client = createDynamoClient(embeddedAccess(stores.dynamodbUrl));
  const writes = Array.from({ length: 40 }, (_, at) =>
    client.send(new PutCommand({ TableName: 'records', Item: { pk: 'a', sk: String(at) } })),
  );
  const ended = Promise.allSettled(writes);
  await writes[0];
  await stores.stop();
  // Once more changes nothing.
  await stores.stop();
  expect((await ended)[0]?.status).toBe('fulfilled');
  await expect(client.send(new PutCommand({ TableName: 'records', Item: { pk: 'a', sk: 'late' } }))).rejects.toThrow(
    'connect',
  );
});
