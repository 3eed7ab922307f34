import { audit } from '../../core/audit/audit-change.ts';
import { GatewayError } from '../../core/base/errors.ts';
import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';
import { type AdminDeps, requireAdmin } from '../admin-service.ts';

/**
 * `GET /v1/analytics/requests/{id}/capture`: the texts of a request, where the policy of its key keeps them. Who reads them
 * is on record before they are shown.
 */
export function analyticsCaptureRoute(deps: AdminDeps): Route {
  return {
    method: 'GET',
    path: '/v1/analytics/requests/{id}/capture',
    async handle(routed) {
      // Totals are for many eyes, what people wrote is not.
      const caller = await requireAdmin(routed, deps);
      const requestId = routed.params.id as string;
      const capture = /^req_[0-9a-f]{32}$/.test(requestId) ? await deps.captures.read(requestId) : undefined;
      if (capture === undefined) throw new GatewayError('not_found', 'No text of this request is kept.');
      const target = { type: 'capture', id: requestId } as const;
      await audit(caller, { action: 'capture.read', target, before: null, after: null }, deps);
      return jsonResponse(200, { object: 'capture', requestId, ...capture });
    },
  };
}
