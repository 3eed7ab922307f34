import { toThreats } from '../../core/analytics/list-requests.ts';
import { GatewayError } from '../../core/base/errors.ts';
import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';
import type { RequestDetail } from '../../core/model/analytics.ts';
import { type AnalyticsDeps, requireAnalytics } from '../analytics/analytics-service.ts';
import { readQuery, requestQuerySchema } from '../analytics/query.ts';

/** `GET /v1/analytics/requests/{id}?time=`: one record, its findings with their marks. Records stand by their time. */
export function analyticsRequestRoute(deps: AnalyticsDeps): Route {
  return {
    method: 'GET',
    path: '/v1/analytics/requests/{id}',
    async handle(routed) {
      await requireAnalytics(routed, deps);
      const { time } = readQuery(routed.request.url, requestQuerySchema);
      const id = routed.params.id as string;
      const stored = /^req_[0-9a-f]{32}$/.test(id)
        ? await deps.records.read({ time: new Date(time).toISOString(), id })
        : undefined;
      if (stored === undefined)
        throw new GatewayError('not_found', 'There is no record of such a request at this time.');
      const detail: RequestDetail = { object: 'request', ...stored.record, findings: toThreats(stored) };
      return jsonResponse(200, detail);
    },
  };
}
