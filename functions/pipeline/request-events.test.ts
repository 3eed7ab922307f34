import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Refusal } from '../control/limits/index.ts';
import { RefusalNotices } from './request-events.ts';

const NOW = Date.parse('2026-11-21T09:30:00Z');
const HOUR_MS = 3_600_000;
const rate = (at: number): Refusal => ({ limit: 'requests', retryInMs: 50, resetAtMs: at + 50 });
const spent: Refusal = { limit: 'budget', retryInMs: HOUR_MS, resetAtMs: NOW + HOUR_MS };
const team = { tag: 'team', value: 'data', usd: 1, period: 'hour' } as const;

describe('refusals', () => {
  it('are reported once a minute for each key, and each is counted in one event', () => {
    const refused = fc.array(
      fc.record({ waitMs: fc.constantFrom(0, 1, 500, 59_999, 60_000), key: fc.constantFrom('a', 'b') }),
    );
    fc.assert(
      fc.property(refused, (steps) => {
        const notices = new RefusalNotices();
        const reported = new Map<string, number>();
        const last = new Map<string, number>();
        const counts = new Map<string, number>();
        let now = NOW;
        for (const { waitMs, key } of steps) {
          now += waitMs;
          counts.set(key, (counts.get(key) ?? 0) + 1);
          const count = notices.take(key, rate(now), now);
          const due = now - (last.get(key) ?? Number.NEGATIVE_INFINITY) >= 60_000;
          expect(count !== undefined).toBe(due);
          if (count === undefined) continue;
          last.set(key, now);
          reported.set(key, (reported.get(key) ?? 0) + count);
          expect(reported.get(key)).toBe(counts.get(key));
        }
      }),
    );
  });

  it('for a spent budget are reported once in its period, separately from rate limits', () => {
    const notices = new RefusalNotices();
    expect(notices.take('a', spent, NOW)).toBe(1);
    expect(notices.take('a', spent, NOW + HOUR_MS - 1)).toBeUndefined();
    expect(notices.take('a', rate(NOW), NOW)).toBe(1);
    expect(notices.take('a', { ...spent, tagBudget: team }, NOW)).toBe(1);
    const next = { ...spent, resetAtMs: NOW + 2 * HOUR_MS };
    expect(notices.take('a', next, NOW + HOUR_MS)).toBe(2);
  });

  it('of more keys than are cached are reported again, never lost', () => {
    const notices = new RefusalNotices();
    for (let key = 0; key <= 10_000; key += 1) expect(notices.take(`key_${key}`, rate(NOW), NOW)).toBe(1);
    expect(notices.take('key_10000', rate(NOW), NOW)).toBeUndefined();
    expect(notices.take('key_0', rate(NOW), NOW)).toBe(1);
  });
});
