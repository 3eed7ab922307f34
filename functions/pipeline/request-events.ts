import { LRUCache } from 'lru-cache';
import type { Refusal } from '../control/limits/index.ts';
import { type SessionScore, suspicionOf } from '../control/sessions/index.ts';
import { sha256 } from '../kernel/crypto/index.ts';
import {
  type DetectedThreat,
  environmentOf,
  eventIdOf,
  type GatewayEvent,
  newEventId,
  type RequestEventData,
  SYNTHETIC_CHECK_KEY_ID,
  withoutUnusualNames,
} from '../kernel/model/index.ts';
import { type RunningRequest, sessionIdOf } from './request-outcome.ts';
import { callerOf, recordedField, strongest } from './request-record.ts';

const ID_DIGITS = 32;

type Ended = Pick<RunningRequest, 'context' | 'outcome'>;

/**
 * The event of a request that has ended; undefined if there is nothing to report, and for the synthetic check, which blocks each minute. A
 * changed tool is reported by a request without another event.
 */
export function eventOf(request: Ended, refusals: RefusalNotices, nowMs: number): GatewayEvent | undefined {
  return ownEventOf(request, refusals, nowMs) ?? changeEventOf(request, nowMs);
}

/** Each process that sees the change makes an event with the same id, of which a webhook gets one. */
function changeEventOf({ outcome: { changedTool } }: Ended, nowMs: number): GatewayEvent | undefined {
  if (changedTool === undefined) return undefined;
  const { data, published } = changedTool;
  published();
  const digest = sha256(
    Buffer.from(`${data.server}/${data.tool} ${data.digest ?? `removed ${data.approvedDigest}`}`),
  ).toString('hex');
  const id = eventIdOf(digest.slice(0, ID_DIGITS));
  return { id, created: new Date(nowMs).toISOString(), type: 'mcp.tool_changed', data };
}

function ownEventOf(request: Ended, refusals: RefusalNotices, nowMs: number): GatewayEvent | undefined {
  const { context, outcome } = request;
  if (context.key.id === SYNTHETIC_CHECK_KEY_ID) return undefined;
  const { ending, refusal } = outcome;
  const { findings } = outcome.inspection;
  const named = () => ({
    id: eventIdOf(context.requestId),
    created: new Date(nowMs).toISOString(),
  });
  if (refusal !== undefined) {
    const count = refusals.take(context.key.id, refusal, nowMs);
    if (count === undefined) return undefined;
    const type = refusal.limit === 'budget' ? 'budget.exceeded' : 'rate_limit.exceeded';
    return { ...named(), type, data: { ...requestOf(request), ...refusalOf(refusal), count } };
  }
  // A refused request was not served: its findings would only repeat those of an admitted one.
  if (ending === 'refused' || (ending !== 'blocked' && findings.action === 'allow')) return undefined;
  // The guard route blocks nothing, even if its action is `block`.
  const type = ending === 'blocked' ? 'request.blocked' : 'threat.detected';
  const { threatScore, action } = findings;
  const detectedThreats = strongest(findings.threats).map(withoutNames);
  return { ...named(), type, data: { ...requestOf(request), threatScore, detectedThreats, action } };
}

/** The event of a session that this turn brought to the policy's flag score; undefined if it did not. */
export function flaggedEvent(
  request: Ended,
  known: SessionScore | undefined,
  changed: SessionScore,
  nowMs: number,
): GatewayEvent | undefined {
  if (known?.flaggedAt !== undefined || changed.flaggedAt === undefined) return undefined;
  const threatScore = Math.round(suspicionOf(changed, nowMs) * 10_000) / 10_000;
  const created = new Date(nowMs).toISOString();
  return { id: newEventId(), created, type: 'session.flagged', data: { ...requestOf(request), threatScore } };
}

function requestOf({ context, outcome }: Ended): RequestEventData {
  const { requestId, key, tracking } = context;
  const { endUserId, environment } = tracking;
  const sessionId = sessionIdOf(context, outcome);
  return {
    requestId,
    keyId: key.id,
    ...callerOf(context),
    environment: environmentOf(environment ?? key.environment),
    ...(sessionId !== null && { sessionId }),
    ...(endUserId !== null && { endUserId }),
    model: outcome.asked.model,
  };
}

/** Names of fields that the caller chose may reveal as much as a text. */
export function withoutNames({ location, origin, ...threat }: DetectedThreat): DetectedThreat {
  return {
    ...threat,
    location: { ...location, field: recordedField(threat.type, location.field) },
    ...(origin !== undefined && { origin: withoutUnusualNames(origin) }),
  };
}

function refusalOf({ limit, tagBudget, team, tools, resetAtMs }: Refusal) {
  return {
    limit,
    resetTime: new Date(resetAtMs).toISOString(),
    ...(tagBudget !== undefined && { tag: { name: tagBudget.tag, value: tagBudget.value } }),
    ...(team !== undefined && { team: { id: team.id, name: team.name } }),
    ...(tools !== undefined && { tools: `${tools.server}/${tools.tools}` }),
  };
}

const RATE_NOTICE_EVERY_MS = 60_000;
const MAX_KNOWN = 10_000;

interface Known {
  /** No further event is published until then. */
  readonly untilMs: number;
  /** Refusals since the last event. */
  unpublished: number;
}

/** Decides which refusals this process publishes: for a key, one event a minute, and for a spent budget, one until its period ends. */
export class RefusalNotices {
  private readonly known = new LRUCache<string, Known>({ maxSize: MAX_KNOWN, sizeCalculation: () => 1 });

  /** @returns the number of refusals that an event reports, including this one; undefined if none is due */
  take(keyId: string, { limit, tagBudget, team, tools, resetAtMs }: Refusal, nowMs: number): number | undefined {
    const isBudget = limit === 'budget';
    const name = JSON.stringify([
      keyId,
      isBudget,
      tagBudget?.tag,
      tagBudget?.value,
      team?.id,
      tools?.server,
      tools?.tools,
    ]);
    const before = this.known.get(name);
    if (before !== undefined && nowMs < before.untilMs) {
      before.unpublished += 1;
      return undefined;
    }
    const untilMs = isBudget ? Math.max(resetAtMs, nowMs + 1) : nowMs + RATE_NOTICE_EVERY_MS;
    this.known.set(name, { untilMs, unpublished: 0 });
    return (before?.unpublished ?? 0) + 1;
  }
}

/** The changed tools of MCP servers that this process has reported. */
export class ToolNotices {
  private readonly known = new LRUCache<string, true>({ maxSize: MAX_KNOWN, sizeCalculation: () => 1 });

  has(change: string): boolean {
    return this.known.has(change);
  }

  add(change: string): void {
    this.known.set(change, true);
  }
}
