import type { providerOperations } from '../../contract/index.ts';
import { readProviderHealth } from '../../control/analytics/index.ts';
import type { DocumentVersion } from '../../control/documents/index.ts';
import type { ProvidersDocument } from '../../kernel/configuration/index.ts';
import type { AdminDeps } from '../admin-deps.ts';
import { withETag } from '../documents.ts';
import type { Handlers } from '../operation-routes.ts';

const changes = () => import('../change-providers.ts');

/**
 * The providers of the settings, and those that administrators store. No response has a credential. Providers' code is loaded when needed:
 * no other operation uses it.
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
  async createProvider({ headers, body, caller }, deps) {
    const { addProvider } = await changes();
    const version = await addProvider(body, { headers, caller }, deps);
    return viewOf(body.name, version, deps);
  },
  async putProviders({ headers, body: { providers }, caller }, deps) {
    const { replaceProviders } = await changes();
    return replaceProviders({ providers } as ProvidersDocument, { headers, caller }, deps);
  },
  async rollbackProviders({ headers, body, caller }, deps) {
    const { rollBackProviders } = await changes();
    return rollBackProviders(body.version, { headers, caller }, deps);
  },
  listProvidersVersions: async (input, deps) => (await changes()).providerVersions.versions(input, deps),
  getProvidersVersion: async (input, deps) => (await changes()).providerVersions.version(input, deps),
  async getProvider({ params: { name } }, deps) {
    return viewOf(name, await deps.providers.current(), deps);
  },
  async updateProvider({ params: { name }, headers, body, caller }, deps) {
    const { changeProvider } = await changes();
    const version = await changeProvider(name, body, { headers, caller }, deps);
    return viewOf(name, version, deps);
  },
  async deleteProvider({ params: { name }, headers, caller }, deps) {
    const { removeProvider } = await changes();
    await removeProvider(name, { headers, caller }, deps);
    return { object: 'provider.deletion', name, deleted: true };
  },
  /** Sends one short request to the provider. In the audit log before it is sent. */
  async testProvider({ params, body, caller }, deps) {
    const { runTest } = await import('../upstream.ts');
    return runTest(params.name, body.model, caller, deps);
  },
};

/** The provider, with its health, and the version of all of them. @throws GatewayError `not_found` */
async function viewOf(name: string, version: DocumentVersion<ProvidersDocument>, deps: AdminDeps) {
  const [{ upstreamNow, viewProvider }, report] = await Promise.all([
    import('../upstream.ts'),
    readProviderHealth(deps.records, deps.clock.now()),
  ]);
  const upstream = { ...(await upstreamNow(deps)), stored: version.settings.providers };
  return withETag(await viewProvider(name, upstream, report), version);
}
