import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Verdict } from './limiter.ts';
import { bucketState, type Limits, limitsOf, type Need, NO_NEED, roomIn } from './limits.ts';
import { MemoryLimitStore } from './memory-limit-store.fixture.ts';
import { SharedAdmission } from './shared-admission.ts';

const NOW = 1_700_000_000_000;
const limitsWith = (fields: Partial<Limits>): Limits => ({
  requests: { capacity: 1_000_000, intervalMicros: 1_000 },
  tokens: undefined,
  budget: undefined,
  maxConcurrent: undefined,
  ...fields,
});

let now = NOW;
let store: MemoryLimitStore;
let lost: string[];
let admission: SharedAdmission;
beforeEach(() => {
  now = NOW;
  store = new MemoryLimitStore(() => now);
  lost = [];
  const clock = { now: () => now, monotonic: () => now };
  admission = new SharedAdmission(store, clock, { onUnsettled: (keyId) => lost.push(keyId) });
});

const admitted = (verdicts: readonly Verdict[]) => verdicts.filter((verdict) => verdict.admitted);
const admitMany = (count: number, limits: Limits, need: Need = NO_NEED) =>
  Promise.all(Array.from({ length: count }, () => admission.admit('key', limits, need)));
const settle = async (verdict: Verdict | undefined, used: Need = NO_NEED) => {
  if (verdict?.admitted) await verdict.reservation?.settle(used);
};
/** Makes the process see many requests of the key: those of one stretch count in the next. */
async function heat(limits: Limits, count = 20): Promise<void> {
  for (const verdict of await admitMany(count, limits)) await settle(verdict);
  now += 250;
}

describe('requests of one key at the same time', () => {
  it('are told what they would be told one after another', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          capacity: fc.integer({ min: 1, max: 30 }),
          intervalMicros: fc.integer({ min: 1, max: 1_000_000 }),
        }),
        fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 8 }),
        async (bucket, bursts) => {
          const fresh = new MemoryLimitStore(() => NOW);
          const clock = { now: () => NOW, monotonic: () => NOW };
          const shared = new SharedAdmission(fresh, clock, { onUnsettled: () => {} });
          const limits = limitsWith({ requests: bucket });
          const pending = [];
          for (const burst of bursts) {
            for (let i = 0; i < burst; i += 1) pending.push(shared.admit('key', limits, NO_NEED));
            await setImmediate();
          }
          let fullAt = 0;
          const expected = pending.map(() => {
            const admits = roomIn(bucket, fullAt, NOW * 1000) > 0;
            if (admits) fullAt = Math.max(fullAt, NOW * 1000) + bucket.intervalMicros;
            return bucketState(bucket, fullAt, NOW * 1000, admits);
          });
          expect((await Promise.all(pending)).map(({ states }) => states.requests)).toEqual(expected);
          expect(fresh.mostBusy).toBe(1);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('cost two writes: the first its own, the rest one for all', async () => {
    const limits = limitsWith({ requests: { capacity: 20, intervalMicros: 1_000_000 } });
    expect(admitted(await admitMany(50, limits))).toHaveLength(20);
    expect(store.takes.map(({ count }) => count)).toEqual([1, 49]);
  });

  it('are reported as sent with their write; those that wait for it, at once', async () => {
    const steps: string[] = [];
    const ask = (name: string) => admission.admit('key', limitsWith({}), NO_NEED, () => steps.push(name));
    const all = [ask('a'), ask('b')];
    steps.push('asked');
    await Promise.all(all);
    expect(steps.slice(0, 3)).toEqual(['a', 'b', 'asked']);
  });

  it('do not wait for those of another key', async () => {
    const limits = limitsWith({});
    await Promise.all(['a', 'b', 'c'].map((keyId) => admission.admit(keyId, limits, NO_NEED)));
    expect(store.mostBusy).toBe(3);
  });

  it('share no write where the limit was changed between them', async () => {
    const [small, large] = [1, 5].map((capacity) => limitsWith({ requests: { capacity, intervalMicros: 1_000_000 } }));
    const each = [small, small, large, large, small] as Limits[];
    const verdicts = await Promise.all(each.map((limits) => admission.admit('key', limits, NO_NEED)));
    expect(verdicts.map((verdict) => verdict.admitted)).toEqual([true, false, true, true, false]);
    expect(store.takes.map(({ count }) => count)).toEqual([1, 1, 2, 1]);
  });

  it('are refused each by its own need: a smaller one is not refused with a larger one before it', async () => {
    const limits = limitsOf({
      rateLimit: { requests: 100, period: 'month' },
      tokenLimit: { tokens: 100, period: 'month' },
    });
    const needs = [60, 60, 30, 20, 10].map((tokens) => ({ tokens, nanoUsd: 0 }));
    const verdicts = await Promise.all(needs.map((need) => admission.admit('key', limits, need)));
    expect(verdicts.map((verdict) => verdict.admitted)).toEqual([true, false, true, false, true]);
  });

  it('can be told how the limits stand, which takes nothing', async () => {
    const limits = limitsWith({ requests: { capacity: 2, intervalMicros: 1_000_000 } });
    const remaining = async () => (await admission.peek('key', limits)).requests.remaining;
    const peeked = [await remaining()];
    for (let i = 0; i < 3; i += 1) {
      await admission.admit('key', limits, NO_NEED);
      peeked.push(await remaining(), await remaining());
    }
    expect(peeked).toEqual([2, 1, 1, 0, 0, 0, 0]);
  });

  it('fail with the write that they share, and the next one is tried anew', async () => {
    store.failing = true;
    const failed = await Promise.allSettled(
      Array.from({ length: 3 }, () => admission.admit('key', limitsWith({}), NO_NEED)),
    );
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    store.failing = false;
    expect((await admission.admit('key', limitsWith({}), NO_NEED)).admitted).toBe(true);
  });
});

