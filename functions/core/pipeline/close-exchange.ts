import type { Refusal } from '../admission/ledger.ts';
import type { GatewayEvent } from '../ports/event-publisher.ts';
import type { Exchange, PipelineDeps } from './exchange.ts';
import type { RefusalNotices } from './refusal-notices.ts';
import { rememberTurn } from './session-past.ts';
import { toRequestRecord } from './to-request-record.ts';

/**
 * Begins what happens at the end of every exchange, however it ended: its turn is added to its session, events are
 * published, and there is one record. The answer waits for none of it; the platform is kept awake until it is done.
 */
export function closeExchange(exchange: Exchange, deps: PipelineDeps): void {
  exchange.end();
  deps.afterwards.add(finish(exchange, deps));
}

/** None of it rejects: the answer stands without what could not be stored, and the log says what is missing. */
async function finish(exchange: Exchange, deps: PipelineDeps): Promise<void> {
  const stored = Promise.all([writeRecord(exchange, deps), keepTexts(exchange, deps)]);
  await Promise.all([publishEvent(exchange, deps), rememberTurn(exchange, deps)]);
  deps.log.record(exchange.toRecord());
  await stored;
}

async function writeRecord(exchange: Exchange, { records, models, log }: PipelineDeps): Promise<void> {
  try {
    await records.write(toRequestRecord(exchange, models));
  } catch (error) {
    log.lost(exchange.requestId, 'record', error);
  }
}

async function keepTexts({ requestId, transcript }: Exchange, { captures, log }: PipelineDeps): Promise<void> {
  if (transcript === undefined || transcript.kept === 'none') return;
  try {
    await captures.write(requestId, transcript.toCapture());
  } catch (error) {
    log.lost(requestId, 'capture', error);
  }
}

async function publishEvent(exchange: Exchange, { events, clock, refusals }: PipelineDeps): Promise<void> {
  const event = eventOf(exchange, refusals, clock.now());
  if (event === undefined) return;
  try {
    await events.publish(event);
  } catch (error) {
    // The answer stands without its event; the record says that it is missing.
    exchange.noteInside(`event not published: ${error instanceof Error ? error.message : typeof error}`);
  }
}

/** What others are told of the exchange, one event at most: undefined where there is nothing to tell. */
function eventOf(exchange: Exchange, refusals: RefusalNotices, nowMs: number): GatewayEvent | undefined {
  const { outcome, report, refusal } = exchange;
  const id = `evt_${exchange.requestId.slice('req_'.length)}`;
  const created = new Date(nowMs).toISOString();
  if (refusal !== undefined) {
    const count = refusals.take(exchange.key.id, refusal, nowMs);
    if (count === undefined) return undefined;
    const type = refusal.limit === 'budget' ? 'budget.exceeded' : 'rate_limit.exceeded';
    return { id, created, type, data: { ...requestOf(exchange), ...refusalOf(refusal), count } };
  }
  // A refused request was not served: its findings would only repeat what an admitted one tells.
  if (outcome === 'refused' || (outcome !== 'blocked' && report.action === 'allow')) return undefined;
  // What the guard only judged was not blocked.
  const type = outcome === 'blocked' ? 'request.blocked' : 'threat.detected';
  const judged = { threatScore: report.threatScore, detectedThreats: report.threats, action: report.action };
  return { id, created, type, data: { ...requestOf(exchange), ...judged } };
}

function requestOf({ requestId, key, tracking, sessionId, model }: Exchange) {
  const { endUserId, environment } = tracking;
  return {
    requestId,
    keyId: key.id,
    environment: environment ?? key.environment,
    ...(sessionId !== null && { sessionId }),
    ...(endUserId !== null && { endUserId }),
    model,
  };
}

function refusalOf({ limit, tagBudget, resetAtMs }: Refusal) {
  return {
    limit,
    resetTime: new Date(resetAtMs).toISOString(),
    ...(tagBudget !== undefined && { tag: { name: tagBudget.tag, value: tagBudget.value } }),
  };
}
