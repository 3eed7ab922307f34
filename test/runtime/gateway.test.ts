import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoKeyStore } from '../../functions/adapters/dynamo-key-store.ts';
import { createKeyHasher } from '../../functions/adapters/hmac-key-hasher.ts';
import { systemClock } from '../../functions/adapters/system-clock.ts';
import { makeKey } from '../../functions/admin-api/admin-service.ts';
import { createKeySchema } from '../../functions/core/model/api-key.ts';
import { contractSuite } from '../contract/contract-suite.ts';
import { PROVIDER_TIMEOUT_MS, type ProviderSettings, type Service } from '../contract/service.ts';
import { type Deployment, startDeployment } from './deployment.ts';

/** The deployed bundles, with a first admin key put into the table as a deployment's script would. */
async function startFunctions(providers: ProviderSettings): Promise<Service> {
  const settings = { SVC_PROVIDER_TIMEOUT_MS: String(PROVIDER_TIMEOUT_MS) };
  const deployment = await startDeployment(providers, settings);
  const { baseUrl, adminUrl, logs, stop } = deployment;
  try {
    return { baseUrl, adminUrl, adminKey: await putAdminKey(deployment), logs: () => logs().join('\n'), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function putAdminKey({ pepper, stores }: Deployment): Promise<string> {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const dynamo = new DynamoDBClient({ region: 'eu-central-1', endpoint: stores.dynamodbUrl, credentials });
  const fields = createKeySchema.parse({ name: 'First admin key', permissions: ['admin'] });
  const { key, secret } = await makeKey(
    fields,
    createKeyHasher(async () => pepper),
    systemClock,
  );
  await new DynamoKeyStore(dynamo, 'keys').create(key);
  dynamo.destroy();
  return secret;
}

contractSuite('the functions under the Lambda runtime', startFunctions, {
  'raw requests': 'a function URL answers broken HTTP itself',
  'raw bytes in a body': 'a function URL makes text of the body first',
  'its own size limit': "the platform's 413 comes first",
  'client disconnects': 'a function is not told that its caller left',
});
