import { type Held, picosOf } from './ledger.ts';
import type { Settlement } from './limit-store.ts';
import { type Limits, type Need, windowOf } from './limits.ts';

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
