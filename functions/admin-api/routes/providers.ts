import type { providerOperations } from '../../contract/index.ts';
import { readProviderHealth } from '../../control/analytics/index.ts';
import type { AdminDeps } from '../admin-deps.ts';
import type { Handlers } from '../operation-routes.ts';

/**
 * What the gateway is configured with. No response has a credential. Providers' code is loaded when needed: no other operation uses it.
 */
export const PROVIDER_HANDLERS: Handlers<typeof providerOperations, AdminDeps> = {
  /** Configured providers and those of routes first, with their health. */
  async listProviders(_, deps) {
    const [{ listProviders, upstreamNow }, report] = await Promise.all([
      import('../upstream.ts'),
      readProviderHealth(deps.records, deps.clock.now()),
    ]);
    return listProviders(await upstreamNow(deps), report);
  },
  /** Sends one short request to the provider. In the audit log before it is sent. */
  async testProvider({ params, body, caller }, deps) {
    const { runTest } = await import('../upstream.ts');
    return runTest(params.name, body.model, caller, deps);
  },
};
