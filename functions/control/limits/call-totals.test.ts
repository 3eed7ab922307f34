import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { StoreUnavailable } from '../../kernel/errors/index.ts';
import { CallTotals, type ReservedAmount } from './call-totals.ts';
import { MemoryLimitStore } from './memory-limit-store.fixture.ts';

const NOON = Date.parse('2026-06-01T12:00:00Z');
const DAY_MS = 86_400_000;
const SESSION = { keyId: 'key_1', rule: 'pay', max: 100, sessionId: 's' };
const TODAY = { ...SESSION, sessionId: null };

let now = NOON;
let store: MemoryLimitStore;
let totals: CallTotals;
const unsettled: string[] = [];
beforeEach(() => {
  now = NOON;
  store = new MemoryLimitStore(() => now);
  totals = new CallTotals(store, (id) => unsettled.push(id));
});

const fits = async (total: typeof SESSION | typeof TODAY, amount: number) => (await totals.reserve(total, amount)).fits;

describe('the sum of calls', () => {
  it.each([SESSION, TODAY])(
    'is never above the limit, and uses all of it that fits, many at once: %j',
    async (total) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.integer({ min: 1, max: 6000 }), { minLength: 1, maxLength: 30 }),
          async (cents) => {
            store = new MemoryLimitStore(() => now);
            const functions = [1, 2, 3].map(() => new CallTotals(store, () => {}));
            const reserved = await Promise.all(
              cents.map((amount, at) => (functions[at % 3] as CallTotals).reserve(total, amount / 100)),
            );
            const sum = cents.reduce((all, amount, at) => all + (reserved[at]?.fits ? amount : 0), 0);
            expect(sum).toBeLessThanOrEqual(10_000);
            for (const [at, amount] of cents.entries())
              if (!reserved[at]?.fits) expect(sum + amount).toBeGreaterThan(10_000);
          },
        ),
        { numRuns: 50 },
      );
    },
  );

  it('counts calls that were made, and gives back the others', async () => {
    const made = await totals.reserve(SESSION, 60);
    const cancelled = await totals.reserve(SESSION, 40);
    expect(await fits(SESSION, 1)).toBe(false);
    await Promise.all([made.settle(true), cancelled.settle(false)]);
    expect([await fits(SESSION, 40.01), await fits(SESSION, 40)]).toEqual([false, true]);
  });

  it('counts a call that was made although it did not fit', async () => {
    await (await totals.reserve(SESSION, 90)).settle(true);
    const flagged = await totals.reserve(SESSION, 20);
    expect(flagged.fits).toBe(false);
    await flagged.settle(true);
    expect(await fits({ ...SESSION, max: 111 }, 2)).toBe(false);
    expect(await fits({ ...SESSION, max: 111 }, 1)).toBe(true);
  });

  it('is of one key, rule and session', async () => {
    await totals.reserve(SESSION, 100);
    for (const other of [{ keyId: 'key_2' }, { rule: 'refund' }, { sessionId: 't' }])
      expect(await fits({ ...SESSION, ...other }, 100)).toBe(true);
    expect(await fits(TODAY, 100)).toBe(true);
  });

  it('is of one UTC day, or of a session on any day', async () => {
    const reserved = [await totals.reserve(SESSION, 60), await totals.reserve(TODAY, 60)];
    await Promise.all(reserved.map((one) => one.settle(true)));
    now = Date.parse('2026-06-01T23:59:59.999Z');
    expect([await fits(SESSION, 50), await fits(TODAY, 50)]).toEqual([false, false]);
    now += 1;
    expect([await fits(SESSION, 50), await fits(TODAY, 50)]).toEqual([false, true]);
    now += 90 * DAY_MS;
    expect(await fits(SESSION, 50)).toBe(false);
  });

  it('gives back what a process reserved that ended, after 17.5 minutes', async () => {
    await totals.reserve(SESSION, 100);
    now += 17.5 * 60_000;
    expect(await fits(SESSION, 100)).toBe(true);
  });

  it.each([
    ['small amounts', 0.000_000_1, 0.000_002, 2],
    ['large ones', 4e11, 1e12, 2],
    ['tenths', 0.1, 0.3, 3],
  ])('is exact for %s', async (_, amount, max, count) => {
    const all: ReservedAmount[] = [];
    for (let at = 0; at < count + 2; at++) all.push(await totals.reserve({ ...SESSION, max }, amount));
    expect(all.filter((one) => one.fits)).toHaveLength(count);
  });

  it('is not known while the store is unavailable', async () => {
    const reserved = await totals.reserve(SESSION, 1);
    store.failing = true;
    await expect(totals.reserve(SESSION, 1)).rejects.toBeInstanceOf(StoreUnavailable);
    await reserved.settle(true);
    expect(unsettled).toHaveLength(1);
  });
});
