import { listThreats } from '../../core/analytics/list-requests.ts';
import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';
import { type AnalyticsDeps, requireAnalytics } from '../analytics/analytics-service.ts';
import { listRange, readListCursor, readQuery, threatsQuerySchema, toListAnswer } from '../analytics/query.ts';

/** `GET /v1/analytics/threats`: findings, those of the newest request first. */
export function analyticsThreatsRoute(deps: AnalyticsDeps): Route {
  return {
    method: 'GET',
    path: '/v1/analytics/threats',
    async handle(routed) {
      await requireAnalytics(routed, deps);
      const { limit, cursor, ...filter } = readQuery(routed.request.url, threatsQuerySchema);
      const after = readListCursor(cursor);
      const page = await listThreats({ ...filter, ...listRange(filter) }, limit, after, deps.records);
      return jsonResponse(
        200,
        toListAnswer(page, (threat) => threat),
      );
    },
  };
}
