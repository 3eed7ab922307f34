import type { KeyUse } from './key-pace.ts';
import { type Ledger, picosOf, type Reserved } from './ledger.ts';
import { type Limits, type Need, type TakeRequest, windowOf } from './limits.ts';

/** What a store granted of an ask. */
export interface TakeResult {
  /** Admitted requests, counted from the first. */
  readonly granted: number;
  /** Leased requests besides. */
  readonly leased: number;
  /** The slot of the reservations. */
  readonly slot: number;
  /** The key's ledger after this, or as last seen where not everything was granted. */
  readonly ledger: Ledger;
  /** The time of the computation. */
  readonly nowMs: number;
}

/** What ended requests release and used, for one write. */
export interface Settlement {
  /** Reservations by the slot in which they were made. */
  readonly release: ReadonlyMap<number, Reserved>;
  readonly used: Pick<Reserved, 'tokenPicos' | 'nanoUsd'>;
  /** From when the used tokens count, milliseconds since 1970; undefined: from the time of the write. */
  readonly countsFromMs?: number | undefined;
}

/** Use of keys, shared by any number of processes. Throws StoreUnavailable. */
export interface LimitStore {
  /**
   * Admits as many of the requests as fit, in one step; takes nothing for the others. `onSent` is called when the write is sent; not if none
   * is made.
   */
  take(keyId: string, limits: Limits, ask: TakeRequest, onSent?: () => void): Promise<TakeResult>;
  /** Never applied twice: throws where the outcome is unknown. */
  settle(keyId: string, settlement: Settlement): Promise<void>;
  /** The ledger that this process saw last, if any. */
  lastSeen(keyId: string): { readonly ledger: Ledger; readonly nowMs: number } | undefined;
  /** How often all processes write for the key, as far as this one has measured it. */
  useOf(keyId: string): KeyUse | undefined;
  /** The ledger that this process saw last, else the stored one; takes nothing. */
  peek(keyId: string): Promise<{ readonly ledger: Ledger; readonly nowMs: number }>;
}

/** What `count` requests with this need reserve, with the money in the budget's current period. */
export function reservedFor(need: Need, count: number, limits: Limits, nowMs: number): Reserved {
  return {
    open: limits.maxConcurrent === undefined ? 0 : count,
    tokenPicos: picosOf(need, limits) * BigInt(count),
    nanoUsd: moneyOf(need, count, limits, nowMs),
  };
}

/**
 * Releases the reservation of one request in its slot, and counts what it used in the same period. @param admittedAtMs when it was admitted,
 * perhaps from what was taken earlier
 */
export function settlementOf(
  held: Reserved,
  { slot, nowMs }: Pick<TakeResult, 'slot' | 'nowMs'>,
  used: Need,
  limits: Limits,
  admittedAtMs = nowMs,
): Settlement {
  return {
    release: new Map([[slot, held]]),
    used: { tokenPicos: picosOf(used, limits), nanoUsd: moneyOf(used, 1, limits, nowMs) },
    ...(limits.tokens?.countsFromAdmission && { countsFromMs: admittedAtMs }),
  };
}

/** Both settlements as one. */
export function addSettlement(a: Settlement | undefined, b: Settlement): Settlement {
  if (a === undefined) return b;
  const release = new Map(a.release);
  for (const [slot, held] of b.release) {
    const other = release.get(slot);
    release.set(slot, other === undefined ? held : addReserved(other, held));
  }
  const used = {
    tokenPicos: a.used.tokenPicos + b.used.tokenPicos,
    nanoUsd: addMoney(a.used.nanoUsd, b.used.nanoUsd),
  };
  return { release, used, countsFromMs: later(a, b) };
}

/** For two together the later time: an earlier one would admit more. */
function later({ countsFromMs: a }: Settlement, { countsFromMs: b }: Settlement): number | undefined {
  return a === undefined || b === undefined ? undefined : Math.max(a, b);
}

export function addReserved(a: Reserved, b: Reserved): Reserved {
  return { open: a.open + b.open, tokenPicos: a.tokenPicos + b.tokenPicos, nanoUsd: addMoney(a.nanoUsd, b.nanoUsd) };
}

export function addMoney(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): Map<string, number> {
  const sum = new Map(a);
  for (const [window, amount] of b) sum.set(window, (sum.get(window) ?? 0) + amount);
  return sum;
}

function moneyOf(need: Need, count: number, { budget }: Limits, nowMs: number): Map<string, number> {
  return new Map(budget && need.nanoUsd > 0 ? [[windowOf(budget.period, nowMs), need.nanoUsd * count]] : []);
}
