import { type Held, type Ledger, picosOf } from './ledger.ts';
import { type Ask, type Limits, type Need, windowOf } from './limits.ts';

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
  /** The time that it was computed at. */
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

/** What so many requests of one need reserve at a time, the money in the budget's period that it lies in. */
export function heldFor(need: Need, count: number, limits: Limits, nowMs: number): Held {
  return {
    open: limits.maxConcurrent === undefined ? 0 : count,
    tokenPicos: picosOf(need, limits) * BigInt(count),
    nanoUsd: moneyOf(need, count, limits, nowMs),
  };
}

/** Gives back what one request reserved at `takenAtMs`, and counts what it used in that same period. */
export function settlementOf(held: Held, slot: number, used: Need, limits: Limits, takenAtMs: number): Settlement {
  return {
    release: new Map([[slot, held]]),
    used: { tokenPicos: picosOf(used, limits), nanoUsd: moneyOf(used, 1, limits, takenAtMs) },
  };
}

/** Both settlements as one. */
export function addSettlement(a: Settlement | undefined, b: Settlement): Settlement {
  if (a === undefined) return b;
  const release = new Map(a.release);
  for (const [slot, held] of b.release) {
    const other = release.get(slot);
    release.set(slot, other === undefined ? held : addHeld(other, held));
  }
  const used = {
    tokenPicos: a.used.tokenPicos + b.used.tokenPicos,
    nanoUsd: addMoney(a.used.nanoUsd, b.used.nanoUsd),
  };
  return { release, used };
}

export function addHeld(a: Held, b: Held): Held {
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
