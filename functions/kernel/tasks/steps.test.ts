import { describe, expect, it } from '@jest/globals';
import { CpuBudget, finish, runInSlices, type Steps } from './steps.ts';

/** Steps that take 2 ms each of a clock that only they move, and end early when `yield` returns true. */
function working(count: number) {
  let now = 0;
  const turns: number[] = [];
  function* steps(): Steps<{ done: number; cut: boolean }> {
    for (let done = 1; done <= count; done += 1) {
      now += 2;
      if (yield) return { done, cut: true };
    }
    return { done: count, cut: false };
  }
  const scheduler = {
    cpuMs: () => now,
    monotonic: () => now,
    nextTurn: async () => {
      turns.push(now);
      // What others do meanwhile is not this work's.
      now += 1000;
    },
  };
  return { steps: steps(), scheduler, turns };
}

describe('work in steps', () => {
  it('runs to its end at once where nobody waits', () => {
    expect(finish(working(10).steps)).toEqual({ done: 10, cut: false });
  });

  it('gives way every few milliseconds', async () => {
    const { steps, scheduler, turns } = working(7);
    expect(await runInSlices(steps, scheduler)).toEqual({ done: 7, cut: false });
    expect(turns).toEqual([6, 1012]);
  });

  it('does not give way where it is short', async () => {
    const { steps, scheduler, turns } = working(2);
    await runInSlices(steps, scheduler);
    expect(turns).toEqual([]);
  });

  it('is told to end when its own CPU time is used up, whatever others used meanwhile', async () => {
    const { steps, scheduler } = working(100);
    const budget = new CpuBudget(20);
    expect(await runInSlices(steps, scheduler, budget)).toEqual({ done: 12, cut: true });
    expect(budget.isSpent).toBe(true);
  });

  it('is not charged for the time in which other programs have the processor', async () => {
    let waited = 0;
    const { steps, scheduler } = working(7);
    const monotonic = () => {
      waited += 100;
      return scheduler.monotonic() + waited;
    };
    const busy = { ...scheduler, monotonic };
    const budget = new CpuBudget(20);
    expect(await runInSlices(steps, busy, budget)).toEqual({ done: 7, cut: false });
    expect(budget.isSpent).toBe(false);
  });

  it('is told to end sooner once what it works for is refused', () => {
    const refusal = new AbortController();
    const budget = new CpuBudget(2_000, refusal.signal);
    budget.use(20);
    expect(budget.isSpent).toBe(false);
    refusal.abort();
    expect(budget.isSpent).toBe(true);
  });

  it('adds to what earlier work has used of the same budget', async () => {
    const budget = new CpuBudget(20);
    for (const expected of [false, false, true]) {
      const { steps, scheduler } = working(4);
      await runInSlices(steps, scheduler, budget);
      expect(budget.isSpent).toBe(expected);
    }
  });
});
