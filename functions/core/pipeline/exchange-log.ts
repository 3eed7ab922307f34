import type { RequestRef, RequestTrace } from '../base/request-trace.ts';
import type { ShadowRecord } from '../inspect/custom-rules/policy-inspector.ts';
import type { Usage } from '../model/chat.ts';
import type { LimitedKind } from '../model/metric-names.ts';
import type { Action, ThreatType } from '../model/threat.ts';
import type { Timeline } from './exchange-times.ts';
import type { ProviderCall } from './provider-calls.ts';

/** How a request ended (decisions, section 2). */
export type Outcome = 'completed' | 'blocked' | 'refused' | 'failed' | 'cancelled' | 'expired';

/** The one record of a request that reached the pipeline. Holds no text and nothing of a key's secret. */
export interface ExchangeRecord {
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
  readonly outcome: Outcome;
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

/** Takes the record of each ended request. Never throws. */
export interface ExchangeLog {
  record(record: ExchangeRecord): void;
  /** Something of a request could not be stored. */
  lost(request: RequestRef, what: 'record' | 'capture', error: unknown): void;
}
