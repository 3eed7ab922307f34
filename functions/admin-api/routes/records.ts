import type { Mark, recordOperations, Threat } from '../../contract/index.ts';
import { type ListPosition, readThreatId, toThreats } from '../../control/analytics/index.ts';
import { audit, auditVoid, type Caller } from '../../control/audit/index.ts';
import { deliveryIdOf, toDeliveryView } from '../../control/webhooks/index.ts';
import { GatewayError } from '../../kernel/errors/index.ts';
import { isRequestId } from '../../kernel/http/index.ts';
import { eventIdOf } from '../../kernel/model/index.ts';
import type { AdminDeps } from '../admin-deps.ts';
import type { Handlers } from '../operation-routes.ts';

/** A stage has fewer webhooks. */
const MAX_WEBHOOKS = 100;

/** For administrators with `analytics`: marks of findings, captured texts, and webhook deliveries of a request. */
export const RECORD_HANDLERS: Handlers<typeof recordOperations, AdminDeps> = {
  async markThreat({ params, body, caller }, deps) {
    const position = readThreatId(params.id);
    if (position === undefined) throw noThreat();
    return markThreat(position, body.mark, caller, deps);
  },
  /** The read is in the audit log before the texts are shown. */
  async getCapture({ params: { id: requestId }, caller }, deps) {
    const capture = isRequestId(requestId) ? await deps.captures.read(requestId) : undefined;
    if (capture === undefined) throw new GatewayError('not_found', 'No text of this request is stored.');
    const target = { type: 'capture', id: requestId } as const;
    await audit(caller, { action: 'capture.read', target, teams: [capture.teamId], before: null, after: null }, deps);
    return { object: 'capture', requestId, ...capture, answer: [...capture.answer] };
  },
  async listRequestDeliveries({ params }, deps) {
    const eventId = eventIdOf(params.id);
    const { webhooks } = await deps.webhooks.list(MAX_WEBHOOKS, undefined);
    const ids = webhooks.map(({ webhook }) => deliveryIdOf(eventId, webhook.id));
    const deliveries = ids.length === 0 ? [] : await deps.deliveries.read(ids);
    return { object: 'list', data: deliveries.map(toDeliveryView), nextCursor: null };
  },
};

async function markThreat(position: ListPosition, mark: Mark | null, caller: Caller, deps: AdminDeps): Promise<Threat> {
  const stored = await deps.records.read(position);
  const threat = stored && toThreats(stored)[position.finding];
  if (stored === undefined || threat === undefined) throw noThreat();
  if (threat.mark === mark) return threat;
  const target = { type: 'threat', id: threat.id } as const;
  const change = { before: { mark: threat.mark }, after: { mark } };
  const entry = await audit(
    caller,
    { action: 'threat.marked', target, teams: [stored.record.teamId], ...change },
    deps,
  );
  const marked = await deps.records.mark(position, position.finding, mark);
  if (marked !== undefined) return toThreats(marked)[position.finding] as Threat;
  // It was deleted just now.
  await auditVoid(caller, entry, deps);
  throw noThreat();
}

/** @returns the 404 of a finding */
export function noThreat(): GatewayError {
  return new GatewayError('not_found', 'There is no such finding, or it has expired.');
}
