import { summarize } from '../../core/analytics/query-aggregates.ts';
import { inParallel } from '../../core/base/batches.ts';
import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';
import type { Summary } from '../../core/model/analytics.ts';
import { type AnalyticsDeps, requireAnalytics } from '../analytics/analytics-service.ts';
import { readQuery, summaryQuerySchema, toAggregateQuery } from '../analytics/query.ts';

/** Nobody reads further, and each name is a look-up. */
const MAX_NAMED = 100;
const READS_AT_ONCE = 16;

/** `GET /v1/analytics/summary`: what the requests of a range add up to. */
export function analyticsSummaryRoute(deps: AnalyticsDeps): Route {
  return {
    method: 'GET',
    path: '/v1/analytics/summary',
    async handle(routed) {
      await requireAnalytics(routed, deps);
      const query = readQuery(routed.request.url, summaryQuerySchema);
      const summary = await summarize(toAggregateQuery(query, deps.clock.now()), deps.aggregates);
      return jsonResponse(200, query.groupBy === 'keyId' ? await withNames(summary, deps) : summary);
    },
  };
}

/** Who reads totals may not read keys, and an id tells nobody anything. */
async function withNames({ groups = [], ...summary }: Summary, { keys }: AnalyticsDeps): Promise<Summary> {
  const names = new Map<string | null, string>();
  await inParallel(groups.slice(0, MAX_NAMED), READS_AT_ONCE, async ({ group }) => {
    const stored = group === null ? undefined : await keys.get(group);
    if (stored !== undefined) names.set(group, stored.key.name);
  });
  const labelled = groups.map((one, at) => (at < MAX_NAMED ? { ...one, label: names.get(one.group) ?? null } : one));
  return { ...summary, groups: labelled };
}
