import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { limitsOf, type Reservation, type SharedAdmission } from '../../functions/control/limits/index.ts';
import { byDayOrNight } from '../support/night.ts';
import { availableEngines } from './engines.ts';
import { FakeClock } from './fake-clock.ts';
import { freshName, startLimits } from './limits-setup.ts';

const STEP_MS = 50;
const STEPS = 20;
const NEED = { tokens: 10, nanoUsd: 1_000_000 };
/** How many steps a request runs. */
const RUNS = 2;

describe.each(availableEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  const { functionsAt, itemOf } = startLimits(engine);

  it('a key that many processes share is never admitted one request, token, cent or place too many', async () => {
    const scenario = fc.record({
      processes: fc.constantFrom(3, 8, 12),
      /** Requests a step, to any process. */
      comes: fc.array(fc.integer({ min: 0, max: 40 }), { minLength: STEPS, maxLength: STEPS }),
      burst: fc.constantFrom(20, 100, 2_000),
      perSecond: fc.constantFrom(100, 400),
      maxConcurrent: fc.constantFrom(15, 60, 1_000),
      usd: fc.constantFrom(0.2, 10),
      tokens: fc.constantFrom(600, 6_000, 600_000),
      used: fc.integer({ min: 0, max: 10 }),
      seed: fc.nat(),
    });
    await fc.assert(
      fc.asyncProperty(
        scenario,
        async ({ processes, comes, burst, perSecond, maxConcurrent, usd, tokens, used, seed }) => {
          const clock = new FakeClock();
          const functions = functionsAt(Array.from({ length: processes }, () => clock));
          const limits = limitsOf({
            rateLimit: { requests: perSecond, period: 'second', burst },
            tokenLimit: { tokens, period: 'minute' },
            budget: { usd, period: 'day' },
            maxConcurrent,
          });
          const key = freshName();
          const running: { reservation: Reservation; until: number }[] = [];
          const settled: Promise<void>[] = [];
          const use = { tokens: used, nanoUsd: used * 100_000 };
          let [admitted, ended, at] = [0, 0, seed];
          for (const [step, count] of comes.entries()) {
            const asked = Array.from({ length: count }, () => {
              at += 7;
              return (functions[at % processes] as SharedAdmission).admit(key, limits, NEED);
            });
            for (const verdict of await Promise.all(asked)) {
              if (!verdict.admitted) continue;
              admitted += 1;
              running.push({ reservation: verdict.reservation as Reservation, until: step + RUNS });
            }
            const seconds = (step * STEP_MS) / 1_000;
            expect(admitted).toBeLessThanOrEqual(burst + perSecond * seconds);
            expect(running.length).toBeLessThanOrEqual(maxConcurrent);
            expect(running.length * NEED.nanoUsd + ended * use.nanoUsd).toBeLessThanOrEqual(usd * 1e9);
            expect(running.length * NEED.tokens + ended * use.tokens).toBeLessThanOrEqual(
              tokens + (tokens / 60) * seconds,
            );
            for (const one of running.filter(({ until }) => until <= step)) {
              running.splice(running.indexOf(one), 1);
              ended += 1;
              settled.push(one.reservation.settle(use));
            }
            clock.time += STEP_MS;
          }
          for (const { reservation } of running) settled.push(reservation.settle(use));
          await Promise.all(settled);
          const item = (await itemOf(key)) ?? {};
          const spent = Object.entries(item).filter(([name]) => /^usd_[^_]+$/.test(name));
          expect(admitted === 0 ? 0 : item.open).toBe(0);
          expect(spent.reduce((sum, [, amount]) => sum + Number(amount), 0)).toBe(admitted * use.nanoUsd);
        },
      ),
      { numRuns: byDayOrNight(2, 40) },
    );
  });
});
