import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createDynamoClient, type DynamoClient } from '../../functions/adapters/aws/clients.ts';
import { DynamoLimitStore } from '../../functions/adapters/dynamo/dynamo-limit-store.ts';
import { UndiciHttpClient } from '../../functions/adapters/http/undici-http-client.ts';
import type { HttpClient } from '../../functions/core/base/http-client.ts';
import { RESERVATION_MS, SLOT_MS } from '../../functions/core/limits/ledger.ts';
import type { Reservation, Verdict } from '../../functions/core/limits/limiter.ts';
import {
  type Bucket,
  type Limits,
  limitsOf,
  type Need,
  NO_NEED,
  toBucket,
} from '../../functions/core/limits/limits.ts';
import { MemoryLimitStore } from '../../functions/core/limits/memory-limit-store.fixture.ts';
import { SharedAdmission } from '../../functions/core/limits/shared-admission.ts';
import { PERIOD_SECONDS, PERIODS } from '../../functions/core/model/key-limits.ts';
import { embeddedAccess } from '../../lib/local/create-resources.ts';
import { byDayOrNight } from '../support/night.ts';
import { availableEngines } from './engines.ts';
import { FakeClock, T0 } from './fake-clock.ts';
import type { ProcessJob } from './limit-process.ts';

process.env.AWS_REGION = 'eu-central-1';
process.env.AWS_ACCESS_KEY_ID = 'local';
process.env.AWS_SECRET_ACCESS_KEY = 'local';

const network = new UndiciHttpClient();

/** Fails the test: a settlement that the store rejects is never written. */
const onUnsettled = (_: string, error: unknown) => {
  throw error;
};

let counter = 0;
const freshName = () => {
  counter += 1;
  return `key_${process.pid}x${counter}`;
};
const onlyRequests = (requests: Bucket): Limits => ({
  requests,
  tokens: undefined,
  budget: undefined,
  maxConcurrent: undefined,
});
/** A request limit that is never reached: other limits are tested. */
const ROOMY = { requests: 1_000_000, period: 'second' } as const;
const SLOW = { requests: 1, period: 'month' } as const;
const admitted = (verdicts: readonly Verdict[]) => verdicts.filter((verdict) => verdict.admitted);
const reservationOf = (verdict: Verdict | undefined) =>
  (verdict?.admitted ? verdict.reservation : undefined) as Reservation;

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
  let stop = async () => {};
  let client: DynamoClient;
  let clientOver: (http: HttpClient) => DynamoClient;
  beforeAll(async () => {
    const started = await engine.start();
    stop = started.stop;
    process.env.AWS_ENDPOINT_URL_DYNAMODB = started.url;
    // For the processes that are started.
    clientOver = (http) => createDynamoClient({ ...embeddedAccess(started.url), http });
    client = clientOver(network);
  });
  afterAll(async () => {
    await stop();
  });
  const store = (clock: FakeClock, through = client) =>
    new DynamoLimitStore({ client: through, settling: through }, 'limits', clock);
  /** As many functions as clocks, each with its own memory. */
  const functionsAt = (clocks: readonly FakeClock[]) =>
    clocks.map((clock) => new SharedAdmission(store(clock), clock, { onUnsettled }));
  const functionAt = (clock: FakeClock) => functionsAt([clock])[0] as SharedAdmission;
  const itemOf = async (keyId: string) =>
    (await client.send(new GetCommand({ TableName: 'limits', Key: { pk: keyId }, ConsistentRead: true }))).Item;

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
