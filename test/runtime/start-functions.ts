import type { GatewayEnv } from '../../functions/gateway/env.ts';
import { PROVIDER_TIMEOUT_MS, type ProviderSettings, type Service } from '../contract/service.ts';
import { type DeploymentOptions, startDeployment } from './deployment.ts';
import { putAdminKey } from './put-admin-key.ts';

/** The deployed bundles, with a first admin key put into the table as a deployment's script would. */
export async function startFunctions(
  providers: ProviderSettings,
  settings: Partial<GatewayEnv> = {},
  options: DeploymentOptions = {},
): Promise<Service> {
  const all = { SVC_PROVIDER_TIMEOUT_MS: String(PROVIDER_TIMEOUT_MS), ...settings };
  const deployment = await startDeployment(providers, all, options);
  const { baseUrl, adminUrl, logs, stop } = deployment;
  try {
    return { baseUrl, adminUrl, adminKey: await putAdminKey(deployment), logs: () => logs().join('\n'), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