describe('what is reserved', () => {
  const limits = limitsOf({
    rateLimit: { requests: 1000, period: 'month' },
    tokenLimit: { tokens: 1000, period: 'month' },
    budget: { usd: 1, period: 'day' },
    maxConcurrent: 3,
  });
  const need = { tokens: 300, nanoUsd: 200_000_000 };

  it.each([
    ['tokens', { ...limits, maxConcurrent: undefined, budget: undefined }, 3],
    ['budget', { ...limits, maxConcurrent: undefined, tokens: undefined }, 5],
    ['concurrent', { ...limits, tokens: undefined, budget: undefined }, 3],
  ] as const)('admits only as many as fit: %s', async (limit, only, room) => {
    const verdicts = await admitMany(10, only, need);
    expect(admitted(verdicts)).toHaveLength(room);
    expect(verdicts.flatMap((verdict) => (verdict.admitted ? [] : [verdict.refusal.limit]))).toEqual(
      Array(10 - room).fill(limit),
    );
  });

  it('is given back but for what was used', async () => {
    const verdicts = await admitMany(3, limits, need);
    for (const verdict of verdicts) await settle(verdict, { tokens: 10, nanoUsd: 5 });
    const { ledger } = await store.peek('key');
    expect([ledger.open, ledger.tokensHeld, [...ledger.spent.values()]]).toEqual([0, 0n, [15]]);
    expect((await admission.peek('key', limits)).tokens?.remaining).toBe(970);
  });

  it('is shown in the headers while it is held, and not any more once it is settled', async () => {
    const [verdict] = await admitMany(1, limits, need);
    expect(verdict?.states.tokens?.remaining).toBe(700);
    await settle(verdict, { tokens: 1, nanoUsd: 0 });
    expect((await admission.peek('key', limits)).tokens?.remaining).toBe(999);
  });

  it('is waited for where this process is just giving it back', async () => {
    const [first] = await admitMany(1, limitsWith({ maxConcurrent: 1 }));
    const settled = settle(first);
    const [second] = await admitMany(1, limitsWith({ maxConcurrent: 1 }));
    expect(second?.admitted).toBe(true);
    await settled;
  });

  it('shares its settlements: those that come while one is written go with the next', async () => {
    const many = limitsWith({ maxConcurrent: 100 });
    const verdicts = await admitMany(40, many);
    await Promise.all(verdicts.map((verdict) => settle(verdict)));
    expect(store.settlements).toBe(2);
    expect((await store.peek('key')).ledger.open).toBe(0);
  });

  it('is told of where it cannot be settled, which harms nobody: it ends by itself', async () => {
    const [verdict] = await admitMany(1, limits, need);
    store.failing = true;
    await settle(verdict, need);
    expect(lost).toEqual(['key']);
    store.failing = false;
    now += 20 * 60_000;
    expect(admitted(await admitMany(3, limits, need))).toHaveLength(3);
  });
});

