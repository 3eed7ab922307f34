import { identityContract } from '../contract/administration/identities.ts';
import { startDeployment } from './deployment.ts';
import { putAdminKey } from './put-admin-key.ts';

identityContract(async (providers, settings) => {
  const deployment = await startDeployment(providers, settings, { home: 'function-url', instances: 4 });
  const { baseUrl, adminUrl, logs, stop } = deployment;
  return { baseUrl, adminUrl, adminKey: await putAdminKey(deployment), logs: () => logs().join('\n'), stop };
});
