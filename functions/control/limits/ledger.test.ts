import { describe, expect, it } from '@jest/globals';
import {
  EMPTY_LEDGER,
  expiredIn,
  isLongOver,
  type Ledger,
  leasableCount,
  RESERVATION_MS,
  refusalOf,
  roomFor,
} from './ledger.ts';
import { type Limits, limitsOf, type Need, NO_NEED, outlivesReservations, windowOf } from './limits.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const SLOT = NOW / 150_000;
const limits = limitsOf({ rateLimit: { requests: 100, period: 'second' }, budget: { usd: 1, period: 'hour' } });
const held = { open: 2, tokenPicos: 7n, nanoUsd: new Map([[`h${NOW / 3_600_000}`, 400_000_000]]) };
const ledger: Ledger = {
  ...EMPTY_LEDGER,
  open: 2,
  tokensHeld: 7n,
  spent: new Map([[`h${NOW / 3_600_000}`, 400_000_000]]),
  slots: new Map([[SLOT, held]]),
};

describe('a reservation', () => {
  it('lasts as long as the longest request: Lambda stops a function after 15 minutes', () => {
    expect(RESERVATION_MS).toBe(900_000);
  });

  it('expires when the last request of its time slot must have ended', () => {
    const endMs = NOW + 150_000 + 900_000;
    expect(expiredIn(ledger, endMs - 1).slots).toEqual([]);
    expect(expiredIn(ledger, endMs)).toMatchObject({ slots: [[SLOT, held]], open: 2, tokenPicos: 7n });
  });

  it('of an hour budget is given back within the hour', () => {
    expect(roomFor(ledger, limits, NOW + 1_049_999).nanoUsd).toBe(600_000_000);
    expect(roomFor(ledger, limits, NOW + 1_050_000).nanoUsd).toBe(1_000_000_000);
  });

  it.each([
    ['s1', false],
    ['i1', false],
    ['h1', true],
    ['d1', true],
    ['m1', true],
  ])('is given back within the period %s: %s', (window, isGivenBack) => {
    expect(outlivesReservations(window)).toBe(isGivenBack);
  });
});

describe('a budget period', () => {
  it('is kept for 10 s after its end, while the clock of another function may still be in it', () => {
    const window = `h${NOW / 3_600_000}`;
    expect(isLongOver(window, NOW + 3_600_000 + 9_999)).toBe(false);
    expect(isLongOver(window, NOW + 3_600_000 + 10_000)).toBe(true);
  });
});

describe('a budget by calendar month', () => {
  const berlin = limitsOf({
    rateLimit: { requests: 100, period: 'second' },
    budget: { usd: 1, period: 'calendarMonth', timeZone: 'Europe/Berlin' },
  });
  const need = { tokens: 0, nanoUsd: 600_000_000 };
  const endMs = Date.parse('2026-01-31T23:00:00Z');

  it('is refused until the first of the next month in its zone, and has all its room from then on', () => {
    const window = windowOf('calendarMonth:Europe/Berlin', NOW);
    const spent: Ledger = { ...EMPTY_LEDGER, spent: new Map([[window, 500_000_000]]) };
    expect(refusalOf(spent, berlin, need, NOW)).toEqual({ limit: 'budget', retryInMs: endMs - NOW, resetAtMs: endMs });
    expect(refusalOf(spent, berlin, need, endMs - 1)).toMatchObject({ resetAtMs: endMs });
    expect(refusalOf(spent, berlin, need, endMs)).toBeUndefined();
    expect([isLongOver(window, endMs + 9_999), isLongOver(window, endMs + 10_000)]).toEqual([false, true]);
  });
});

describe('the requests that a function takes in advance', () => {
  const leased = (leaseMs: number, of: Limits = limits) =>
    leasableCount(
      roomFor(EMPTY_LEDGER, of, NOW),
      { needs: [NO_NEED], lease: { count: 1_000, need: NO_NEED, leaseMs } },
      of,
    );

  it('are a quarter of the room, less the requests of the lease time', () => {
    expect(leased(0)).toBe(24);
    // 200 ms are 20 of 100 requests a second.
    expect(leased(200)).toBe(19);
  });

  it('have the needs of the present requests taken off their quarter of tokens and money', () => {
    const fields = { rateLimit: { requests: 1_000_000, period: 'hour', burst: 1_000_000 } } as const;
    const spareOf = (of: Limits, need: Need) =>
      leasableCount(
        roomFor(EMPTY_LEDGER, of, NOW),
        { needs: [need, need], lease: { count: 1_000, need, leaseMs: 0 } },
        of,
      );
    const tokens = limitsOf({ ...fields, tokenLimit: { tokens: 40_000, period: 'hour' } });
    expect(spareOf(tokens, { tokens: 100, nanoUsd: 0 })).toBe(98);
    const money = limitsOf({ ...fields, budget: { usd: 4, period: 'hour' } });
    expect(spareOf(money, { tokens: 0, nanoUsd: 10_000_000 })).toBe(98);
  });

  it('are never more than refill in 2.5 s', () => {
    const slow = limitsOf({ rateLimit: { requests: 2, period: 'second', burst: 1_000 } });
    expect(leased(0, slow)).toBe(5);
  });
});
