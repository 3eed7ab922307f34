import type { Refusal } from '../limits/ledger.ts';
import { environmentOf } from '../model/analytics.ts';
import { type GatewayEvent, newEventId, type RequestEventData } from '../model/events.ts';
import type { DetectedThreat } from '../model/security-info.ts';
import { type SessionScore, suspicionOf } from '../sessions/suspicion.ts';
import type { Exchange } from './exchange.ts';
import { withoutCallersNames } from './field-names.ts';
import type { RefusalNotices } from './refusal-notices.ts';
import { strongest } from './strongest.ts';

/** What others are told of the exchange, one event at most: undefined where there is nothing to tell. */
export function eventOf(exchange: Exchange, refusals: RefusalNotices, nowMs: number): GatewayEvent | undefined {
  const { outcome, report, refusal } = exchange;
  const named = () => ({
    id: `evt_${exchange.requestId.slice('req_'.length)}`,
    created: new Date(nowMs).toISOString(),
  });
  if (refusal !== undefined) {
    const count = refusals.take(exchange.key.id, refusal, nowMs);
    if (count === undefined) return undefined;
    const type = refusal.limit === 'budget' ? 'budget.exceeded' : 'rate_limit.exceeded';
    return { ...named(), type, data: { ...requestOf(exchange), ...refusalOf(refusal), count } };
  }
  // A refused request was not served: its findings would only repeat what an admitted one tells.
  if (outcome === 'refused' || (outcome !== 'blocked' && report.action === 'allow')) return undefined;
  // What the guard only judged was not blocked.
  const type = outcome === 'blocked' ? 'request.blocked' : 'threat.detected';
  const { threatScore, action } = report;
  const detectedThreats = strongest(report.threats).map(withoutNames);
  return { ...named(), type, data: { ...requestOf(exchange), threatScore, detectedThreats, action } };
}

/** That the exchange's turn made its session add up to what its policy flags, which no turn before did. */
export function flaggedEvent(
  exchange: Exchange,
  known: SessionScore | undefined,
  changed: SessionScore,
  nowMs: number,
): GatewayEvent | undefined {
  if (known?.flaggedAt !== undefined || changed.flaggedAt === undefined) return undefined;
  const threatScore = Math.round(suspicionOf(changed, nowMs) * 10_000) / 10_000;
  const created = new Date(nowMs).toISOString();
  return { id: newEventId(), created, type: 'session.flagged', data: { ...requestOf(exchange), threatScore } };
}

function requestOf({ requestId, key, tracking, sessionId, model }: Exchange): RequestEventData {
  const { endUserId, environment } = tracking;
  return {
    requestId,
    keyId: key.id,
    environment: environmentOf(environment ?? key.environment),
    ...(sessionId !== null && { sessionId }),
    ...(endUserId !== null && { endUserId }),
    model,
  };
}

/** Names of fields that the caller chose may tell as much as a text. */
function withoutNames({ location, ...threat }: DetectedThreat): DetectedThreat {
  return { ...threat, location: { ...location, field: withoutCallersNames(location.field) } };
}

function refusalOf({ limit, tagBudget, resetAtMs }: Refusal) {
  return {
    limit,
    resetTime: new Date(resetAtMs).toISOString(),
    ...(tagBudget !== undefined && { tag: { name: tagBudget.tag, value: tagBudget.value } }),
  };
}
