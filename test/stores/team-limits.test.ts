import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LayeredAdmission, limitsOf, SharedAdmission, toPicos } from '../../functions/control/limits/index.ts';
import { teamLimitsOf } from '../../functions/control/limits/shared-limits.ts';
import { BackgroundTasks } from '../../functions/kernel/tasks/index.ts';
import { availableEngines } from './engines.ts';
import { FakeClock, T0 } from './fake-clock.ts';
import { admitted, freshName, onUnsettled, ROOMY, startLimits } from './limits-setup.ts';

const CENT = 10_000_000;
const need = { tokens: 10, nanoUsd: CENT };
const roomy = limitsOf({ rateLimit: ROOMY });
/** Refused after its team was asked, if another request of the key runs: what runs is known to the store only. */
const single = limitsOf({ rateLimit: ROOMY, maxConcurrent: 1 });

describe.each(availableEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  const { store, itemOf } = startLimits(engine);

  /** A function with its own memory. */
  const functionAt = (clock: FakeClock) => {
    const tasks = new BackgroundTasks();
    const keys = new SharedAdmission(store(clock), clock, { onUnsettled });
    return { tasks, admission: new LayeredAdmission(keys, tasks) };
  };
  const aTeam = (limits: object) => {
    const id = freshName();
    const none = { rateLimit: null, tokenLimit: null, budget: null, maxConcurrent: null };
    return { id, shared: teamLimitsOf({ id, name: 'Shop', ...none, ...limits }) };
  };

  it('a team of many keys in many functions has exactly as many requests as its rate admits, and refused ones take nothing', async () => {
    const clock = new FakeClock();
    const all = Array.from({ length: 4 }, () => functionAt(clock));
    const { id, shared } = aTeam({ rateLimit: { requests: 10, period: 'day' }, budget: { usd: 1, period: 'day' } });
    const [key, other] = [freshName(), freshName()];
    const ask = (at: number, name: string, limits = roomy) =>
      (all[at % 4] as (typeof all)[0]).admission.admit(name, limits, need, shared);
    const running = await ask(0, key, single);
    // All are refused by the key, or by the team for as long as those hold what is left of it.
    const refused = await Promise.all(Array.from({ length: 20 }, (_, at) => ask(at, key, single)));
    expect(admitted([running, ...refused])).toHaveLength(1);
    for (const { tasks } of all) await tasks.idle();
    expect(await itemOf(`${id}_requests`)).toMatchObject({ tokensHeld: 0 });
    const verdicts = await Promise.all(Array.from({ length: 20 }, (_, at) => ask(at, `${other}${at % 5}`)));
    expect(admitted(verdicts)).toHaveLength(9);
    for (const verdict of admitted([running, ...verdicts]))
      if (verdict.admitted) await verdict.reservation?.settle(need);
    for (const { tasks } of all) await tasks.idle();
    const day = 86_400_000;
    expect(await itemOf(`${id}_requests`)).toMatchObject({ tokensHeld: 0, tokensAt: toPicos(T0 + day) });
    const item = (await itemOf(id)) ?? {};
    expect(
      Object.entries(item)
        .filter(([name]) => /^usd_[^_]+$/.test(name))
        .map(([, spent]) => Number(spent)),
    ).toEqual([10 * CENT]);
  });

  it('its rate holds over any interval with clocks that are 5 s apart, with any order of arrivals, ends and refusals', async () => {
    const step = fc.record({
      waitMs: fc.constantFrom(0, 0, 100, 700, 3_000),
      by: fc.nat(2),
      atOnce: fc.integer({ min: 1, max: 3 }),
      isSingle: fc.boolean(),
      ends: fc.boolean(),
    });
    const skews = fc.tuple(fc.constant(0), fc.constant(5_000), fc.nat(5_000));
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 12 }),
        skews,
        fc.integer({ min: 1, max: 4 }),
        async (steps, skewsMs, burst) => {
          const clocks = skewsMs.map((skew) => new FakeClock(skew));
          const functions = clocks.map(functionAt);
          const { shared } = aTeam({ rateLimit: { requests: 60, period: 'minute', burst } });
          const key = freshName();
          const times: number[] = [];
          const running: { settle: (used: typeof need) => Promise<void> }[] = [];
          let atMs = 0;
          for (const { waitMs, by, atOnce, isSingle, ends } of steps) {
            atMs += waitMs;
            for (const clock of clocks) clock.time = T0 + atMs;
            const { admission, tasks } = functions[by] as (typeof functions)[0];
            const ask = () => admission.admit(isSingle ? key : `${key}b`, isSingle ? single : roomy, need, shared);
            for (const verdict of await Promise.all(Array.from({ length: atOnce }, ask))) {
              if (!verdict.admitted) continue;
              times.push(atMs);
              if (verdict.reservation !== undefined) running.push(verdict.reservation);
            }
            await tasks.idle();
            if (ends) await Promise.all(running.splice(0).map((one) => one.settle(need)));
          }
          for (const [from, begin] of times.entries()) {
            for (const [to, last] of times.entries()) {
              if (to >= from) expect(to - from + 1).toBeLessThanOrEqual(burst + (last - begin + 5_000) / 1_000);
            }
          }
        },
      ),
      { numRuns: 15 },
    );
  });
});
