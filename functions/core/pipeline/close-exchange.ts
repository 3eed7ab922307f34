import type { GatewayEvent } from '../ports/event-publisher.ts';
import type { Exchange, PipelineDeps } from './exchange.ts';
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

async function publishEvent(exchange: Exchange, { events, clock }: PipelineDeps): Promise<void> {
  const type = eventType(exchange);
  if (type === undefined) return;
  try {
    await events.publish(toEvent(exchange, type, clock.now()));
  } catch (error) {
    // The answer stands without its event; the record says that it is missing.
    exchange.noteInside(`event not published: ${error instanceof Error ? error.message : typeof error}`);
  }
}

type RequestEventType = Extract<GatewayEvent, { data: { requestId: string } }>['type'];

function eventType(exchange: Exchange): RequestEventType | undefined {
  // A refused request was not served: its findings would only repeat what an admitted one tells.
  if (exchange.outcome === 'refused') return undefined;
  // What the guard only judged was not blocked.
  if (exchange.outcome === 'blocked') return 'request.blocked';
  return exchange.report.action === 'allow' ? undefined : 'threat.detected';
}

function toEvent(exchange: Exchange, type: RequestEventType, nowMs: number): GatewayEvent {
  const { endUserId, environment } = exchange.tracking;
  const { sessionId } = exchange;
  return {
    id: `evt_${exchange.requestId.slice('req_'.length)}`,
    type,
    created: new Date(nowMs).toISOString(),
    data: {
      requestId: exchange.requestId,
      keyId: exchange.key.id,
      environment: environment ?? exchange.key.environment,
      ...(sessionId !== null && { sessionId }),
      ...(endUserId !== null && { endUserId }),
      model: exchange.model,
      threatScore: exchange.report.threatScore,
      detectedThreats: exchange.report.threats,
      action: exchange.report.action,
    },
  };
}
