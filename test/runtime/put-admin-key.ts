import { createDynamoClient } from '../../functions/adapters/aws/clients.ts';
import { DynamoKeyStore } from '../../functions/adapters/dynamo/dynamo-key-store.ts';
import { createKeyHasher } from '../../functions/adapters/node/hmac-key-hasher.ts';
import { systemClock } from '../../functions/adapters/node/process-time.ts';
import { makeKey } from '../../functions/control/keys/index.ts';
import { createKeySchema } from '../../functions/kernel/model/index.ts';
import { embeddedAccess } from '../../lib/local/create-resources.ts';
import type { Deployment } from './deployment.ts';

/** Puts a first admin key into the table, as a deployment's script would. @returns its secret */
export async function putAdminKey({ pepper, stores }: Deployment): Promise<string> {
  const dynamo = createDynamoClient(embeddedAccess(stores.dynamodbUrl));
  const fields = createKeySchema.parse({ name: 'First admin key', permissions: ['admin'] });
  const { key, secret } = await makeKey(
    fields,
    createKeyHasher(async () => pepper),
    systemClock,
  );
  await new DynamoKeyStore(dynamo, 'keys').create(key);
  return secret;
}
