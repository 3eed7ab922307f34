import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type Limits,
  limitsOf,
  type Need,
  NO_NEED,
  type Reservation,
  type SharedAdmission,
} from '../../functions/control/limits/index.ts';
import { type Bucket, toBucket } from '../../functions/control/limits/limits.ts';
import { byDayOrNight } from '../support/night.ts';
import { availableEngines } from './engines.ts';
import { FakeClock } from './fake-clock.ts';
import type { ProcessJob } from './limit-process.ts';
import { admitted, freshName, onlyRequests, ROOMY, reservationOf, SLOW, startLimits } from './limits-setup.ts';

describe.each(availableEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  const { store, functionsAt, functionAt, itemOf } = startLimits(engine);

  describe('requests', () => {
    const take = async (limiter: SharedAdmission, key: string, bucket: Bucket) =>
      (await limiter.admit(key, onlyRequests(bucket), NO_NEED)).states.requests;

    it.each([
      ['a fresh key', 0],
      ['a key that was idle', 3_600_000],
    ])(
      'are admitted exactly up to the capacity, 200 at once, whichever functions they meet: %s',
      async (__, idleMs) => {
        const clock = new FakeClock();
        const functions = functionsAt([clock, clock, clock, clock, clock]);
        const limits = onlyRequests({ capacity: 37, intervalMicros: 60_000_000 });
        const key = freshName();
        if (idleMs > 0) await (functions[0] as SharedAdmission).admit(key, limits, NO_NEED);
        clock.time += idleMs;
        const verdicts = await Promise.all(
          Array.from({ length: 200 }, (___, at) => (functions[at % 5] as SharedAdmission).admit(key, limits, NO_NEED)),
        );
        expect(admitted(verdicts)).toHaveLength(37);
      },
    );

    it('are admitted exactly as by a continuously refilled bucket', async () => {
      const step = fc.record({ waitMs: fc.constantFrom(0, 0, 1, 99, 100, 101, 250, 1_000, 10_000), by: fc.nat(2) });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.integer({ min: 1, max: 4 }), async (steps, capacity) => {
          const clock = new FakeClock();
          const functions = functionsAt([clock, clock, clock]);
          const key = freshName();
          let level = capacity * 100;
          for (const { waitMs, by } of steps) {
            clock.time += waitMs;
            level = Math.min(capacity * 100, level + waitMs);
            const admits = level >= 100;
            if (admits) level -= 100;
            expect(await take(functions[by] as SharedAdmission, key, { capacity, intervalMicros: 100_000 })).toEqual({
              admitted: admits,
              remaining: Math.floor(level / 100),
              fullInMs: capacity * 100 - level,
              nextInMs: Math.max(0, 100 - level),
            });
          }
        }),
        { numRuns: byDayOrNight(4, 10) },
      );
    });

    it('use nothing if refused, and get the time of the next admission', async () => {
      const clock = new FakeClock();
      const bucket = toBucket({ requests: 2, period: 'minute' });
      const key = freshName();
      const next = () => take(functionAt(clock), key, bucket);
      expect([(await next()).remaining, (await next()).remaining]).toEqual([1, 0]);
      for (let i = 0; i < 10; i += 1)
        expect(await next()).toEqual({ admitted: false, remaining: 0, fullInMs: 60_000, nextInMs: 30_000 });
      clock.time += 29_999;
      expect((await next()).admitted).toBe(false);
      clock.time += 1;
      expect((await next()).admitted).toBe(true);
      expect((await next()).admitted).toBe(false);
    });

    it('are admitted in a burst of the capacity, then at the rate', async () => {
      const clock = new FakeClock();
      const limiter = functionAt(clock);
      const limits = onlyRequests(toBucket({ requests: 1, period: 'second', burst: 5 }));
      const key = freshName();
      const burst = async () =>
        admitted(await Promise.all(Array.from({ length: 10 }, () => limiter.admit(key, limits, NO_NEED)))).length;
      expect(await burst()).toBe(5);
      clock.time += 2_000;
      expect(await burst()).toBe(2);
      clock.time += 3_600_000;
      expect(await burst()).toBe(5);
    });

    it('follow a changed limit from the next request on, in all functions', async () => {
      const clock = new FakeClock();
      const limiter = functionAt(clock);
      const key = freshName();
      const small = toBucket({ requests: 1, period: 'minute' });
      const large = toBucket({ requests: 60, period: 'minute' });
      const admits = async (bucket: Bucket) => (await take(limiter, key, bucket)).admitted;
      expect([await admits(small), await admits(small)]).toEqual([true, false]);
      // A minute of debt is all that a bucket of 60 may have; a second later there is room for one.
      clock.time += 1_000;
      expect([await admits(large), await admits(large), await admits(small)]).toEqual([true, false, false]);
      clock.time += 60_000;
      expect(await admits(small)).toBe(true);
    });

    it('of different keys are counted separately', async () => {
      const limiter = functionAt(new FakeClock());
      const limits = onlyRequests({ capacity: 1, intervalMicros: 60_000_000 });
      const verdicts = await Promise.all(Array.from({ length: 20 }, () => limiter.admit(freshName(), limits, NO_NEED)));
      expect(admitted(verdicts)).toHaveLength(20);
    });

    it.each([
      ['a fresh key', 0, 5],
      ['a key in use', 2, 3],
      ['a key that was idle', 2, 5],
    ])('are admitted together as far as there is room: %s', async (state, takenBefore, room) => {
      const clock = new FakeClock();
      const limits = onlyRequests({ capacity: 5, intervalMicros: 1_000_000 });
      const key = freshName();
      const takeMany = (count: number) => store(clock).take(key, limits, { needs: Array(count).fill(NO_NEED) });
      if (takenBefore > 0) await takeMany(takenBefore);
      if (state === 'a key that was idle') clock.time += 3_600_000;
      // Three functions that have never seen the key.
      const takes = await Promise.all([4, 4, 4].map(takeMany));
      expect(takes.reduce((sum, { granted }) => sum + granted, 0)).toBe(room);
      expect(Math.max(...takes.map(({ ledger }) => ledger.fullAtMicros))).toBe(clock.time * 1000 + 5_000_000);
      expect((await takeMany(1)).granted).toBe(0);
    });
  });

  const ROOM = byDayOrNight(100, 500);
  describe(`${4 * ROOM} requests at once over 8 functions, with room for ${ROOM}`, () => {
    const TOKENS = { tokens: 100, nanoUsd: 0 };
    const MONEY = { tokens: 0, nanoUsd: 2_000_000 };
    const cases: [string, Parameters<typeof limitsOf>[0], Need][] = [
      ['requests', { rateLimit: { ...SLOW, burst: ROOM } }, NO_NEED],
      ['tokens', { rateLimit: ROOMY, tokenLimit: { tokens: ROOM * TOKENS.tokens, period: 'month' } }, TOKENS],
      ['money', { rateLimit: ROOMY, budget: { usd: (ROOM * MONEY.nanoUsd) / 1e9, period: 'month' } }, MONEY],
      ['concurrency', { rateLimit: ROOMY, maxConcurrent: ROOM }, NO_NEED],
    ];
    const clocks = () => Array.from({ length: 8 }, () => new FakeClock());
    const ask = (functions: SharedAdmission[], key: string, limits: Limits, need: Need, count: number) =>
      Promise.all(
        Array.from({ length: count }, (__, at) => (functions[at % 8] as SharedAdmission).admit(key, limits, need)),
      );

    let children: ChildProcess[] = [];
    beforeAll(async () => {
      const script = path.join(import.meta.dirname, 'limit-process.ts');
      const execArgv = ['--disable-warning=ExperimentalWarning'];
      children = Array.from({ length: 8 }, () => fork(script, { execArgv, env: { ...process.env } }));
      await Promise.all(children.map((child) => once(child, 'message')));
    });
    afterAll(() => {
      for (const child of children) child.kill('SIGKILL');
    });
    /** Sends a message to each process, and sums how many requests they report as admitted. */
    const tell = async (to: (at: number) => ProcessJob | 'settle') => {
      const answers = children.map((child) => once(child, 'message'));
      for (const [at, child] of children.entries()) child.send(to(at));
      const all = (await Promise.all(answers)).map(([answer]) => answer as { admitted?: number });
      return all.reduce((total, { admitted: count = 0 }) => total + count, 0);
    };
    const settle = () => 'settle' as const;

    it('admit exactly the room of each limit, and as many again once they have ended, over 8 processes', async () => {
      for (const [name, fields, need] of cases) {
        const job = { keyId: freshName(), fields, need, count: ROOM / 2 };
        expect([name, await tell(() => job)]).toEqual([name, ROOM]);
        await tell(settle);
        expect([name, await tell(() => job)]).toEqual([name, name === 'requests' ? 0 : ROOM]);
        await tell(settle);
      }
    });

    it('admit exactly the room of a budget that 8 keys share by their tag, over 8 processes, beside limits of each key', async () => {
      const budget = { tag: 'team', value: freshName(), usd: (ROOM * MONEY.nanoUsd) / 1e9, period: 'month' } as const;
      const keys = Array.from({ length: 8 }, freshName);
      const fields = { rateLimit: ROOMY, budget: { usd: 10, period: 'month' }, maxConcurrent: 1_000 } as const;
      const job = (at: number) => ({
        keyId: keys[at] as string,
        fields,
        need: MONEY,
        count: ROOM / 2,
        tagBudgets: [budget],
      });
      for (const round of [1, 2]) {
        expect([round, await tell(job)]).toEqual([round, ROOM]);
        await tell(settle);
      }
      // What was refused has left nothing anywhere.
      for (const id of [...keys, `tag_${JSON.stringify([budget.tag, budget.value])}`]) {
        const item = Object.entries((await itemOf(id)) ?? {});
        const taken = item.filter(([name]) => /^(?:open|usd)/.test(name)).map(([, amount]) => amount);
        expect([id, new Set(taken)]).toEqual([id, new Set([0])]);
      }
    });

    it.each(cases)('admit exactly the room at one moment of a clock: %s', async (__, fields, need) => {
      const [functions, key, limits] = [functionsAt(clocks()), freshName(), limitsOf(fields)];
      const verdicts = await ask(functions, key, limits, need, 4 * ROOM);
      expect(admitted(verdicts)).toHaveLength(ROOM);
      // What is given back is there again, for as many.
      if (reservationOf(admitted(verdicts)[0]) === undefined) return;
      await Promise.all(admitted(verdicts).map((verdict) => reservationOf(verdict).settle(NO_NEED)));
      expect(admitted(await ask(functions, key, limits, need, ROOM + 100))).toHaveLength(ROOM);
    });
  });

  it('functions with leases never admit more than the stated bounds', async () => {
    const clocks = Array.from({ length: 4 }, () => new FakeClock());
    const key = freshName();
    const functions = functionsAt(clocks);
    const limits = limitsOf({
      rateLimit: { requests: 200, period: 'second' },
      tokenLimit: { tokens: 200_000, period: 'second' },
      budget: { usd: 1_000, period: 'hour' },
      maxConcurrent: 30,
    });
    const need = { tokens: 1_000, nanoUsd: 1_000 };
    let [count, spare] = [0, 0];
    const running: Reservation[] = [];
    for (let at = 0; at < 350; at += 10) {
      const verdicts = await Promise.all(functions.map((one) => one.admit(key, limits, need)));
      count += admitted(verdicts).length;
      expect(count).toBeLessThanOrEqual(200 + (at * 200) / 1000);
      running.push(...admitted(verdicts).map(reservationOf));
      expect(running.length).toBeLessThanOrEqual(30);
      if (at % 50 === 0) spare = Math.max(spare, Number((await itemOf(key))?.open) - running.length);
      // Each runs for 50 ms.
      if (at >= 50) await Promise.all(running.splice(0, 4).map((reservation) => reservation.settle(need)));
      for (const clock of clocks) clock.time += 10;
    }
    await Promise.all(running.map((reservation) => reservation.settle(NO_NEED)));
    // 140 asked, and there was room for all of them.
    expect(count).toBe(140);
    expect(spare).toBeGreaterThan(0);
    expect((await itemOf(key))?.open).toBe(0);
  });

  describe('the item', () => {
    it('of a key with every limit stays below a kilobyte, one write unit, under any load', async () => {
      const clock = new FakeClock();
      const limits = limitsOf({
        rateLimit: ROOMY,
        tokenLimit: { tokens: 1_000_000_000, period: 'month' },
        budget: { usd: 100_000, period: 'month' },
        maxConcurrent: 100_000,
      });
      const key = freshName();
      const limiter = functionAt(clock);
      for (let minute = 0; minute < 20; minute += 1) {
        const verdicts = await Promise.all(
          Array.from({ length: 2 }, () => limiter.admit(key, limits, { tokens: 12_345, nanoUsd: 123_456_789 })),
        );
        await reservationOf(verdicts[0]).settle({ tokens: 1_234, nanoUsd: 12_345_678 });
        clock.time += 150_000;
      }
      const bytes = Object.entries((await itemOf(key)) ?? {}).reduce(
        (sum, [name, value]) =>
          sum + name.length + (typeof value === 'string' ? value.length : Math.ceil(String(value).length / 2) + 1),
        0,
      );
      expect(bytes).toBeLessThan(1_024);
    });
  });
});
