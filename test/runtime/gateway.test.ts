import { contractSuite } from '../contract/contract-suite.ts';
import { PROVIDER_TIMEOUT_MS, type ProviderSettings, type Service } from '../contract/service.ts';
import { startDeployment } from './deployment.ts';
import { putAdminKey } from './put-admin-key.ts';

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

contractSuite('the functions under the Lambda runtime', startFunctions, {
  'raw requests': 'a function URL answers broken HTTP itself',
  'raw bytes in a body': 'a function URL makes text of the body first',
  'its own size limit': "the platform's 413 comes first",
  'requests at once': 'a function instance takes one request after another, and there is one here',
  'client disconnects': 'a function is not told that its caller left',
});
