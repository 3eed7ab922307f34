import { configurationWalk } from '../contract/administration/configuration-walk.ts';
import { createFaultHook } from '../support/fault-hook.ts';
import { type Deployment, startDeployment } from './deployment.ts';
import { putAdminKey } from './put-admin-key.ts';

const hook = createFaultHook();
let deployment: Deployment | undefined;

configurationWalk(
  async (providers) => {
    // Two processes, one of which a fault ends.
    deployment = await startDeployment(providers, hook.env as object, { home: 'function-url', instances: 2 });
    const { baseUrl, adminUrl, logs, stop } = deployment;
    return { baseUrl, adminUrl, adminKey: await putAdminKey(deployment), logs: () => logs().join('\n'), stop };
  },
  () => ({ killProcess: hook.raise, loseTables: () => (deployment as Deployment).loseTables() }),
);
