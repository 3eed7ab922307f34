import type { Action, ThreatType } from '../model/threat.ts';

/** A finding as its request's record has it. */
export interface PastFinding {
  readonly type: ThreatType;
  /** Id of the rule. */
  readonly rule: string;
  readonly score: number;
  readonly part: 'input' | 'output';
  /** Where it stood: `messages[2].content`. */
  readonly field: string;
}

/** A request that had findings, as its record has it. */
export interface PastRequest {
  readonly id: string;
  /** ISO 8601. */
  readonly time: string;
  readonly keyId: string;
  /** What was done about it. */
  readonly action: Action;
  /** The strongest ones. */
  readonly findings: readonly PastFinding[];
  /** How many there were. */
  readonly findingCount: number;
}

/** Past requests with findings. Throws StoreUnavailable. */
export interface PastFindings {
  /** Those that came in from `from` on and before `to` (ISO 8601), newest first; of one key, or of all. */
  read(range: { from: string; to: string; keyId?: string | undefined }): AsyncIterable<PastRequest>;
}
