import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { StoreUnavailable } from '../../kernel/errors/index.ts';
import { type ApiKey, type PolicySettings, PRESETS } from '../../kernel/model/index.ts';
import { DefaultPolicy, effectivePolicy, type PolicyVersion, withEffectivePolicy } from './effective-policy.ts';

let time = 0;
let reads = 0;
let current: PolicyVersion;
let failure: Error | undefined;
let policy: DefaultPolicy;
const clock = { now: () => 0, monotonic: () => time };
const version = (number: number): PolicyVersion => ({
  version: number,
  settings: number === 0 ? {} : { preset: 'strict' },
  createdAt: null,
  createdBy: null,
});
const settled = () => new Promise(setImmediate);

beforeEach(() => {
  time = 1_000;
  reads = 0;
  current = version(0);
  failure = undefined;
  policy = new DefaultPolicy(
    {
      current: async () => {
        reads += 1;
        await settled();
        if (failure) throw failure;
        return current;
      },
    },
    clock,
  );
});

describe("the deployment's policy", () => {
  it('is read once by many who ask at once, and then serves for 5 s', async () => {
    expect(await Promise.all([policy.settings(), policy.settings()])).toEqual([{}, {}]);
    time += 4_999;
    await policy.settings();
    expect(reads).toBe(1);
  });

  it('is read anew in the background from then on, with nobody waiting', async () => {
    await policy.settings();
    current = version(1);
    time += 5_000;
    expect(await policy.settings()).toEqual({});
    await settled();
    expect(await policy.settings()).toEqual({ preset: 'strict' });
    expect(reads).toBe(2);
  });

  it('is never served unread after 10 s, though the function slept', async () => {
    await policy.settings();
    current = version(1);
    time += 10_000;
    expect(await policy.settings()).toEqual({ preset: 'strict' });
  });

  it('is the same object while its version is the same, so that it is compiled once', async () => {
    const first = await policy.settings();
    current = version(0);
    time += 10_000;
    expect(await policy.settings()).toBe(first);
  });

  it('stays the last known one while the store is away, and is tried again', async () => {
    current = version(1);
    await policy.settings();
    failure = new StoreUnavailable('away');
    for (const wait of [5_000, 5_000, 3_600_000]) {
      time += wait;
      expect(await policy.settings()).toEqual({ preset: 'strict' });
      await settled();
    }
    failure = undefined;
    current = version(2);
    time += 10_000;
    expect(await policy.settings()).toEqual({ preset: 'strict' });
    expect(reads).toBe(5);
  });

  it('serves nobody where it was never read', async () => {
    failure = new StoreUnavailable('away');
    await expect(policy.settings()).rejects.toBe(failure);
    failure = undefined;
    expect(await policy.settings()).toEqual({});
  });
});

const types = fc.dictionary(
  fc.constantFrom('pii', 'secret', 'jailbreak'),
  fc.record({ action: fc.constantFrom('flag' as const, 'block' as const) }),
);
const settings: fc.Arbitrary<PolicySettings> = fc.record(
  {
    preset: fc.constantFrom(...PRESETS),
    input: types,
    output: types,
    onBlock: fc.constantFrom('error' as const, 'refusal' as const),
    canary: fc.boolean(),
    evidence: fc.boolean(),
    bannedTopics: fc.constantFrom([], [{ name: 'gambling', action: 'flag' as const }]),
    shadow: fc.record({ preset: fc.constantFrom(...PRESETS) }),
  },
  { requiredKeys: [] },
);

describe('the policy that counts for a key', () => {
  it("is the default where the key has none, and the key's where there is no default", () => {
    fc.assert(
      fc.property(settings, (some) => {
        expect(effectivePolicy(some, {})).toEqual(some);
        expect(effectivePolicy({}, some)).toEqual(some);
        expect(effectivePolicy(some, some)).toEqual(some);
      }),
    );
  });

  it("has each field of the key's own as it stands there, and every other from the default", () => {
    fc.assert(
      fc.property(settings, settings, (defaults, own) => {
        const effective = effectivePolicy(defaults, own);
        for (const name of ['preset', 'onBlock', 'canary', 'evidence', 'bannedTopics', 'shadow'] as const) {
          expect(effective[name]).toEqual(own[name] ?? defaults[name]);
        }
      }),
    );
  });

  it("has nothing of the budgets that keys share, which are the deployment's", () => {
    const tagBudgets = [{ tag: 'team', value: 'data', usd: 1, period: 'day' as const }];
    expect(effectivePolicy({ canary: true, tagBudgets }, { preset: 'strict' })).toEqual({
      canary: true,
      preset: 'strict',
    });
  });

  it('is put together type by type, unless the key begins with a preset of its own', () => {
    const defaults: PolicySettings = {
      preset: 'strict',
      input: { pii: { action: 'block' }, secret: { action: 'flag' } },
      canary: true,
    };
    expect(effectivePolicy(defaults, { input: { pii: { action: 'flag' } } })).toEqual({
      ...defaults,
      input: { pii: { action: 'flag' }, secret: { action: 'flag' } },
    });
    expect(effectivePolicy(defaults, { preset: 'monitor', output: { pii: { action: 'flag' } } })).toEqual({
      preset: 'monitor',
      output: { pii: { action: 'flag' } },
      canary: true,
    });
    expect(effectivePolicy({ bannedTopics: [{ name: 'gambling', action: 'flag' }] }, { bannedTopics: [] })).toEqual({
      bannedTopics: [],
    });
  });
});

describe('a key under a default', () => {
  const key = { id: 'key_1', policy: { canary: true } } as ApiKey;

  it('is made once for as long as neither changes, so that its policy is compiled once', () => {
    const defaults: PolicySettings = { preset: 'strict' };
    const made = withEffectivePolicy(key, defaults);
    expect(made.policy).toEqual({ preset: 'strict', canary: true });
    expect(withEffectivePolicy(key, defaults)).toBe(made);
    expect(withEffectivePolicy(key, { preset: 'monitor' }).policy).toEqual({ preset: 'monitor', canary: true });
    expect(key.policy).toEqual({ canary: true });
  });

  it('is itself where there is none', () => {
    expect(withEffectivePolicy(key, {})).toBe(key);
  });
});
