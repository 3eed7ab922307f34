import { findSessions } from '../../core/analytics/list-sessions.ts';
import { GatewayError } from '../../core/base/errors.ts';
import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';
import { type AnalyticsDeps, requireAnalytics } from '../analytics/analytics-service.ts';
import { readQuery, sessionQuerySchema } from '../analytics/query.ts';

/** `GET /v1/analytics/sessions/{id}`: one session, by the id that `X-Svc-Session-Id` tells. */
export function analyticsSessionRoute(deps: AnalyticsDeps): Route {
  return {
    method: 'GET',
    path: '/v1/analytics/sessions/{id}',
    async handle(routed) {
      await requireAnalytics(routed, deps);
      const { keyId } = readQuery(routed.request.url, sessionQuerySchema);
      const named = await findSessions(routed.params.id as string, deps.aggregates);
      const found = named.filter((session) => keyId === undefined || session.keyId === keyId);
      if (found.length > 1) {
        throw new GatewayError('invalid_value', "Several keys have a session of this name: send 'keyId'.", {
          param: 'keyId',
        });
      }
      if (found.length === 0) throw new GatewayError('not_found', 'There is no such session.');
      return jsonResponse(200, found[0]);
    },
  };
}
