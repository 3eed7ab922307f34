import { describe, expect, it } from '@jest/globals';
import type { CustomSettings } from '../../kernel/model/index.ts';
import { cachedRules } from './policy-rules.ts';

const settings = (id: string, more = {}): CustomSettings => ({
  rules: [{ id, literals: ['zeus'], action: 'flag', ...more }],
});

describe('compiled custom rules', () => {
  it('are compiled once for equal settings', () => {
    expect(cachedRules(settings('same'))()).toBe(cachedRules(settings('same', { tests: { match: ['zeus'] } }))());
    expect(cachedRules(settings('same'))()).not.toBe(cachedRules(settings('same', { ignoreCase: true }))());
  });

  it('are empty for a policy without any', () => expect(cachedRules({})().isEmpty).toBe(true));

  it('are cached in least-recently-used order', () => {
    const first = cachedRules(settings('first'));
    const made = first();
    for (let at = 0; at < 63; at++) cachedRules(settings(`other-${at}`))();
    expect(first()).toBe(made);
    for (let at = 0; at < 64; at++) cachedRules(settings(`more-${at}`))();
    expect(first()).not.toBe(made);
  });

  it('are cached up to a total size of their settings', () => {
    const first = cachedRules(settings('short'));
    const made = first();
    const literals = Array.from({ length: 200 }, (_, at) => `${at}`.padEnd(200, 'x'));
    for (let at = 0; at < 13; at++) cachedRules(settings(`long-${at}`, { literals }))();
    expect(first()).not.toBe(made);
  });
});
