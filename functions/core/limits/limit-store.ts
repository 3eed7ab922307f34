import type { Held, Ledger } from './ledger.ts';
import type { Ask, Limits } from './limits.ts';

/** What a store gave of it. */
export interface Taken {
  /** Requests admitted, from the first on. */
  readonly granted: number;
  /** Requests put aside besides. */
  readonly spare: number;
  /** The stretch of time under which what is reserved is kept. */
  readonly slot: number;
  /** How the key stands with all this, or as it was seen where not everything was granted. */
  readonly ledger: Ledger;
  /** The time that it was reckoned at. */
  readonly nowMs: number;
}

/** What ended requests give back and what they used, to be written at once. */
export interface Settlement {
  /** Reserved, by the stretch of time in which it was. */
  readonly release: ReadonlyMap<number, Held>;
  readonly used: Pick<Held, 'tokenPicos' | 'nanoUsd'>;
}

/** Use of keys that any number of processes share. Throws StoreUnavailable. */
export interface LimitStore {
  /** Admits as many of the requests as there is room for, in one step; takes nothing for the others. */
  take(keyId: string, limits: Limits, ask: Ask): Promise<Taken>;
  /** Never done twice: where it is not known whether it was done, it throws. */
  settle(keyId: string, settlement: Settlement): Promise<void>;
  /** How the key was seen last by this process, if it was. */
  lastSeen(keyId: string): { readonly ledger: Ledger; readonly nowMs: number } | undefined;
  /** How the key was seen last, or stands where it was never seen; takes nothing. */
  peek(keyId: string): Promise<{ readonly ledger: Ledger; readonly nowMs: number }>;
}
