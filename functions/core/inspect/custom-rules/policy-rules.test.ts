import { describe, expect, it } from '@jest/globals';
import type { CustomSettings } from '../../model/policy.ts';
import { cachedRules } from './policy-rules.ts';

const settings = (id: string, more = {}): CustomSettings => ({
  rules: [{ id, literals: ['zeus'], action: 'flag', ...more }],
});

describe('the compiled rules of policies', () => {
  it('are made once for settings that say the same', () => {
    expect(cachedRules(settings('same'))()).toBe(cachedRules(settings('same', { tests: { match: ['zeus'] } }))());
    expect(cachedRules(settings('same'))()).not.toBe(cachedRules(settings('same', { ignoreCase: true }))());
  });

  it('are empty without any', () => expect(cachedRules({})().isEmpty).toBe(true));

  it('are kept while they are among those used last, and made again later', () => {
    const first = cachedRules(settings('first'));
    const made = first();
    for (let at = 0; at < 63; at++) cachedRules(settings(`other-${at}`))();
    expect(first()).toBe(made);
    for (let at = 0; at < 64; at++) cachedRules(settings(`more-${at}`))();
    expect(first()).not.toBe(made);
  });

  it('are kept as far as their settings are short', () => {
    const first = cachedRules(settings('short'));
    const made = first();
    const literals = Array.from({ length: 200 }, (_, at) => `${at}`.padEnd(200, 'x'));
    for (let at = 0; at < 13; at++) cachedRules(settings(`long-${at}`, { literals }))();
    expect(first()).not.toBe(made);
  });
});
