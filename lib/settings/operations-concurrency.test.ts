import { expect, test } from '@jest/globals';
import { MAX_OPERATIONS_CONCURRENCY, MIN_OPERATIONS_CONCURRENCY, shareConcurrency } from './operations-concurrency.ts';

test('shares never exceed the total, and no function gets fewer than it needs', () => {
  for (let total = 0; total <= 3 * MAX_OPERATIONS_CONCURRENCY; total += 1) {
    const shares = Object.values(shareConcurrency(total));
    expect(shares).toHaveLength(total < MIN_OPERATIONS_CONCURRENCY ? 0 : 3);
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(total);
    for (const share of shares) expect(share).toBeGreaterThanOrEqual(5);
  }
  expect(shareConcurrency()).toEqual({});
  expect(shareConcurrency(90)).toEqual({ adminApi: 50, eventRelay: 20, usageCounter: 20 });
  expect(shareConcurrency(23)).toEqual({ adminApi: 12, eventRelay: 5, usageCounter: 5 });
});
