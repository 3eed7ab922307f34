import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { StoreUnavailable } from '../../kernel/errors/index.ts';
import { BackgroundTasks } from '../../kernel/tasks/index.ts';
import { LayeredAdmission } from './layered-admission.ts';
import type { Reservation, Verdict } from './limiter.ts';
import { type Limits, limitsOf, NO_NEED, windowOf } from './limits.ts';
import { MemoryLimitStore } from './memory-limit-store.fixture.ts';
import { SharedAdmission } from './shared-admission.ts';
import { tagLimitsOf } from './shared-limits.ts';

const NOW = 1_700_000_000_000;
const CENT = 10_000_000;
const team = { tag: 'team', value: 'data', usd: 0.1, period: 'day' } as const;
const project = { tag: 'project', value: 'x', usd: 0.05, period: 'month' } as const;
const ofTeam = tagLimitsOf({ team: 'data' }, [team, project]);
const ofBoth = tagLimitsOf({ team: 'data', project: 'x' }, [team, project]);
const roomy = limitsOf({ rateLimit: { requests: 1_000_000, period: 'second' } });
const need = (cents: number) => ({ tokens: 0, nanoUsd: cents * CENT });

let store: MemoryLimitStore;
let backgroundTasks: BackgroundTasks;
let admission: LayeredAdmission;
beforeEach(() => {
  store = new MemoryLimitStore(() => NOW);
  ({ backgroundTasks, admission } = aFunction());
});

/** One function, with its own memory, over the shared store. */
function aFunction() {
  const clock = { now: () => NOW, monotonic: () => NOW };
  const shared = new SharedAdmission(store, clock, { onUnsettled: () => {} });
  const ownTasks = new BackgroundTasks();
  return { backgroundTasks: ownTasks, admission: new LayeredAdmission(shared, ownTasks) };
}

/** Cents that are reserved or used of a budget. */
function spentOf({ tag, value, period }: typeof team | typeof project): number {
  const ledger = store.ledgers.get(`tag_${JSON.stringify([tag, value])}`);
  return (ledger?.spent.get(windowOf(period, NOW)) ?? 0) / CENT;
}
const reservationOf = (verdict: Verdict) => (verdict.admitted ? verdict.reservation : undefined) as Reservation;
const ask = (key: string, cents: number, limits: Limits = roomy, tags = ofTeam) =>
  admission.admit(key, limits, need(cents), tags);

describe('keys with one tag', () => {
  it('share its budget exactly, many at once in many functions: as many are admitted as there is room for', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 10 }),
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.nat(5), { minLength: 1, maxLength: 40 }),
        async (cents, functions, keys) => {
          store = new MemoryLimitStore(() => NOW);
          const all = Array.from({ length: functions }, () => aFunction().admission);
          const verdicts = await Promise.all(
            keys.map((key, at) =>
              (all[at % functions] as LayeredAdmission).admit(`key_${key}`, roomy, need(cents), ofTeam),
            ),
          );
          const count = verdicts.filter(({ admitted }) => admitted).length;
          expect(count).toBe(Math.min(keys.length, Math.floor(10 / cents)));
          expect(spentOf(team)).toBeCloseTo(count * cents, 6);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('pay what they used, and give back the rest', async () => {
    const verdict = await ask('key_a', 10);
    expect((await ask('key_b', 1)).admitted).toBe(false);
    await reservationOf(verdict).settle(need(3));
    expect(spentOf(team)).toBe(3);
    expect((await ask('key_b', 7)).admitted).toBe(true);
  });

  it('are told which budget is spent, and until when', async () => {
    await ask('key_a', 10);
    const verdict = await ask('key_b', 1);
    expect(verdict).toMatchObject({ admitted: false, refusal: { limit: 'budget', tagBudget: team } });
    if (!verdict.admitted) expect(new Date(verdict.refusal.resetAtMs).toISOString()).toBe('2023-11-15T00:00:00.000Z');
  });

  it('are admitted without it where no money is needed', async () => {
    await ask('key_a', 10);
    expect((await admission.admit('key_b', roomy, NO_NEED, ofTeam)).admitted).toBe(true);
  });
});

