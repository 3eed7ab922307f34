import { describe, expect, it } from '@jest/globals';
import type { PolicyScores } from '../../api/client.ts';
import { countFrom, effectOf, estimate } from './score-counts.ts';

const bins = (counts: Readonly<Record<number, number>>) => Array.from({ length: 20 }, (_, at) => counts[at] ?? 0);
const scores: PolicyScores = {
  object: 'policy.scores',
  from: '2026-11-14T00:00:00.000Z',
  to: '2026-11-21T00:00:00.000Z',
  requests: 10,
  isCut: false,
  bins: 20,
  // Scores 0.4, 0.6 and 0.95 to 1.
  input: { jailbreak: bins({ 8: 1, 12: 3, 19: 2 }) },
  output: { secret: bins({ 16: 4 }) },
};

describe('the estimate from recorded scores', () => {
  it('counts findings from a score on', () => {
    expect(countFrom(bins({ 8: 1, 12: 3, 19: 2 }), 0.6)).toBe(5);
    expect(countFrom(bins({ 8: 1, 12: 3, 19: 2 }), 0.65)).toBe(2);
    expect(countFrom(bins({ 19: 2 }), 1)).toBe(0);
    expect(countFrom([], 0.5)).toBe(0);
  });

  it('applies the preset, and what the policy changes', () => {
    expect(estimate({}, scores)).toEqual({ block: 2, ask: 0, redact: 4, flag: 3, none: 1 });
    expect(estimate({ preset: 'strict' }, scores)).toEqual({ block: 5, ask: 0, redact: 4, flag: 0, none: 1 });
    expect(estimate({ input: { jailbreak: { action: 'off' } } }, scores)).toEqual({
      block: 0,
      ask: 0,
      redact: 4,
      flag: 0,
      none: 6,
    });
    expect(estimate({ output: { secret: { action: 'block', threshold: 0.9 } } }, scores)).toEqual({
      block: 2,
      ask: 0,
      redact: 0,
      flag: 7,
      none: 1,
    });
  });
});

describe('the effect beside a slider', () => {
  const effect = (input: object, saved = {}) => effectOf(saved, { input }, scores, 'input', 'jailbreak');

  it('is the difference for this type and direction only', () => {
    expect(effect({ jailbreak: { action: 'block', threshold: 0.6 } })).toBe(
      '+3 blocked, −3 flagged of 6 findings in 7 days',
    );
    expect(effect({ jailbreak: { action: 'off' } })).toBe('−2 blocked, −3 flagged of 6 findings in 7 days');
    expect(effect({ jailbreak: { action: 'block', threshold: 0.9 } })).toBe('no effect on 6 findings in 7 days');
    expect(effect({ prompt_injection: { action: 'off' } })).toBeUndefined();
  });

  it('is of no findings that were not inspected, and says nothing where there are none', () => {
    const saved = { input: { jailbreak: { action: 'off' } } };
    expect(effect({}, saved)).toBe('effect unknown, since it was not inspected');
    expect(effectOf({}, { output: { pii: { action: 'block' } } }, scores, 'output', 'pii')).toBeUndefined();
  });
});
