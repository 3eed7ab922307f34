import { seriesOf } from '../../core/analytics/query-aggregates.ts';
import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';
import { type AnalyticsDeps, requireAnalytics } from '../analytics/analytics-service.ts';
import { intervalOf, readQuery, timeseriesQuerySchema, toAggregateQuery } from '../analytics/query.ts';

/** `GET /v1/analytics/timeseries`: the same for each hour or day. */
export function analyticsTimeseriesRoute(deps: AnalyticsDeps): Route {
  return {
    method: 'GET',
    path: '/v1/analytics/timeseries',
    async handle(routed) {
      await requireAnalytics(routed, deps);
      const asked = readQuery(routed.request.url, timeseriesQuerySchema);
      const { interval: _, ...rest } = asked;
      const query = toAggregateQuery(rest, deps.clock.now());
      return jsonResponse(200, await seriesOf(query, intervalOf(asked, query), deps.aggregates));
    },
  };
}
