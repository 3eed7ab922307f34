import type { RequestRef, RequestTrace } from '../kernel/http/index.ts';
import {
  type Action,
  type DetectedThreat,
  type LimitedKind,
  type ThreatType,
  toUsd,
  type UnknownCharge,
  type Usage,
} from '../kernel/model/index.ts';
import type { StopReason } from './request-lifetime.ts';
import { type Ending, type Outcome, type Recording, type RunningRequest, sessionIdOf } from './request-outcome.ts';
import { callerOf, costUsd, statusOf, unknownChargesOf } from './request-record.ts';
import type { ProviderCall, Timeline } from './request-times.ts';

/** How a request ended. */
export type RequestOutcome = Ending | StopReason;

/** The summary of an ended request for logs, metrics and traces. Contains no text and no part of a key's secret. */
export interface RequestSummary {
  readonly requestId: string;
  readonly trace: RequestTrace;
  /** Milliseconds since 1970. */
  readonly receivedAtMs: number;
  readonly route: string;
  readonly keyId: string;
  /** The last characters of the key's secret, by which its owner knows it. */
  readonly keyLast4: string;
  readonly environment: string;
  readonly caller: ReturnType<typeof callerOf>;
  readonly sessionId: string | null;
  readonly endUserId: string | null;
  readonly appVersion: string | null;
  /** As the caller named it. */
  readonly model: string;
  readonly provider: string | null;
  /** As its provider names it; null if no provider was chosen. */
  readonly modelAtProvider: string | null;
  /** Whether the table of models contains it: the number of such names is limited. */
  readonly modelKnown: boolean;
  readonly stream: boolean;
  /** The sent status; null if the caller disconnected before. */
  readonly status: number | null;
  readonly outcome: RequestOutcome;
  /** Error code if it failed or was refused. */
  readonly errorCode: string | null;
  /** Internal details for an operator. */
  readonly internal: string | null;
  readonly action: Action;
  readonly threatScore: number;
  readonly threats: Readonly<Partial<Record<ThreatType, number>>>;
  /** How often the policy took this action for a finding of the type; of the first fifty findings. */
  readonly acted: readonly ActedOn[];
  /** The limit that refused it; null if none did. */
  readonly limited: LimitedKind | null;
  /** Missing verdicts of outside detectors, with the reason: `bedrock_guardrails: timeout`. */
  readonly detectorFailures: readonly string[];
  /** What the policy's shadow would have done; null if it has none. */
  readonly shadow: ReturnType<NonNullable<Recording['shadow']>['toRecord']> | null;
  readonly usage: Usage | null;
  /** The known part of the cost in US dollars; null if nothing is known. */
  readonly costUsd: number | null;
  /** Charges that are not in `costUsd`. */
  readonly unknownCharges: readonly UnknownCharge[];
  /** Cost of the detector model; null if it was not called. */
  readonly judgeCostUsd: number | null;
  /** The provider's own id of its last call; null if it sent none. */
  readonly upstreamRequestId: string | null;
  /** Provider calls in order; more than one if some failed. */
  readonly calls: readonly ProviderCall[];
  readonly fallbacks: number;
  readonly durationMs: number;
  readonly processingMs: number;
  /** From the request's start to the first piece; null if none was sent. */
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
  /** Data of a request could not be stored. */
  lost(request: RequestRef, what: 'record' | 'capture' | 'shadow' | 'cached response', error: unknown): void;
}

export function toRequestSummary({ context, lifetime, outcome }: RunningRequest): RequestSummary {
  const { tracking, key, models } = context;
  const { asked, inspection, calls, target, times, recording } = outcome;
  const { findings, judgeNanoUsd } = inspection;
  return {
    requestId: context.requestId,
    trace: context.trace,
    receivedAtMs: context.receivedAt,
    route: context.route,
    keyId: key.id,
    keyLast4: key.last4,
    caller: callerOf(context),
    environment: tracking.environment ?? key.environment,
    sessionId: sessionIdOf(context, outcome),
    endUserId: tracking.endUserId,
    appVersion: tracking.appVersion,
    model: asked.model,
    provider: target?.provider ?? null,
    modelAtProvider: target?.model ?? null,
    modelKnown: target !== undefined && models.lists(target.provider, target.model),
    stream: asked.stream,
    status: statusOf(outcome, lifetime),
    outcome: lifetime.stopped ?? outcome.ending,
    errorCode: outcome.errorCode,
    internal: outcome.internal,
    action: findings.action,
    threatScore: findings.threatScore,
    threats: findings.counts,
    acted: actedOn(findings.threats),
    limited: limitedBy(outcome),
    detectorFailures: inspection.detectorFailures,
    shadow: recording.shadow?.toRecord() ?? null,
    usage: outcome.usage.reported,
    costUsd: costUsd(outcome, models),
    unknownCharges: unknownChargesOf(outcome, models),
    judgeCostUsd: judgeNanoUsd === undefined ? null : toUsd(judgeNanoUsd),
    upstreamRequestId: calls.lastHead?.requestId ?? null,
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

function limitedBy({ refusal }: Outcome): LimitedKind | null {
  if (refusal === undefined) return null;
  if (refusal.team !== undefined) return 'team';
  if (refusal.tools !== undefined) return 'tools';
  return refusal.tagBudget === undefined ? refusal.limit : 'tag_budget';
}
