import { GatewayError } from '../../core/errors.ts';
import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';
import { type AnalyticsDeps, requirePermission } from '../analytics/analytics-service.ts';

/** `GET /v1/analytics/requests/{id}/capture`: the texts of a request, where the policy of its key keeps them. */
export function analyticsCaptureRoute(deps: AnalyticsDeps): Route {
  return {
    method: 'GET',
    path: '/v1/analytics/requests/{id}/capture',
    async handle(routed) {
      // Totals are for many eyes, what people wrote is not.
      await requirePermission('admin', routed, deps);
      const requestId = routed.params.id as string;
      const capture = /^req_[0-9a-f]{32}$/.test(requestId) ? await deps.captures.read(requestId) : undefined;
      if (capture === undefined) throw new GatewayError('not_found', 'No text of this request is kept.');
      return jsonResponse(200, { object: 'capture', requestId, ...capture });
    },
  };
}
