import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type PolicySettings, PRESETS, policySchema } from '../../kernel/model/index.ts';
import { observedPolicy } from './observed-policy.ts';

const strictest: PolicySettings = policySchema.parse({
  preset: 'strict',
  input: { pii: { action: 'redact', threshold: 0.9 }, jailbreak: { action: 'block' }, secret: { action: 'off' } },
  output: { tool_misuse: { action: 'ask' }, secret: { action: 'redact' } },
  rules: [{ id: 'house', literals: ['falcon'], action: 'redact' }],
  bannedTopics: [{ name: 'gambling', action: 'block' }],
  tools: {
    unlisted: 'block',
    pin: 'block',
    rules: [
      { id: 'all', tool: '*', action: 'block' },
      { id: 'mail', tool: 'mail', action: 'ask' },
    ],
  },
  onDetectorFailure: 'block',
  unreadable: 'block',
  maxOutputTokens: 100,
});

describe('an observed policy', () => {
  it('only flags: types, custom rules, topics, tools and what cannot be inspected', () => {
    expect(observedPolicy(strictest)).toEqual({
      ...strictest,
      preset: 'monitor',
      input: { pii: { action: 'flag', threshold: 0.9 }, jailbreak: { action: 'flag' }, secret: { action: 'off' } },
      output: { tool_misuse: { action: 'flag' }, secret: { action: 'flag' } },
      rules: [{ id: 'house', literals: ['falcon'], action: 'flag' }],
      bannedTopics: [{ name: 'gambling', action: 'flag' }],
      tools: {
        unlisted: 'flag',
        pin: 'flag',
        rules: [
          { id: 'all', tool: '*', action: 'flag' },
          { id: 'mail', tool: 'mail', action: 'flag' },
        ],
      },
      onDetectorFailure: 'pass',
      unreadable: 'flag',
    });
  });

  it('is a valid policy without a stronger action, for every preset and without any setting', () => {
    fc.assert(
      fc.property(fc.constantFrom(undefined, ...PRESETS), fc.boolean(), (preset, isFull) => {
        const observed = observedPolicy({ ...(isFull && strictest), preset });
        expect(policySchema.safeParse(observed).success).toBe(true);
        expect(JSON.stringify(observed)).not.toMatch(/"(?:block|redact|ask)"/);
        expect([observed.preset, observed.onDetectorFailure]).toEqual(['monitor', 'pass']);
      }),
    );
  });

  it('still reports contact details that `strict` redacts, and only records those that others do not', () => {
    expect(observedPolicy({ preset: 'strict' }).input).toEqual({ pii: { action: 'flag' } });
    expect(observedPolicy({ preset: 'balanced' }).input).toEqual({});
  });

  it('is made once, so that it is compiled once', () => {
    expect(observedPolicy(strictest)).toBe(observedPolicy(strictest));
  });
});
