import { readThreatId, toThreats } from '../../core/analytics/list-requests.ts';
import { GatewayError } from '../../core/errors.ts';
import { readJsonBody } from '../../core/http/request-body.ts';
import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';
import { markThreatSchema } from '../../core/model/analytics.ts';
import { toValidationError } from '../../core/protocols/first-fault.ts';
import { type AnalyticsDeps, requirePermission } from '../analytics/analytics-service.ts';

/** `PATCH /v1/analytics/threats/{id}`: marks a finding as right or wrong, or takes that back. */
export function markThreatRoute(deps: AnalyticsDeps): Route {
  return {
    method: 'PATCH',
    path: '/v1/analytics/threats/{id}',
    async handle(routed) {
      await requirePermission('admin', routed, deps);
      const { value } = await readJsonBody(routed.request);
      const body = markThreatSchema.safeParse(value);
      if (!body.success) throw toValidationError(body.error, value);
      const position = readThreatId(routed.params.id as string);
      const marked = position && (await deps.records.mark(position, position.finding, body.data.mark));
      if (position === undefined || marked === undefined) {
        throw new GatewayError('not_found', 'There is no such threat, or it has expired.');
      }
      return jsonResponse(200, toThreats(marked)[position.finding]);
    },
  };
}
