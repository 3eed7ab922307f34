import type { RequestRef } from '../../kernel/http/index.ts';
import type { Refusal } from './ledger.ts';
import type { BucketState, Limits, Need } from './limits.ts';
import type { SharedLimit } from './shared-limits.ts';

/** The state of a key's token limit. */
export interface TokenState {
  readonly remaining: number;
  /** When all tokens are available again, milliseconds from now, if nothing else is used. */
  readonly fullInMs: number;
}

/** The state of a key's limits, for response headers. */
export interface LimitStates {
  readonly requests: BucketState;
  /** undefined for a key without a token limit. */
  readonly tokens: TokenState | undefined;
}

/** What a request used. */
export type Used = Need;

/** What an admitted request reserves until it ends. */
export interface Reservation {
  /**
   * Releases the reservation and counts what was used; call it once, however the request ended. Resolves when that is
   * written, or cannot be: then the reservation expires. Never rejects.
   */
  settle(used: Used): Promise<void>;
}

export type Verdict =
  | {
      readonly admitted: true;
      readonly states: LimitStates;
      /** undefined where nothing is reserved. */
      readonly reservation: Reservation | undefined;
    }
  | { readonly admitted: false; readonly states: LimitStates; readonly refusal: Refusal };

/** Exact admission across any number of functions. A refused request takes nothing. Throws StoreUnavailable. */
export interface Limiter {
  /**
   * Admits by the key's limits, and by those that it shares. `onSent` is called when the first write is sent or waits for
   * another; not if there is none.
   */
  admit(
    keyId: string,
    limits: Limits,
    need: Need,
    shared: readonly SharedLimit[],
    onSent?: () => void,
  ): Promise<Verdict>;
  /** The last known state of the limits, for a response to a request that was not admitted. */
  peek(keyId: string, limits: Limits): Promise<LimitStates>;
}

/** The same for one key's limits. */
export interface KeyLimiter extends Omit<Limiter, 'admit'> {
  admit(keyId: string, limits: Limits, need: Need, onSent?: () => void): Promise<Verdict>;
  /** A refusal that this process can decide without the store; undefined otherwise. Takes nothing. */
  knownRefusal(keyId: string, limits: Limits, need: Need): Verdict | undefined;
}

/** Receives what an operator must know about limits that could not be enforced exactly. Never throws. */
export interface LimitAlarm {
  /** A request was admitted without limits: the store was unavailable, and the key fails open. */
  admittedWithoutLimits(request: RequestRef, keyId: string, reason: string): void;
  /** A provider reported an impossible usage: only a part of it is counted. */
  implausibleUsage(request: RequestRef, keyId: string, reported: string): void;
  /** Usage of a key could not be counted; its reservation expires. */
  unsettled(keyId: string, reason: string): void;
}
