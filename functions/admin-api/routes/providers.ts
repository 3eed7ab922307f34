import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';
import { readProviderHealth } from '../../core/routing/provider-health.ts';
import { type AdminDeps, readChange, requireAdmin } from '../admin-deps.ts';
import { testProviderSchema } from '../contract.ts';

/**
 * `/v1/admin/providers` and `/v1/admin/routes`: what the gateway is configured with. No response has a credential. Providers' code is loaded
 * when needed: no other route uses it.
 */
export function providerRoutes(deps: AdminDeps): Route[] {
  return [listProvidersRoute(deps), testProviderRoute(deps), listRoutesRoute(deps)];
}

/** `GET /v1/admin/providers`: configured providers and those of routes first, with their health. */
function listProvidersRoute(deps: AdminDeps): Route {
  return {
    method: 'GET',
    path: '/v1/admin/providers',
    async handle(routed) {
      await requireAdmin(routed, deps);
      const [{ listProviders }, report] = await Promise.all([
        import('../upstream.ts'),
        readProviderHealth(deps.records, deps.clock.now()),
      ]);
      return jsonResponse(200, await listProviders(deps.upstream, report));
    },
  };
}

/** `GET /v1/admin/routes`: in the order in which they are tried. */
function listRoutesRoute(deps: AdminDeps): Route {
  return {
    method: 'GET',
    path: '/v1/admin/routes',
    async handle(routed) {
      await requireAdmin(routed, deps);
      const { listRoutes } = await import('../upstream.ts');
      return jsonResponse(200, await listRoutes(deps.upstream));
    },
  };
}

/** `POST /v1/admin/providers/{name}/test`: sends one short request to the provider. In the audit log before it is sent. */
function testProviderRoute(deps: AdminDeps): Route {
  return {
    method: 'POST',
    path: '/v1/admin/providers/{name}/test',
    async handle(routed) {
      const { fields, caller } = await readChange(routed, testProviderSchema, deps, { isOptional: true });
      const { runTest } = await import('../upstream.ts');
      return jsonResponse(200, await runTest(routed.params.name as string, fields.model, caller, deps));
    },
  };
}
