import { environmentOf, type RecordedFinding, type RequestRecord } from '../model/analytics.ts';
import { type ModelCatalog, toUsd } from '../routing/model-catalog.ts';
import { costOfExchange } from './cost-of-exchange.ts';
import type { Exchange } from './exchange.ts';
import { withoutCallersNames } from './field-names.ts';
import { strongest } from './strongest.ts';

/** What is remembered of an exchange that is over. Nothing of its text, and no name that the caller put into its body. */
export function toRequestRecord(exchange: Exchange, models: ModelCatalog): RequestRecord {
  const { tracking, key, usage, report, outcome, stopped, stream } = exchange;
  const refused = outcome === 'refused' && stopped === undefined;
  return {
    id: exchange.requestId,
    traceId: exchange.trace.traceId,
    time: new Date(exchange.receivedAt).toISOString(),
    keyId: key.id,
    environment: environmentOf(tracking.environment ?? key.environment),
    sessionId: exchange.sessionId,
    endUserId: tracking.endUserId,
    appVersion: tracking.appVersion,
    route: exchange.route,
    provider: exchange.provider,
    model: exchange.modelAtProvider || null,
    attempts: exchange.calls.count,
    stream,
    state: stopped ?? (outcome === 'refused' ? 'failed' : outcome),
    status: exchange.status ?? (stopped === 'cancelled' ? null : 200),
    errorCode: exchange.errorCode,
    action: report.action,
    threatScore: report.threatScore,
    // A refused request was not served: its session does not remember it.
    turnScore: refused ? 0 : exchange.lastTurnScore,
    findings: findingsOf(exchange),
    threats: { ...report.counts },
    tokens: { input: usage?.inputTokens ?? null, output: usage?.outputTokens ?? null },
    costUsd: costUsd(exchange, models),
    latencyMs: exchange.durationMs,
    timeToFirstTokenMs: stream ? exchange.firstPieceMs : null,
    processingMs: exchange.processingMs,
    capture: exchange.transcript?.kept ?? 'none',
    shadow: exchange.shadowRecord,
  };
}

/** US dollars at list prices; null where the usage or the price is not known. */
export function costUsd(exchange: Exchange, models: ModelCatalog): number | null {
  const nanoUsd = exchange.usage && costOfExchange(exchange, exchange.usage, models);
  return nanoUsd === null ? null : toUsd(nanoUsd);
}

function findingsOf({ report }: Exchange): RecordedFinding[] {
  return strongest(report.threats).map(({ type, rule, severity, score, action, location }) => ({
    type,
    rule,
    severity,
    score,
    action,
    location: { ...location, field: withoutCallersNames(location.field) },
  }));
}
