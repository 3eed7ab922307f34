import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';
import { type AdminDeps, requireAdmin } from '../admin-deps.ts';
import type { Settings } from '../contract.ts';

/** `GET /v1/admin/settings`: how the deployment is set up. It has no secret, and is read without a store. */
export function settingsRoute(deps: AdminDeps): Route {
  return {
    method: 'GET',
    path: '/v1/admin/settings',
    async handle(routed) {
      await requireAdmin(routed, deps);
      const settings: Settings = { object: 'settings', ...deps.deployment };
      return jsonResponse(200, settings);
    },
  };
}
