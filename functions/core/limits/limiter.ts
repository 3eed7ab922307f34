import type { RequestRef } from '../base/request-trace.ts';
import type { Refusal } from './ledger.ts';
import type { BucketState, Limits, Need } from './limits.ts';
import type { TagLimit } from './tag-budgets.ts';

/** How a key's token limit stands. */
export interface TokenState {
  readonly remaining: number;
  /** When all of it is there again, milliseconds from now, if nothing else is used meanwhile. */
  readonly fullInMs: number;
}

/** How a key's limits stand, for the headers of an answer. */
export interface LimitStates {
  readonly requests: BucketState;
  /** undefined for a key without a token limit. */
  readonly tokens: TokenState | undefined;
}

/** What a request really used. */
export type Used = Need;

/** What an admitted request holds until it ends. */
export interface Reservation {
  /**
   * Gives back what was reserved and counts what was used, to be called once, however the request ended. Resolves when
   * that is written, and also where it cannot be: then the reservation ends by itself. Never rejects.
   */
  settle(used: Used): Promise<void>;
}

export type Verdict =
  | {
      readonly admitted: true;
      readonly states: LimitStates;
      /** undefined where nothing is held while the request runs. */
      readonly reservation: Reservation | undefined;
    }
  | { readonly admitted: false; readonly states: LimitStates; readonly refusal: Refusal };

/** Exact admission across any number of concurrent functions. A refused request takes nothing. Throws StoreUnavailable. */
export interface Limiter {
  /** By the key's own limits, and by the budgets that it shares. */
  admit(keyId: string, limits: Limits, need: Need, tags: readonly TagLimit[]): Promise<Verdict>;
  /** How the limits stand, as far as is known, for an answer to a request that never came to be admitted. */
  peek(keyId: string, limits: Limits): Promise<LimitStates>;
}

/** The same by one key's limits. */
export interface KeyLimiter extends Omit<Limiter, 'admit'> {
  admit(keyId: string, limits: Limits, need: Need): Promise<Verdict>;
  /** What this process knows without asking; undefined where it would have to ask. Takes nothing. */
  knownRefusal(keyId: string, limits: Limits, need: Need): Verdict | undefined;
}

/** Told of what an operator must know of limits that could not be kept to the letter. Never throws. */
export interface LimitAlarm {
  /** A request was let through without limits: the store was out of reach, and its key asks for that. */
  admittedOpen(request: RequestRef, keyId: string, reason: string): void;
  /** A provider told a usage that is not possible: only so much of it is counted. */
  notBelieved(request: RequestRef, keyId: string, told: string): void;
  /** What requests of a key used is not counted; what they had reserved ends by itself. */
  unsettled(keyId: string, reason: string): void;
}
