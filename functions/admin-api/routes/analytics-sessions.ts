import { listSessions } from '../../core/analytics/list-sessions.ts';
import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';
import { type AnalyticsDeps, requireAnalytics } from '../analytics/analytics-service.ts';
import { listQuerySchema, listRange, readQuery, readSessionCursor, writeCursor } from '../analytics/query.ts';

/** `GET /v1/analytics/sessions`: sessions that began in a range, the last first. */
export function analyticsSessionsRoute(deps: AnalyticsDeps): Route {
  return {
    method: 'GET',
    path: '/v1/analytics/sessions',
    async handle(routed) {
      await requireAnalytics(routed, deps);
      const { limit, cursor, ...filter } = readQuery(routed.request.url, listQuerySchema);
      const after = readSessionCursor(cursor);
      const page = await listSessions({ ...filter, ...listRange(filter) }, limit, after, deps.aggregates);
      const nextCursor = page.next === undefined ? null : writeCursor([page.next]);
      return jsonResponse(200, { object: 'list', data: page.items, nextCursor });
    },
  };
}
