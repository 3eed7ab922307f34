import { setImmediate } from 'node:timers/promises';
import { StoreUnavailable } from '../base/errors.ts';
import {
  EMPTY_LEDGER,
  expiredIn,
  expiredMoney,
  fitting,
  type Held,
  type Ledger,
  roomFor,
  slotOf,
  spareFor,
} from './ledger.ts';
import { addHeld, addMoney, heldFor, type LimitStore, type Settlement, type Taken } from './limit-store.ts';
import { type Ask, type Limits, NO_NEED, outlivesReservations, toPicos } from './limits.ts';

/**
 * The reference model of limits: one ledger for each key, changed one at a time. DynamoDB's conditional writes are
 * compared with it. It responds a turn later, like calls to a store.
 */
export class MemoryLimitStore implements LimitStore {
  readonly ledgers = new Map<string, Ledger>();
  readonly takes: { keyId: string; count: number; spare: number }[] = [];
  settlements = 0;
  busy = 0;
  mostBusy = 0;
  failing = false;
  private readonly now: () => number;

  constructor(now: () => number) {
    this.now = now;
  }

  lastSeen(keyId: string) {
    const ledger = this.ledgers.get(keyId);
    return ledger && { ledger, nowMs: this.now() };
  }

  async peek(keyId: string) {
    return { ledger: this.ledgers.get(keyId) ?? EMPTY_LEDGER, nowMs: this.now() };
  }

  async take(keyId: string, limits: Limits, ask: Ask, onSent?: () => void): Promise<Taken> {
    onSent?.();
    await this.turn();
    const nowMs = this.now();
    const ledger = forgotten(this.ledgers.get(keyId) ?? EMPTY_LEDGER, nowMs);
    const room = roomFor(ledger, limits, nowMs);
    const granted = fitting(room, ask.needs, limits);
    const { need = NO_NEED, leaseMs = 0 } = ask.spare ?? {};
    const spare = spareFor(room, ask, limits);
    this.takes.push({ keyId, count: ask.needs.length, spare });
    const slot = slotOf(nowMs);
    if (granted === 0) return { granted, spare, slot, ledger, nowMs };
    const held = ask.needs
      .slice(0, granted)
      .map((one) => heldFor(one, 1, limits, nowMs))
      .reduce(addHeld, heldFor(need, spare, limits, nowMs));
    const from = nowMs * 1000 + (spare > 0 ? leaseMs * 1000 : 0);
    const after: Ledger = {
      ...ledger,
      fullAtMicros: Math.max(ledger.fullAtMicros, from) + (granted + spare) * limits.requests.intervalMicros,
      tokensHeld: ledger.tokensHeld + held.tokenPicos,
      open: ledger.open + held.open,
      spent: addMoney(ledger.spent, held.nanoUsd),
      slots: withHeld(ledger.slots, slot, held),
    };
    this.ledgers.set(keyId, after);
    return { granted, spare, slot, ledger: after, nowMs };
  }

  async settle(keyId: string, { release, used }: Settlement): Promise<void> {
    await this.turn();
    this.settlements += 1;
    const now = toPicos(this.now());
    let ledger = this.ledgers.get(keyId) ?? EMPTY_LEDGER;
    for (const [slot, held] of release) {
      const there = ledger.slots.get(slot);
      // Already released as expired.
      if (there === undefined) continue;
      const back: Held = negative(held);
      ledger = {
        ...ledger,
        tokensHeld: ledger.tokensHeld + back.tokenPicos,
        open: ledger.open + back.open,
        spent: addMoney(ledger.spent, back.nanoUsd),
        slots: withHeld(ledger.slots, slot, back),
      };
    }
    const base = ledger.tokensFullAt > now ? ledger.tokensFullAt : now;
    const tokensFullAt = used.tokenPicos === 0n ? ledger.tokensFullAt : base + used.tokenPicos;
    this.ledgers.set(keyId, { ...ledger, tokensFullAt, spent: addMoney(ledger.spent, used.nanoUsd) });
  }

  private async turn(): Promise<void> {
    this.busy += 1;
    this.mostBusy = Math.max(this.mostBusy, this.busy);
    await setImmediate();
    this.busy -= 1;
    if (this.failing) throw new StoreUnavailable('out of reach');
  }
}

function negative({ open, tokenPicos, nanoUsd }: Held): Held {
  return { open: -open, tokenPicos: -tokenPicos, nanoUsd: new Map([...nanoUsd].map(([name, sum]) => [name, -sum])) };
}

function withHeld(slots: Ledger['slots'], slot: number, held: Held): Ledger['slots'] {
  const there = slots.get(slot);
  return new Map(slots).set(slot, there === undefined ? held : addHeld(there, held));
}

/** The ledger with expired reservations released. */
function forgotten(ledger: Ledger, nowMs: number): Ledger {
  const expired = expiredIn(ledger, nowMs);
  const slots = new Map(ledger.slots);
  for (const [slot] of expired.slots) slots.delete(slot);
  const left = [...ledger.spent].filter(([window]) => !expired.windows.includes(window));
  return {
    ...ledger,
    tokensHeld: ledger.tokensHeld - expired.tokenPicos,
    open: ledger.open - expired.open,
    spent: new Map(
      left.map(([window, sum]) => [window, outlivesReservations(window) ? sum - expiredMoney(expired, window) : sum]),
    ),
    slots,
  };
}
