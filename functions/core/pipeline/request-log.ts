import type { RequestRef, RequestTrace } from '../base/request-trace.ts';
import type { ShadowRecord } from '../inspect/custom-rules/policy-inspector.ts';
import type { Usage } from '../model/chat.ts';
import type { LimitedKind } from '../model/metric-names.ts';
import type { Action, DetectedThreat, ThreatType } from '../model/threat.ts';
import type { ModelCatalog } from '../routing/model-catalog.ts';
import type { Outcome, RecordValues } from './record-builder.ts';
import { type RequestContext, type StopReason, sessionIdOf } from './request-context.ts';
import { costUsd, statusOf } from './request-record.ts';
import type { ProviderCall, Timeline } from './request-times.ts';

/** How a request ended (decisions, section 2). */
export type RequestOutcome = Outcome | StopReason;

/** What logs, metrics and traces say of a request that has ended. Holds no text and nothing of a key's secret. */
export interface RequestSummary {
  readonly requestId: string;
  readonly trace: RequestTrace;
  /** Milliseconds since 1970. */
  readonly receivedAtMs: number;
  readonly route: string;
  readonly keyId: string;
  readonly environment: string;
  readonly sessionId: string | null;
  readonly endUserId: string | null;
  readonly appVersion: string | null;
  /** As the caller named it. */
  readonly model: string;
  readonly provider: string | null;
  /** As its provider names it; null where no provider was chosen. */
  readonly modelAtProvider: string | null;
  /** Whether the table of models knows it: then its name is one of few. */
  readonly modelKnown: boolean;
  readonly stream: boolean;
  /** That was sent; null where the caller left before. */
  readonly status: number | null;
  readonly outcome: RequestOutcome;
  /** Error code where it failed or was refused. */
  readonly errorCode: string | null;
  /** What happened inside, for an operator. */
  readonly internal: string | null;
  readonly action: Action;
  readonly threatScore: number;
  readonly threats: Readonly<Partial<Record<ThreatType, number>>>;
  /** How often a policy acted so on a finding of the type; of the first fifty findings. */
  readonly acted: readonly ActedOn[];
  /** Which of its limits refused it; null where none did. */
  readonly limited: LimitedKind | null;
  /** Outside judgements that are missing, and why: `bedrock_guardrails: timeout`. */
  readonly detectorFailures: readonly string[];
  /** What the policy's shadow would have done; null where it has none. */
  readonly shadow: ShadowRecord | null;
  readonly usage: Usage | null;
  /** US dollars at list prices; null where the usage or the price is not known. */
  readonly costUsd: number | null;
  /** Calls of providers, in turn; more than one where some failed. */
  readonly calls: readonly ProviderCall[];
  readonly fallbacks: number;
  readonly durationMs: number;
  readonly processingMs: number;
  /** From the request's start to the first piece; null where none left. */
  readonly firstPieceMs: number | null;
  readonly timeline: Timeline;
}

export interface ActedOn {
  readonly type: ThreatType;
  readonly action: Exclude<Action, 'allow'>;
  readonly count: number;
}

/** Takes the summary of each ended request. Never throws. */
export interface RequestLog {
  record(summary: RequestSummary): void;
  /** Something of a request could not be stored. */
  lost(request: RequestRef, what: 'record' | 'capture', error: unknown): void;
}

export function toRequestSummary(context: RequestContext, models: ModelCatalog): RequestSummary {
  const { tracking, key, record, lifetime } = context;
  const { report, calls, known, times } = record;
  const { target, outcome } = known;
  return {
    requestId: context.requestId,
    trace: context.trace,
    receivedAtMs: context.receivedAt,
    route: context.route,
    keyId: key.id,
    environment: tracking.environment ?? key.environment,
    sessionId: sessionIdOf(context),
    endUserId: tracking.endUserId,
    appVersion: tracking.appVersion,
    model: known.model,
    provider: target?.provider ?? null,
    modelAtProvider: target?.model ?? null,
    modelKnown: target !== undefined && models.lists(target.provider, target.model),
    stream: known.stream,
    status: statusOf(context),
    outcome: lifetime.stopped ?? outcome,
    errorCode: known.errorCode,
    internal: record.internal,
    action: report.action,
    threatScore: report.threatScore,
    threats: report.counts,
    acted: actedOn(report.threats),
    limited: limitedBy(known),
    detectorFailures: record.detectorFailures,
    shadow: record.shadowRecord,
    usage: record.usage.reported,
    costUsd: costUsd(record, models),
    calls: calls.list,
    fallbacks: calls.fallbacks,
    durationMs: times.durationMs,
    processingMs: times.ownMs,
    firstPieceMs: times.firstPieceMs,
    timeline: times.timeline,
  };
}

function actedOn(threats: readonly DetectedThreat[]): ActedOn[] {
  const counts = new Map<string, ActedOn>();
  for (const { type, action } of threats) {
    if (action === 'allow') continue;
    const name = `${type}.${action}`;
    counts.set(name, { type, action, count: (counts.get(name)?.count ?? 0) + 1 });
  }
  return [...counts.values()];
}

function limitedBy({ refusal }: RecordValues): LimitedKind | null {
  if (refusal === undefined) return null;
  return refusal.tagBudget === undefined ? refusal.limit : 'tag_budget';
}