describe('a key that is asked for often', () => {
  const plain = limitsWith({ requests: { capacity: 100_000, intervalMicros: 1_000 } });

  it('is admitted from what was put aside, without a write', async () => {
    await heat(plain);
    const before = store.takes.length;
    for (let i = 0; i < 16; i += 1) expect((await admission.admit('key', plain, NO_NEED)).admitted).toBe(true);
    expect(store.takes.slice(before)).toEqual([{ keyId: 'key', count: 1, leased: 15 }]);
  });

  it.each([
    ['tokens', { tokens: 101, nanoUsd: 1_000 }],
    ['money', { tokens: 100, nanoUsd: 1_001 }],
  ])('is not admitted from what was put aside for smaller needs: %s', async (_, larger) => {
    const limits = limitsOf({
      rateLimit: { requests: 1_000_000, period: 'hour' },
      tokenLimit: { tokens: 1_000_000, period: 'hour' },
      budget: { usd: 100, period: 'hour' },
    });
    const need = { tokens: 100, nanoUsd: 1_000 };
    await heat(limits);
    for (let i = 0; i < 3; i += 1) await admission.admit('key', limits, need);
    expect(store.takes.at(-1)?.leased).toBeGreaterThan(1);
    const before = store.takes.length;
    await admission.admit('key', limits, need);
    expect(store.takes).toHaveLength(before);
    await admission.admit('key', limits, larger);
    expect(store.takes).toHaveLength(before + 1);
  });

  it('counts all that was put aside as taken, used or not', async () => {
    await heat(plain);
    await admission.admit('key', plain, NO_NEED);
    const { ledger } = await store.peek('key');
    expect(ledger.fullAtMicros).toBe((now + 250) * 1000 + 16 * 1_000);
  });

  it('is not admitted from a lease that is over', async () => {
    await heat(plain);
    await admission.admit('key', plain, NO_NEED);
    const before = store.takes.length;
    now += 250;
    await admission.admit('key', plain, NO_NEED);
    expect(store.takes).toHaveLength(before + 1);
  });

  it('puts nothing aside where few requests come, or where the bucket is small', async () => {
    await heat(plain, 7);
    await admission.admit('key', plain, NO_NEED);
    const small = limitsWith({ requests: { capacity: 100, intervalMicros: 1_000 } });
    await heat(small);
    await admission.admit('key', small, NO_NEED);
    expect(store.takes.map(({ leased }) => leased)).toEqual(store.takes.map(() => 0));
  });

  it('has requests put aside from eight in 250 ms on', async () => {
    await heat(plain, 9);
    await admission.admit('key', plain, NO_NEED);
    expect(store.takes.at(-1)?.leased).toBeGreaterThan(0);
  });

  it('has the same of tokens, money and concurrency, and gives back what it did not need when its last request ends', async () => {
    const limits = limitsOf({
      rateLimit: { requests: 1_000_000, period: 'hour' },
      tokenLimit: { tokens: 1_000_000, period: 'hour' },
      budget: { usd: 100, period: 'hour' },
      maxConcurrent: 1_000,
    });
    const need = { tokens: 100, nanoUsd: 1_000 };
    await heat(limits);
    const verdicts = [await admission.admit('key', limits, need)];
    const before = store.takes.length;
    for (let i = 0; i < 9; i += 1) verdicts.push(await admission.admit('key', limits, need));
    expect(store.takes).toHaveLength(before + 1);
    const held = (await store.peek('key')).ledger;
    expect([held.open, [...held.spent.values()]]).toEqual([17, [17_000]]);
    await Promise.all(verdicts.map((verdict) => settle(verdict, { tokens: 3, nanoUsd: 7 })));
    const { ledger } = await store.peek('key');
    expect([ledger.open, ledger.tokensHeld, [...ledger.spent.values()]]).toEqual([0, 0n, [70]]);
    expect((await admission.peek('key', limits)).tokens?.remaining).toBe(1_000_000 - 30);
  });

  it('never hands out what was taken of a period of the budget in the next one', async () => {
    const limits = limitsOf({
      rateLimit: { requests: 1_000_000, period: 'hour' },
      budget: { usd: 1, period: 'minute' },
    });
    now = Math.ceil(NOW / 60_000) * 60_000 - 260;
    await heat(limits);
    const admit = () => admission.admit('key', limits, { tokens: 0, nanoUsd: 1 });
    // They go on coming.
    await admitMany(20, limits);
    await admit();
    const before = store.takes.length;
    for (let i = 0; i < 3; i += 1) await admit();
    const inPeriod = store.takes.length;
    expect(inPeriod - before).toBeLessThanOrEqual(1);
    now += 10;
    await admit();
    expect(store.takes).toHaveLength(inPeriod + 1);
  });

  it('over 8 functions is admitted as often as the bound says with a fraction of the writes, and never more often', async () => {
    const clock = { now: () => now, monotonic: () => now };
    const functions = Array.from({ length: 8 }, () => new SharedAdmission(store, clock, { onUnsettled: () => {} }));
    const limits = limitsOf({ rateLimit: { requests: 400, period: 'second' }, maxConcurrent: 100 });
    const running: Verdict[][] = [];
    let [count, takesBefore] = [0, 0];
    for (let at = 0; at < 2_000; at += 10) {
      if (at === 250) takesBefore = store.takes.length;
      const verdicts = await Promise.all(functions.map((one) => one.admit('key', limits, NO_NEED)));
      count += admitted(verdicts).length;
      expect(count).toBeLessThanOrEqual(400 + (at * 400) / 1000);
      // Each runs for 50 ms.
      running.push(verdicts);
      if (at >= 50) for (const verdict of running.shift() ?? []) void settle(verdict);
      now = NOW + at + 10;
      // Three of four pause for a while: their leases are lost.
      if (at === 600) functions.splice(2);
    }
    expect(count).toBe(61 * 8 + 139 * 2);
    expect(store.takes.length - takesBefore).toBeLessThan(count / 2);
  });

  it('loses next to nothing of its limit to leases, also where far more is asked for, and uneven', async () => {
    const clock = { now: () => now, monotonic: () => now };
    const functions = Array.from({ length: 8 }, () => new SharedAdmission(store, clock, { onUnsettled: () => {} }));
    const limits = limitsOf({ rateLimit: { requests: 4_000, period: 'minute', burst: 1_000 } });
    let count = 0;
    for (let step = 0; step < 400; step += 1) {
      const asking = functions.flatMap((one, at) =>
        Array.from({ length: (step * 7 + at * 3) % 5 === 0 ? 4 : 1 }, () => one.admit('key', limits, NO_NEED)),
      );
      count += admitted(await Promise.all(asking)).length;
      now += 10;
    }
    const bound = 1_000 + (4_000 / 60) * 3.99;
    expect(count).toBeLessThanOrEqual(bound);
    expect(count).toBeGreaterThan(bound * 0.97);
  });

  it('queues behind a lease that is on its way, and is admitted from it', async () => {
    await heat(plain);
    const before = store.takes.length;
    await admitMany(16, plain);
    expect(store.takes.slice(before)).toHaveLength(1);
  });

  it('admits exactly what there is room for, whatever is put aside, whoever ends when', async () => {
    const step = fc.record({
      waitMs: fc.constantFrom(0, 1, 20, 250),
      by: fc.nat(2),
      count: fc.integer({ min: 1, max: 30 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 25 }),
        fc.integer({ min: 1, max: 300 }),
        async (steps, capacity) => {
          let time = NOW;
          const clock = { now: () => time, monotonic: () => time };
          const shared = new MemoryLimitStore(() => time);
          const processes = [0, 1, 2].map(() => new SharedAdmission(shared, clock, { onUnsettled: () => {} }));
          const limits = limitsWith({ requests: { capacity, intervalMicros: 1_000_000 }, maxConcurrent: 40 });
          let [running, most] = [0, 0];
          const at: number[] = [];
          for (const { waitMs, by, count } of steps) {
            time += waitMs;
            const process = processes[by] as SharedAdmission;
            const verdicts = await Promise.all(
              Array.from({ length: count }, () => process.admit('key', limits, NO_NEED)),
            );
            for (const verdict of admitted(verdicts)) {
              at.push(time);
              running += 1;
              most = Math.max(most, running);
              if (verdict.admitted && (at.length + by) % 3 > 0) {
                running -= 1;
                void verdict.reservation?.settle(NO_NEED);
              }
            }
          }
          expect(most).toBeLessThanOrEqual(40);
          for (const [first, from] of at.entries()) {
            const interval = (at.at(-1) as number) - from;
            expect(at.length - first).toBeLessThanOrEqual(capacity + interval / 1000);
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});
