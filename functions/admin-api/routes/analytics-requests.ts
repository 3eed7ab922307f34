import { listRequests } from '../../core/analytics/list-requests.ts';
import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';
import { type AnalyticsDeps, requireAnalytics } from '../analytics/analytics-service.ts';
import { listRange, readListCursor, readQuery, requestsQuerySchema, toListAnswer } from '../analytics/query.ts';

/** `GET /v1/analytics/requests`: the records of requests, newest first. */
export function analyticsRequestsRoute(deps: AnalyticsDeps): Route {
  return {
    method: 'GET',
    path: '/v1/analytics/requests',
    async handle(routed) {
      await requireAnalytics(routed, deps);
      const { limit, cursor, ...filter } = readQuery(routed.request.url, requestsQuerySchema);
      const after = readListCursor(cursor);
      const page = await listRequests({ ...filter, ...listRange(filter) }, limit, after, deps.records);
      return jsonResponse(
        200,
        toListAnswer(page, (record) => ({ object: 'request', ...record })),
      );
    },
  };
}
