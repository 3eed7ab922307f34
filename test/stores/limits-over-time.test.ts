import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { limitsOf, type Need, type Reservation, type SharedAdmission } from '../../functions/control/limits/index.ts';
import { PERIOD_SECONDS } from '../../functions/kernel/model/index.ts';
import { PERIODS } from '../../functions/kernel/model/key-limits.ts';
import { byDayOrNight } from '../support/night.ts';
import { availableEngines } from './engines.ts';
import { FakeClock, T0 } from './fake-clock.ts';
import { admitted, freshName, onlyRequests, ROOMY, reservationOf, startLimits } from './limits-setup.ts';

describe.each(availableEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  const { functionsAt, functionAt } = startLimits(engine);

  describe('over the boundaries of periods', () => {
    it.each(PERIODS)('a budget resets when its %s begins, and not before', async (period) => {
      const clock = new FakeClock();
      const length = PERIOD_SECONDS[period] * 1000;
      clock.time = (Math.floor(T0 / length) + 1) * length;
      const limits = limitsOf({ rateLimit: ROOMY, budget: { usd: 1, period } });
      const key = freshName();
      const spend = async () => {
        const verdict = await functionAt(clock).admit(key, limits, { tokens: 0, nanoUsd: 600_000_000 });
        if (verdict.admitted) await reservationOf(verdict).settle({ tokens: 0, nanoUsd: 600_000_000 });
        return verdict.admitted;
      };
      expect([await spend(), await spend()]).toEqual([true, false]);
      clock.time += length - 1;
      const refused = await functionAt(clock).admit(key, limits, { tokens: 0, nanoUsd: 600_000_000 });
      expect(refused).toMatchObject({ admitted: false, refusal: { limit: 'budget', retryInMs: 1 } });
      clock.time += 1;
      expect([await spend(), await spend()]).toEqual([true, false]);
    });

    it.each(PERIODS)('a bucket of tokens refills evenly over its %s', async (period) => {
      const clock = new FakeClock();
      const limits = limitsOf({ rateLimit: ROOMY, tokenLimit: { tokens: 1_000, period } });
      const key = freshName();
      const use = async (tokens: number) => {
        const verdict = await functionAt(clock).admit(key, limits, { tokens, nanoUsd: 0 });
        if (verdict.admitted) await reservationOf(verdict).settle({ tokens, nanoUsd: 0 });
        return verdict.admitted;
      };
      expect([await use(1_000), await use(1)]).toEqual([true, false]);
      clock.time += PERIOD_SECONDS[period] * 500;
      expect([await use(501), await use(500), await use(1)]).toEqual([false, true, false]);
      clock.time += PERIOD_SECONDS[period] * 5_000;
      expect([await use(1_000), await use(1)]).toEqual([true, false]);
    });

    it('a reservation that is settled in the next period counts in the first', async () => {
      const clock = new FakeClock();
      const limits = limitsOf({ rateLimit: ROOMY, budget: { usd: 1, period: 'hour' } });
      const key = freshName();
      clock.time = T0 + 3_600_000 - 1;
      const verdict = await functionAt(clock).admit(key, limits, { tokens: 0, nanoUsd: 900_000_000 });
      clock.time += 1;
      await reservationOf(verdict).settle({ tokens: 0, nanoUsd: 900_000_000 });
      expect((await functionAt(clock).admit(key, limits, { tokens: 0, nanoUsd: 1_000_000_000 })).admitted).toBe(true);
    });
  });

  describe('with clocks that are 5 s apart', () => {
    const SKEW_MS = 5_000;
    const arrivals = fc.array(
      fc.record({
        waitMs: fc.constantFrom(0, 0, 0, 5, 100, 700, 3_000, 9_000),
        by: fc.nat(3),
        atOnce: fc.integer({ min: 1, max: 4 }),
        tokens: fc.integer({ min: 1, max: 40 }),
        endsAtOnce: fc.boolean(),
      }),
      { maxLength: 20 },
    );
    const skews = fc.tuple(fc.constant(0), fc.constant(SKEW_MS), fc.nat(SKEW_MS), fc.nat(SKEW_MS));

    it('never admits more requests and tokens than capacity + rate x (interval + skew), with any order of arrivals and ends', async () => {
      await fc.assert(
        fc.asyncProperty(arrivals, skews, fc.integer({ min: 1, max: 5 }), async (steps, skewsMs, capacity) => {
          const clocks = skewsMs.map((skew) => new FakeClock(skew));
          const functions = functionsAt(clocks);
          const requests = { capacity, intervalMicros: 1_000_000 };
          const { tokens } = limitsOf({ rateLimit: ROOMY, tokenLimit: { tokens: 60, period: 'minute' } });
          const limits = { ...onlyRequests(requests), tokens };
          const key = freshName();
          const at: { time: number; tokens: number }[] = [];
          const open: { reservation: Reservation; used: Need }[] = [];
          for (const { waitMs, by, atOnce, tokens: need, endsAtOnce } of steps) {
            for (const clock of clocks) clock.time += waitMs;
            const time = clocks[0]?.time as number;
            const verdicts = await Promise.all(
              Array.from({ length: atOnce }, (__, turn) =>
                (functions[(by + turn) % 4] as SharedAdmission).admit(key, limits, { tokens: need, nanoUsd: 0 }),
              ),
            );
            for (const verdict of admitted(verdicts)) {
              const used = { tokens: Math.ceil(need / 2), nanoUsd: 0 };
              at.push({ time, tokens: used.tokens });
              open.push({ reservation: reservationOf(verdict), used });
            }
            const ended = endsAtOnce ? open.splice(0) : [];
            await Promise.all(ended.map(({ reservation, used }) => reservation.settle(used)));
          }
          for (const [first, from] of at.entries()) {
            let used = 0;
            for (const [count, { time, tokens: each }] of at.slice(first).entries()) {
              used += each;
              const seconds = (time - from.time + SKEW_MS) / 1000;
              expect(count + 1).toBeLessThanOrEqual(capacity + seconds);
              expect(used).toBeLessThanOrEqual(60 + seconds);
            }
          }
        }),
        { numRuns: byDayOrNight(4, 12) },
      );
    });

    it('spends a budget once in each period, even if functions disagree on the period', async () => {
      const [ahead, behind] = [new FakeClock(SKEW_MS), new FakeClock()];
      const limits = limitsOf({ rateLimit: ROOMY, budget: { usd: 1, period: 'hour' } });
      const key = freshName();
      const need = { tokens: 0, nanoUsd: 600_000_000 };
      const times = [-SKEW_MS - 1, -SKEW_MS, -1, 0, SKEW_MS, 3_600_000 - SKEW_MS - 1];
      let count = 0;
      for (const time of times) {
        for (const clock of [ahead, behind]) {
          clock.time = T0 + time;
          const verdict = await functionAt(clock).admit(key, limits, need);
          if (!verdict.admitted) continue;
          count += 1;
          await reservationOf(verdict).settle(need);
        }
      }
      // The hour before and the hour after, in each of which 60 % fit once.
      expect(count).toBe(2);
    });
  });
});
