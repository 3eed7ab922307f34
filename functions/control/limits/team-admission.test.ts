import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BackgroundTasks } from '../../kernel/tasks/index.ts';
import { LayeredAdmission } from './layered-admission.ts';
import type { Verdict } from './limiter.ts';
import { limitsOf, type Need, NO_NEED, toPicos, toRateAllowance, windowOf } from './limits.ts';
import { MemoryLimitStore } from './memory-limit-store.fixture.ts';
import { SharedAdmission } from './shared-admission.ts';
import { ONE_REQUEST, type TeamLimits, tagLimitsOf, teamLimitsOf, toolLimitsOf } from './shared-limits.ts';

const T0 = 1_700_000_000_000;
const CENT = 10_000_000;
const NOTHING = { rateLimit: null, tokenLimit: null, budget: null, maxConcurrent: null };
const teamWith = (limits: Partial<TeamLimits>): TeamLimits => ({ id: 'team_a', name: 'Shop', ...NOTHING, ...limits });
const roomy = limitsOf({ rateLimit: { requests: 1_000_000, period: 'second' } });
/** Its second request at the same time is refused, which no process can know before it has asked the store. */
const single = limitsOf({ rateLimit: { requests: 1_000_000, period: 'second' }, maxConcurrent: 1 });
const need: Need = { tokens: 10, nanoUsd: CENT };

let nowMs = T0;
let store: MemoryLimitStore;
const allTasks: BackgroundTasks[] = [];
beforeEach(() => restart());

function restart(): void {
  nowMs = T0;
  store = new MemoryLimitStore(() => nowMs);
  allTasks.length = 0;
}

/** One function, with its own memory, over the shared store. */
function aFunction(): LayeredAdmission {
  const clock = { now: () => nowMs, monotonic: () => nowMs };
  const tasks = new BackgroundTasks();
  allTasks.push(tasks);
  return new LayeredAdmission(new SharedAdmission(store, clock, { onUnsettled: () => {} }), tasks);
}

async function idle(): Promise<void> {
  for (const tasks of allTasks) await tasks.idle();
}

async function end(verdict: Verdict, used: Need = need): Promise<void> {
  if (verdict.admitted) await verdict.reservation?.settle(used);
}

/** What is stored as taken: requests that count, reserved requests and concurrency, cents. */
function taken() {
  const [rate, rest] = [store.ledgers.get('team_a_requests'), store.ledgers.get('team_a')];
  return {
    reserved: rate?.tokensHeld ?? 0n,
    counted: rate?.tokensFullAt ?? 0n,
    open: rest?.open ?? 0,
    cents: (rest?.spent.get(windowOf('day', nowMs)) ?? 0) / CENT,
    tokens: rest?.tokensHeld ?? 0n,
  };
}

