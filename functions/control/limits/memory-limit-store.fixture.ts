import { setImmediate } from 'node:timers/promises';
import { StoreUnavailable } from '../../kernel/errors/index.ts';
import {
  EMPTY_LEDGER,
  expiredIn,
  expiredMoney,
  fitting,
  type Ledger,
  leasableCount,
  type Reserved,
  roomFor,
  slotOf,
} from './ledger.ts';
import {
  addMoney,
  addReserved,
  type LimitStore,
  reservedFor,
  type Settlement,
  type TakeResult,
} from './limit-store.ts';
import { type Limits, NO_NEED, outlivesReservations, type TakeRequest, toPicos } from './limits.ts';

/**
 * The reference model of limits: one ledger for each key, changed one at a time. DynamoDB's conditional writes are
 * compared with it. It responds a turn later, like calls to a store.
 */
export class MemoryLimitStore implements LimitStore {
  readonly ledgers = new Map<string, Ledger>();
  readonly takes: { keyId: string; count: number; leased: number }[] = [];
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

  useOf(): undefined {}

  async peek(keyId: string) {
    return { ledger: this.ledgers.get(keyId) ?? EMPTY_LEDGER, nowMs: this.now() };
  }

  async take(keyId: string, limits: Limits, ask: TakeRequest, onSent?: () => void): Promise<TakeResult> {
    onSent?.();
    await this.turn();
    const nowMs = this.now();
    const ledger = forgotten(this.ledgers.get(keyId) ?? EMPTY_LEDGER, nowMs);
    const room = roomFor(ledger, limits, nowMs);
    const granted = fitting(room, ask.needs, limits);
    const { need = NO_NEED, leaseMs = 0 } = ask.lease ?? {};
    const leased = leasableCount(room, ask, limits);
    this.takes.push({ keyId, count: ask.needs.length, leased });
    const slot = slotOf(nowMs);
    if (granted === 0) return { granted, leased, slot, ledger, nowMs };
    const held = ask.needs
      .slice(0, granted)
      .map((one) => reservedFor(one, 1, limits, nowMs))
      .reduce(addReserved, reservedFor(need, leased, limits, nowMs));
    const from = nowMs * 1000 + (leased > 0 ? leaseMs * 1000 : 0);
    const after: Ledger = {
      ...ledger,
      fullAtMicros: Math.max(ledger.fullAtMicros, from) + (granted + leased) * limits.requests.intervalMicros,
      tokensHeld: ledger.tokensHeld + held.tokenPicos,
      open: ledger.open + held.open,
      spent: addMoney(ledger.spent, held.nanoUsd),
      slots: withHeld(ledger.slots, slot, held),
    };
    this.ledgers.set(keyId, after);
    return { granted, leased, slot, ledger: after, nowMs };
  }

  async settle(keyId: string, { release, used, countsFromMs }: Settlement): Promise<void> {
    await this.turn();
    this.settlements += 1;
    const now = toPicos(countsFromMs ?? this.now());
    let ledger = this.ledgers.get(keyId) ?? EMPTY_LEDGER;
    for (const [slot, held] of release) {
      const there = ledger.slots.get(slot);
      // Already released as expired.
      if (there === undefined) continue;
      const back: Reserved = negative(held);
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

function negative({ open, tokenPicos, nanoUsd }: Reserved): Reserved {
  return { open: -open, tokenPicos: -tokenPicos, nanoUsd: new Map([...nanoUsd].map(([name, sum]) => [name, -sum])) };
}

function withHeld(slots: Ledger['slots'], slot: number, held: Reserved): Ledger['slots'] {
  const there = slots.get(slot);
  return new Map(slots).set(slot, there === undefined ? held : addReserved(there, held));
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