describe('a refused request takes nothing', () => {
  const tight = limitsOf({ rateLimit: { requests: 1, period: 'day' } });
  const poor = limitsOf({ rateLimit: { requests: 1_000, period: 'day' }, budget: { usd: 0.06, period: 'day' } });

  it("of the budget, where the key's own limits refuse it", async () => {
    expect((await ask('key_a', 5, poor)).admitted).toBe(true);
    const verdict = await ask('key_a', 5, poor);
    expect(verdict).toMatchObject({ admitted: false, refusal: { limit: 'budget' } });
    expect(verdict).not.toHaveProperty('refusal.tagBudget');
    await backgroundTasks.idle();
    expect(store.takes.map(({ keyId }) => keyId)).toEqual([ofTeam[0]?.id, 'key_a', ofTeam[0]?.id, 'key_a']);
    expect(spentOf(team)).toBe(5);
  });

  it("of the key's limits, where the budget refuses it", async () => {
    await ask('key_a', 10);
    expect((await ask('key_b', 1, tight)).admitted).toBe(false);
    expect(store.ledgers.get('key_b')).toBeUndefined();
    expect(store.takes.some(({ keyId }) => keyId === 'key_b')).toBe(false);
  });

  it('of one budget, where another refuses it', async () => {
    expect((await ask('key_a', 6, roomy, ofBoth)).admitted).toBe(false);
    await backgroundTasks.idle();
    expect([spentOf(team), spentOf(project)]).toEqual([0, 0]);
    expect((await ask('key_a', 5, roomy, ofBoth)).admitted).toBe(true);
    expect([spentOf(team), spentOf(project)]).toEqual([5, 5]);
  });

  it('of any, where the store fails on the way', async () => {
    const keys = new SharedAdmission(store, { now: () => NOW, monotonic: () => NOW }, { onUnsettled: () => {} });
    const failing = new LayeredAdmission(
      {
        admit: async (keyId, limits, one) => {
          if (keyId === 'key_a') throw new StoreUnavailable('limits table: timeout');
          return keys.admit(keyId, limits, one);
        },
        peek: (keyId, limits) => keys.peek(keyId, limits),
        knownRefusal: () => undefined,
      },
      backgroundTasks,
    );
    await expect(failing.admit('key_a', roomy, need(5), ofBoth)).rejects.toBeInstanceOf(StoreUnavailable);
    await backgroundTasks.idle();
    expect([spentOf(team), spentOf(project)]).toEqual([0, 0]);
  });

  it('and of a key that is known to be over its rate no budget is asked', async () => {
    await ask('key_a', 1, tight);
    const takes = store.takes.length;
    for (let at = 0; at < 5; at += 1) expect((await ask('key_a', 1, tight)).admitted).toBe(false);
    expect(store.takes).toHaveLength(takes);
  });
});

describe('the calls', () => {
  it('are reported as sent once all tags are asked, whether they need a write or not', async () => {
    const spent = tagLimitsOf({ team: 'data', project: 'x' }, [team, { ...project, usd: 0.000001 }]);
    for (const tags of [ofBoth, spent]) {
      let times = 0;
      await admission.admit('key_a', roomy, need(1), tags, () => {
        times += 1;
      });
      expect(times).toBe(1);
    }
  });

  it('of a key without a budgeted tag are those of any other', async () => {
    await ask('key_a', 5, roomy, tagLimitsOf({ team: 'sales', project: 'y' }, [team, project]));
    expect(store.takes.map(({ keyId }) => keyId)).toEqual(['key_a']);
  });

  it('are one round more where there are tags, however many', async () => {
    await ask('key_a', 5, roomy, ofBoth);
    expect(store.takes.map(({ keyId }) => keyId)).toEqual([...ofBoth.map(({ id }) => id), 'key_a']);
    expect(store.mostBusy).toBe(2);
  });
});