describe('keys of one team', () => {
  it('share each of its limits exactly, many at once in many functions', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          rate: fc.integer({ min: 1, max: 30 }),
          cents: fc.integer({ min: 1, max: 30 }),
          open: fc.integer({ min: 1, max: 30 }),
          tokens: fc.integer({ min: 10, max: 300 }),
        }),
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.nat(5), { minLength: 1, maxLength: 40 }),
        async ({ rate, cents, open, tokens }, functions, keys) => {
          restart();
          const limits = teamLimitsOf(
            teamWith({
              rateLimit: { requests: rate, period: 'day' },
              budget: { usd: cents / 100, period: 'day' },
              tokenLimit: { tokens, period: 'day' },
              maxConcurrent: open,
            }),
          );
          const all = Array.from({ length: functions }, aFunction);
          const verdicts = await Promise.all(
            keys.map((key, at) => (all[at % functions] as LayeredAdmission).admit(`key_${key}`, roomy, need, limits)),
          );
          await idle();
          const most = Math.min(keys.length, rate, cents, open, Math.floor(tokens / 10));
          const count = verdicts.filter(({ admitted }) => admitted).length;
          // Requests that overlap may refuse each other by different limits, and then release both.
          expect(count).toBeLessThanOrEqual(most);
          for (let at = count; at < most; at += 1) {
            expect((await aFunction().admit('key_0', roomy, need, limits)).admitted).toBe(true);
            await idle();
          }
          expect((await aFunction().admit('key_0', roomy, need, limits)).admitted).toBe(
            most < Math.min(rate, cents, open, Math.floor(tokens / 10)),
          );
        },
      ),
      { numRuns: 40 },
    );
  });

  it('share its rate alone exactly, in one round', async () => {
    const limits = teamLimitsOf(teamWith({ rateLimit: { requests: 60, period: 'hour', burst: 7 } }));
    const all = Array.from({ length: 3 }, aFunction);
    const verdicts = await Promise.all(
      Array.from({ length: 20 }, (_, at) => (all[at % 3] as LayeredAdmission).admit(`key_${at}`, roomy, need, limits)),
    );
    expect(verdicts.filter(({ admitted }) => admitted)).toHaveLength(7);
    expect(verdicts.find(({ admitted }) => !admitted)).toMatchObject({
      refusal: { limit: 'requests', retryInMs: 60_000, team: { id: 'team_a', name: 'Shop' } },
    });
  });

  it('never have more requests than its rate admits in any interval, however they arrive, end and are refused', async () => {
    const step = fc.record({
      waitMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3_000 })),
      key: fc.nat(3),
      single: fc.boolean(),
      ends: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 5 }), fc.array(step, { maxLength: 60 }), async (burst, steps) => {
        restart();
        const limits = teamLimitsOf(teamWith({ rateLimit: { requests: 60, period: 'minute', burst } }));
        const all = [aFunction(), aFunction()];
        const running: Verdict[] = [];
        const times: number[] = [];
        for (const [at, one] of steps.entries()) {
          nowMs += one.waitMs;
          const shape = one.single ? single : roomy;
          const verdict = await (all[at % 2] as LayeredAdmission).admit(`key_${one.key}`, shape, need, limits);
          if (verdict.admitted) {
            times.push(nowMs);
            running.push(verdict);
          }
          await idle();
          if (one.ends) await Promise.all(running.splice(0).map((each) => end(each)));
        }
        for (const [from, begin] of times.entries()) {
          for (const [to, last] of times.entries()) {
            if (to >= from) expect(to - from + 1).toBeLessThanOrEqual(burst + (last - begin) / 1_000);
          }
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('the rate of a team', () => {
  it('counts a request from its admission on, however late that is confirmed: as many fit as in a bucket of requests', async () => {
    const limits = { ...roomy, tokens: toRateAllowance({ requests: 60, period: 'minute', burst: 3 }) };
    const waits = fc.array(fc.integer({ min: 0, max: 1_500 }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(waits, fc.nat(3), async (steps, confirmsAfter) => {
        restart();
        const clock = { now: () => nowMs, monotonic: () => nowMs };
        const keys = new SharedAdmission(store, clock, { onUnsettled: () => {} });
        const pending: { left: number; readonly confirm: () => Promise<void> }[] = [];
        let fullAtMs = 0;
        for (const waitMs of steps) {
          nowMs += waitMs;
          const verdict = await keys.admit('team_a_requests', limits, ONE_REQUEST);
          // The arithmetic of a bucket of requests, in which all pending ones count as admitted at their time.
          const isAdmitted = Math.max(fullAtMs, nowMs) + 1_000 <= nowMs + 3_000;
          if (verdict.admitted) {
            const { reservation } = verdict;
            pending.push({ left: confirmsAfter, confirm: async () => reservation?.settle(ONE_REQUEST) });
          }
          // While requests are pending, their time does not refill the bucket for others.
          if (verdict.admitted) expect(isAdmitted).toBe(true);
          else if (pending.length === 0) expect(isAdmitted).toBe(false);
          if (verdict.admitted) fullAtMs = Math.max(fullAtMs, nowMs) + 1_000;
          for (const one of pending) one.left -= 1;
          for (const one of pending.filter(({ left }) => left <= 0)) await one.confirm();
          pending.splice(0, pending.length, ...pending.filter(({ left }) => left > 0));
        }
        await Promise.all(pending.map(({ confirm }) => confirm()));
        const ledger = store.ledgers.get('team_a_requests');
        const missing = (ms: bigint) => (ms > toPicos(nowMs) ? ms - toPicos(nowMs) : 0n);
        expect(ledger?.tokensHeld ?? 0n).toBe(0n);
        expect(missing(ledger?.tokensFullAt ?? 0n)).toBe(missing(toPicos(fullAtMs)));
      }),
      { numRuns: 100 },
    );
  });
});

describe('a refused request takes nothing', () => {
  const budget = { usd: 1, period: 'day' } as const;
  const team = teamWith({
    rateLimit: { requests: 10, period: 'day' },
    tokenLimit: { tokens: 1_000, period: 'day' },
    budget,
    maxConcurrent: 20,
  });
  const limits = teamLimitsOf(team);

  it("of its team, also of the rate, where the key's own limits refuse it", async () => {
    const first = await aFunction().admit('key_a', single, need, limits);
    await idle();
    const before = taken();
    const others = Array.from({ length: 9 }, aFunction);
    const refused = await Promise.all(others.map((one) => one.admit('key_a', single, need, limits)));
    expect(refused.map(({ admitted }) => admitted)).toEqual(Array(9).fill(false));
    expect(refused[0]).not.toHaveProperty('refusal.team');
    await idle();
    expect(taken()).toEqual(before);
    expect(before).toMatchObject({ reserved: 0n, open: 1, cents: 1 });
    await end(first);
    expect(taken()).toMatchObject({ open: 0, cents: 1, counted: before.counted });
  });

  it('of the rate, where the budget refuses it, and of a tag, where the rate does', async () => {
    const poor = teamLimitsOf(
      teamWith({ rateLimit: { requests: 1, period: 'day' }, budget: { usd: 0.005, period: 'day' } }),
    );
    expect((await aFunction().admit('key_a', roomy, need, poor)).admitted).toBe(false);
    await idle();
    const tag = { tag: 'team', value: 'data', usd: 1, period: 'day' } as const;
    const both = [
      ...tagLimitsOf({ team: 'data' }, [tag]),
      ...teamLimitsOf(teamWith({ rateLimit: { requests: 1, period: 'day' } })),
    ];
    expect((await aFunction().admit('key_a', roomy, need, both)).admitted).toBe(true);
    await idle();
    expect(await aFunction().admit('key_a', roomy, need, both)).toMatchObject({
      admitted: false,
      refusal: { limit: 'requests' },
    });
    await idle();
    const spent = store.ledgers.get(`tag_${JSON.stringify(['team', 'data'])}`)?.spent.get(windowOf('day', nowMs));
    expect(spent).toBe(CENT);
  });

  it('so that others are admitted as if it had never been sent, at any time', async () => {
    const step = fc.record({ waitMs: fc.integer({ min: 0, max: 2_000 }), refused: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 40 }), async (burst, steps) => {
        const play = async (withRefused: boolean) => {
          restart();
          const rate = teamLimitsOf(teamWith({ rateLimit: { requests: 60, period: 'minute', burst } }));
          await aFunction().admit('key_single', single, need, []);
          const verdicts: boolean[] = [];
          for (const { waitMs, refused } of steps) {
            nowMs += waitMs;
            if (refused && !withRefused) continue;
            const verdict = await aFunction().admit(
              refused ? 'key_single' : 'key_b',
              refused ? single : roomy,
              need,
              rate,
            );
            await idle();
            if (refused) expect(verdict.admitted).toBe(false);
            else verdicts.push(verdict.admitted);
          }
          return verdicts;
        };
        expect(await play(true)).toEqual(await play(false));
      }),
      { numRuns: 60 },
    );
  });
});

describe('the calls', () => {
  it('are one round more for a team, and the same without one', async () => {
    const team = teamLimitsOf(
      teamWith({ rateLimit: { requests: 10, period: 'day' }, budget: { usd: 1, period: 'day' } }),
    );
    await aFunction().admit('key_a', roomy, need, []);
    expect(store.takes.map(({ keyId }) => keyId)).toEqual(['key_a']);
    store.takes.length = 0;
    await aFunction().admit('key_b', roomy, need, team);
    await idle();
    expect(store.takes.map(({ keyId }) => keyId)).toEqual(['team_a', 'team_a_requests', 'key_b']);
    // The request counts in the team's rate as soon as the key has admitted it.
    expect([store.mostBusy, store.settlements]).toEqual([2, 1]);
  });

  it('are none for a team that limits nothing, or nothing that the request needs', async () => {
    expect(teamLimitsOf(teamWith({}))).toEqual([]);
    const team = teamLimitsOf(teamWith({ budget: { usd: 1, period: 'day' } }));
    await aFunction().admit('key_a', roomy, { tokens: 0, nanoUsd: 0 }, team);
    expect(store.takes.map(({ keyId }) => keyId)).toEqual(['key_a']);
  });
});

describe('the limit of tools of an MCP server', () => {
  const server = { name: 'mail', toolLimits: [{ tools: 'send_*', requests: 2, period: 'day' as const }] };
  const call = (gateway: LayeredAdmission, keyId: string, tool: string, limits = roomy) =>
    gateway.admit(keyId, limits, NO_NEED, toolLimitsOf(keyId, server, tool));

  it('admits a key exactly so often, in all functions together, and names its tools in the refusal', async () => {
    const functions = [aFunction(), aFunction()] as const;
    const verdicts = await Promise.all(
      Array.from({ length: 10 }, (_, at) => call(functions[at % 2 === 0 ? 0 : 1], 'key_a', 'send_mail')),
    );
    await idle();
    expect(verdicts.filter(({ admitted }) => admitted).length).toBe(2);
    const refused = verdicts.find(({ admitted }) => !admitted);
    const tools = { server: 'mail', tools: 'send_*', requests: 2, period: 'day' };
    expect(refused).toMatchObject({ refusal: { limit: 'requests', tools, retryInMs: expect.any(Number) } });
  });

  it('is of one key, of the tools that match, and of one server', async () => {
    const gateway = aFunction();
    for (const tool of ['send_mail', 'send_all']) expect((await call(gateway, 'key_a', tool)).admitted).toBe(true);
    expect((await call(gateway, 'key_a', 'send_mail')).admitted).toBe(false);
    expect((await call(gateway, 'key_a', 'read')).admitted).toBe(true);
    expect((await call(gateway, 'key_b', 'send_mail')).admitted).toBe(true);
    const other = toolLimitsOf('key_a', { ...server, name: 'chat' }, 'send_mail');
    expect((await gateway.admit('key_a', roomy, NO_NEED, other)).admitted).toBe(true);
  });

  it('loses nothing to a call that the key refuses', async () => {
    const none = limitsOf({ rateLimit: { requests: 1, period: 'day' } });
    const gateway = aFunction();
    await gateway.admit('key_a', none, NO_NEED, []);
    for (let at = 0; at < 5; at += 1) expect((await call(gateway, 'key_a', 'send_mail', none)).admitted).toBe(false);
    await idle();
    const tools = toolLimitsOf('key_a', server, 'send_mail');
    for (const expected of [true, true, false])
      expect((await gateway.admit('key_b', roomy, NO_NEED, tools)).admitted).toBe(expected);
  });
});
