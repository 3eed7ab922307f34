import type { RecordedToolCall } from '../../kernel/model/index.ts';
import type { CallReader } from '../tool-calls/index.ts';
import type { CallDecision } from '../tool-policy/index.ts';
import type { Doubt } from './doubts.ts';

/** An amount that a call adds to the sum of a rule. */
export type CallAmount = CallDecision['reservations'][number];

/** Where the value of an argument comes from. */
export type OriginOf =
  ReturnType<ReturnType<CallReader['scoreSteps']>['next']> extends IteratorResult<unknown, infer Scored>
    ? Scored extends { readonly originOf: infer Origin }
      ? Origin
      : never
    : never;

/** A call that waits: for the sums that it adds to, for a person if there is a doubt, and for the calls before it. */
export interface PendingCall {
  /** The calls of the response that were sent when it was inspected: after another one, the rules may say something else. */
  readonly sentBefore: number;
  readonly amounts: readonly CallAmount[];
  /** What a person is asked about; undefined if that is nothing. */
  readonly doubt: Doubt | undefined;
  /** Where its arguments come from; undefined if the conversation is not known. */
  readonly originOf: OriginOf | undefined;
  /** For the record of the call. */
  readonly doubts: readonly Doubt[];
  readonly values: readonly RecordedToolCall['arguments'][number][];
}

/** Sums beyond one request: of a session, or of a UTC day. */
export interface CallSums {
  /** Whether there is a sum for this period: without a session there is none of it. */
  has(per: CallAmount['per']): boolean;
  /** Reserves an amount. `unknown`: the store is unavailable. Never rejects. */
  reserve(amount: CallAmount): Promise<ReservedSum>;
}

export interface ReservedSum {
  readonly state: 'fits' | 'exceeded' | 'unknown';
  /** Its call was sent to the client. */
  sent(): void;
  /** Its call will not be sent. */
  release(): void;
}
