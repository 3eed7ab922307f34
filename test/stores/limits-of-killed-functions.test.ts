import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  limitsOf,
  type Need,
  NO_NEED,
  RESERVATION_MS,
  type Reservation,
  SharedAdmission,
  SLOT_MS,
} from '../../functions/control/limits/index.ts';
import { MemoryLimitStore } from '../../functions/control/limits/memory-limit-store.fixture.ts';
import type { HttpClient } from '../../functions/kernel/http/index.ts';
import { byDayOrNight } from '../support/night.ts';
import { availableEngines } from './engines.ts';
import { FakeClock, T0 } from './fake-clock.ts';
import { admitted, freshName, network, onUnsettled, ROOMY, reservationOf, startLimits } from './limits-setup.ts';

/** The network of a function that is killed in the given call, done or not: no call of it comes back any more. */
function killedAt(call: number, isDone: boolean) {
  let calls = 0;
  let die = () => {};
  const dead = new Promise<undefined>((resolve) => {
    die = () => resolve(undefined);
  });
  const http: HttpClient = {
    send: async (request) => {
      calls += 1;
      if (calls < call) return network.send(request);
      if (calls === call && isDone) for await (const _ of (await network.send(request)).body);
      die();
      return new Promise(() => {});
    },
  };
  /** What comes of it, or undefined where nothing ever will. */
  const untilDead = <T>(promise: Promise<T>): Promise<T | undefined> => Promise.race([promise, dead]);
  return { http, untilDead };
}

