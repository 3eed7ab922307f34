import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type ApiKey, type PolicySettings, PRESETS } from '../../kernel/model/index.ts';
import { effectivePolicy, withEffectivePolicy } from './effective-policy.ts';

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
