import type { ShadowRecord } from '../inspect/custom/shadow-tally.ts';
import type { Usage } from '../model/chat.ts';
import type { Action, ThreatType } from '../model/threat.ts';

/** How a request ended (decisions, section 2). */
export type Outcome = 'completed' | 'blocked' | 'refused' | 'failed' | 'cancelled' | 'expired';

/** The one record of a request that reached the pipeline. Holds no text and nothing of a key's secret. */
export interface ExchangeRecord {
  readonly requestId: string;
  readonly route: string;
  readonly keyId: string;
  readonly environment: string;
  readonly sessionId: string | null;
  readonly endUserId: string | null;
  readonly appVersion: string | null;
  readonly model: string;
  readonly provider: string | null;
  readonly stream: boolean;
  readonly outcome: Outcome;
  /** Error code where it failed or was refused. */
  readonly errorCode: string | null;
  /** What happened inside, for an operator. */
  readonly internal: string | null;
  readonly action: Action;
  readonly threatScore: number;
  readonly threats: Readonly<Partial<Record<ThreatType, number>>>;
  /** Outside judgements that are missing, and why: `bedrock_guardrails: timeout`. */
  readonly detectorFailures: readonly string[];
  /** What the policy's shadow would have done; null where it has none. */
  readonly shadow: ShadowRecord | null;
  readonly usage: Usage | null;
  /** Calls of providers; more than one where some failed. */
  readonly attempts: number;
  readonly durationMs: number;
  readonly processingMs: number;
  /** From the request's start to the first piece; null where none left. */
  readonly firstPieceMs: number | null;
}

/** Takes the record of each ended request. Never throws. */
export interface ExchangeLog {
  record(record: ExchangeRecord): void;
  /** Something of a request could not be stored. */
  lost(requestId: string, what: 'record' | 'capture', error: unknown): void;
}