describe.each(availableEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  const { store, functionsAt, functionAt, itemOf, clientOver } = startLimits(engine);

  describe('one function after another', () => {
    it('gets the results of a plain ledger after any reservations, settlements, releases and expiries', async () => {
      const limits = limitsOf({
        rateLimit: { requests: 20, period: 'minute' },
        tokenLimit: { tokens: 1_000, period: 'minute' },
        budget: { usd: 0.001, period: 'hour' },
        maxConcurrent: 4,
      });
      const step = fc.record({
        waitMs: fc.constantFrom(0, 0, 1, 700, 3_000, 61_000, SLOT_MS, RESERVATION_MS, 2 * RESERVATION_MS),
        by: fc.nat(1),
        tokens: fc.integer({ min: 0, max: 1_000 }),
        nanoUsd: fc.integer({ min: 0, max: 1_000_000 }),
        /** How many steps later it ends; never where it is killed. */
        endsAfter: fc.option(fc.nat(3), { nil: undefined }),
        usedShare: fc.constantFrom(0, 0.1, 1),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
          const clock = new FakeClock();
          const key = freshName();
          const real = functionsAt([clock, clock]);
          const plain = new SharedAdmission(new MemoryLimitStore(() => clock.time), clock, { onUnsettled });
          const running: { at: number; used: Need; held: Reservation[] }[] = [];
          for (const [at, { waitMs, by, tokens, nanoUsd, endsAfter, usedShare }] of steps.entries()) {
            clock.time += waitMs;
            const need = { tokens, nanoUsd };
            const verdict = await (real[by] as SharedAdmission).admit(key, limits, need);
            const expected = await plain.admit(key, limits, need);
            expect(verdict.admitted).toBe(expected.admitted);
            if (verdict.admitted) expect(verdict.states).toEqual(expected.states);
            if (verdict.admitted && endsAfter !== undefined) {
              const used = { tokens: Math.floor(tokens * usedShare), nanoUsd: Math.floor(nanoUsd * usedShare) };
              running.push({ at: at + endsAfter, used, held: [reservationOf(verdict), reservationOf(expected)] });
            }
            for (const { used, held } of running.filter((one) => one.at === at)) {
              for (const reservation of held) await reservation.settle(used);
            }
          }
        }),
        { numRuns: byDayOrNight(4, 8) },
      );
    });
  });

  describe('a reservation of a killed function', () => {
    const limits = limitsOf({
      rateLimit: ROOMY,
      tokenLimit: { tokens: 100, period: 'month' },
      budget: { usd: 0.001, period: 'month' },
      maxConcurrent: 1,
    });
    const need = { tokens: 100, nanoUsd: 1_000_000 };

    it('is released by another function after its expiry', async () => {
      const clock = new FakeClock();
      const key = freshName();
      const [one, killed] = functionsAt([clock, clock]) as [SharedAdmission, SharedAdmission];
      const wide = limitsOf({ rateLimit: ROOMY, tokenLimit: { tokens: 200, period: 'month' }, maxConcurrent: 2 });
      await reservationOf(await one.admit(key, wide, NO_NEED)).settle(NO_NEED);
      expect((await killed.admit(key, wide, need)).admitted).toBe(true);
      clock.time += SLOT_MS + RESERVATION_MS;
      for (const function_ of [one, killed]) {
        const verdict = await function_.admit(key, wide, need);
        expect([verdict.admitted, verdict.states.tokens?.remaining]).toEqual([true, 100]);
        await reservationOf(verdict).settle(NO_NEED);
      }
      const { open, tokensHeld } = (await itemOf(key)) ?? {};
      expect([open, tokensHeld]).toEqual([0, 0]);
    });

    it('counts in full until it expires, and is then released', async () => {
      const clock = new FakeClock();
      const key = freshName();
      expect((await functionAt(clock).admit(key, limits, need)).admitted).toBe(true);
      clock.time = T0 + RESERVATION_MS;
      expect((await functionAt(clock).admit(key, limits, need)).admitted).toBe(false);
      clock.time = T0 + RESERVATION_MS + SLOT_MS;
      expect((await functionAt(clock).admit(key, limits, need)).admitted).toBe(true);
    });

    it('is not released twice if it is settled later, and its usage counts', async () => {
      const clock = new FakeClock();
      const key = freshName();
      const late = await functionAt(clock).admit(key, limits, need);
      clock.time = T0 + RESERVATION_MS + SLOT_MS;
      const next = functionAt(clock);
      const other = await next.admit(key, limits, { tokens: 50, nanoUsd: 500_000 });
      expect(other.admitted).toBe(true);
      await reservationOf(late).settle({ tokens: 40, nanoUsd: 400_000 });
      const item = await itemOf(key);
      expect(item?.open).toBe(1);
      await reservationOf(other).settle({ tokens: 0, nanoUsd: 0 });
      const { states } = await functionAt(clock).admit(key, limits, { tokens: 61, nanoUsd: 0 });
      expect(states.tokens?.remaining).toBe(60);
      const refused = await functionAt(clock).admit(key, limits, { tokens: 0, nanoUsd: 600_001 });
      expect(refused).toMatchObject({ admitted: false, refusal: { limit: 'budget' } });
    });

    it('never exceeds the room, and is fully released after its expiry, wherever functions were killed', async () => {
      const limits = limitsOf({
        rateLimit: ROOMY,
        tokenLimit: { tokens: 500, period: 'month' },
        budget: { usd: 0.005, period: 'month' },
        maxConcurrent: 5,
      });
      const lives = fc.array(
        fc.record({
          requests: fc.integer({ min: 1, max: 4 }),
          calls: fc.integer({ min: 1, max: 4 }),
          isDone: fc.boolean(),
          waitMs: fc.constantFrom(0, 1, 1_000, SLOT_MS),
        }),
        { minLength: 1, maxLength: 6 },
      );
      await fc.assert(
        fc.asyncProperty(lives, async (functions) => {
          const clock = new FakeClock();
          const key = freshName();
          for (const { requests, calls, isDone, waitMs } of functions) {
            clock.time += waitMs;
            const { http: through, untilDead } = killedAt(calls, isDone);
            const killed = new SharedAdmission(store(clock, clientOver(through)), clock, { onUnsettled: () => {} });
            const asked = Array.from({ length: requests }, () => untilDead(killed.admit(key, limits, need)));
            const verdicts = (await Promise.all(asked)).filter((verdict) => verdict !== undefined);
            await Promise.all(admitted(verdicts).map((verdict) => untilDead(reservationOf(verdict).settle(NO_NEED))));
            expect(Number((await itemOf(key))?.open ?? 0)).toBeLessThanOrEqual(5);
          }
          clock.time += RESERVATION_MS + SLOT_MS;
          const heir = functionAt(clock);
          const verdicts = await Promise.all(Array.from({ length: 7 }, () => heir.admit(key, limits, need)));
          expect(admitted(verdicts)).toHaveLength(5);
        }),
        { numRuns: byDayOrNight(4, 12) },
      );
    });

    it('leaves no trace in the item once it is released', async () => {
      const clock = new FakeClock();
      const key = freshName();
      await functionAt(clock).admit(key, limits, need);
      clock.time = T0 + 40 * 86_400_000;
      const verdict = await functionAt(clock).admit(key, limits, need);
      const names = Object.keys((await itemOf(key)) ?? {});
      // One slot and one period's count, and what every item has.
      expect(names.filter((name) => /_/.test(name))).toHaveLength(4);
      await reservationOf(verdict).settle(NO_NEED);
    });
  });
});
