import type { LimitedKind } from '../model/metric-names.ts';
import type { ModelCatalog } from '../routing/model-catalog.ts';
import type { Exchange } from './exchange.ts';
import type { ActedOn, ExchangeRecord } from './exchange-log.ts';
import { costUsd } from './to-request-record.ts';

/** What logs, metrics and traces are told of an exchange that is over. No text of it. */
export function toExchangeRecord(exchange: Exchange, models: ModelCatalog): ExchangeRecord {
  const { tracking, key, report, calls, provider, modelAtProvider } = exchange;
  return {
    requestId: exchange.requestId,
    trace: exchange.trace,
    receivedAtMs: exchange.receivedAt,
    route: exchange.route,
    keyId: key.id,
    environment: tracking.environment ?? key.environment,
    sessionId: exchange.sessionId,
    endUserId: tracking.endUserId,
    appVersion: tracking.appVersion,
    model: exchange.model,
    provider,
    modelAtProvider: modelAtProvider || null,
    modelKnown: provider !== null && models.lists(provider, modelAtProvider),
    stream: exchange.stream,
    status: exchange.status ?? (exchange.stopped === 'cancelled' ? null : 200),
    outcome: exchange.stopped ?? exchange.outcome,
    errorCode: exchange.errorCode,
    internal: exchange.internal,
    action: report.action,
    threatScore: report.threatScore,
    threats: report.counts,
    acted: actedOn(exchange),
    limited: limitedBy(exchange),
    detectorFailures: exchange.detectorFailures,
    shadow: exchange.shadowRecord,
    usage: exchange.usage,
    costUsd: costUsd(exchange, models),
    calls: calls.list,
    fallbacks: calls.fallbacks,
    durationMs: exchange.durationMs,
    processingMs: exchange.processingMs,
    firstPieceMs: exchange.firstPieceMs,
    timeline: exchange.timeline,
  };
}

function actedOn({ report }: Exchange): ActedOn[] {
  const counts = new Map<string, ActedOn>();
  for (const { type, action } of report.threats) {
    if (action === 'allow') continue;
    const name = `${type}.${action}`;
    counts.set(name, { type, action, count: (counts.get(name)?.count ?? 0) + 1 });
  }
  return [...counts.values()];
}

function limitedBy({ refusal }: Exchange): LimitedKind | null {
  if (refusal === undefined) return null;
  return refusal.tagBudget === undefined ? refusal.limit : 'tag_budget';
}
