import { type ListPosition, readThreatId, toThreats } from '../../core/analytics/list-requests.ts';
import { audit, auditVoid, type Caller } from '../../core/audit/audit-change.ts';
import { GatewayError } from '../../core/base/errors.ts';
import { toValidationError } from '../../core/base/first-fault.ts';
import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';
import { type Mark, markThreatSchema, type Threat } from '../../core/model/analytics.ts';
import { readAdminBody } from '../admin-body.ts';
import { type AdminDeps, requireAdmin } from '../admin-service.ts';

/** `PATCH /v1/analytics/threats/{id}`: marks a finding as right or wrong, or takes that back. */
export function markThreatRoute(deps: AdminDeps): Route {
  return {
    method: 'PATCH',
    path: '/v1/analytics/threats/{id}',
    async handle(routed) {
      const caller = await requireAdmin(routed, deps);
      const value = await readAdminBody(routed.request);
      const body = markThreatSchema.safeParse(value);
      if (!body.success) throw toValidationError(body.error, value);
      const position = readThreatId(routed.params.id as string);
      if (position === undefined) throw noThreat();
      return jsonResponse(200, await markThreat(position, body.data.mark, caller, deps));
    },
  };
}

async function markThreat(position: ListPosition, mark: Mark | null, caller: Caller, deps: AdminDeps): Promise<Threat> {
  const stored = await deps.records.read(position);
  const threat = stored && toThreats(stored)[position.finding];
  if (threat === undefined) throw noThreat();
  if (threat.mark === mark) return threat;
  const target = { type: 'threat', id: threat.id } as const;
  const change = { before: { mark: threat.mark }, after: { mark } };
  const entry = await audit(caller, { action: 'threat.marked', target, ...change }, deps);
  const marked = await deps.records.mark(position, position.finding, mark);
  if (marked !== undefined) return toThreats(marked)[position.finding] as Threat;
  // It was deleted just now.
  await auditVoid(caller, entry, deps);
  throw noThreat();
}

function noThreat(): GatewayError {
  return new GatewayError('not_found', 'There is no such threat, or it has expired.');
}
