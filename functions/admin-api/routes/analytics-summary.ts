import { summarize } from '../../core/analytics/query-aggregates.ts';
import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';
import { type AnalyticsDeps, requireAnalytics } from '../analytics/analytics-service.ts';
import { readQuery, summaryQuerySchema, toAggregateQuery } from '../analytics/query.ts';

/** `GET /v1/analytics/summary`: what the requests of a range add up to. */
export function analyticsSummaryRoute(deps: AnalyticsDeps): Route {
  return {
    method: 'GET',
    path: '/v1/analytics/summary',
    async handle(routed) {
      await requireAnalytics(routed, deps);
      const query = readQuery(routed.request.url, summaryQuerySchema);
      return jsonResponse(200, await summarize(toAggregateQuery(query, deps.clock.now()), deps.aggregates));
    },
  };
}
