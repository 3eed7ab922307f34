import { expect, it } from '@jest/globals';
import { EMPTY_LEDGER } from '../../control/limits/index.ts';
import { KnownKey } from './known-key.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const at = (fullAtMicros: number) => ({ ...EMPTY_LEDGER, fullAtMicros });

it('measures the writes of all between two that are not too far apart', () => {
  const known = new KnownKey();
  known.see(at(1), 10, NOW);
  expect(known.use).toBeUndefined();
  known.see(at(2), 20, NOW + 100);
  expect(known.use).toBeUndefined();
  known.see(at(3), 110, NOW + 500);
  expect(known.use).toEqual({ writesASecond: 200, atMs: NOW + 500 });
  known.see(at(4), 150, NOW + 6_000);
  expect(known.use).toBeUndefined();
});

it('expects buckets of a shared key to be as full as they were, for a while, and others to refill', () => {
  const shared = new KnownKey();
  shared.see(at(1), 0, NOW);
  shared.see(at(5_000_000), 100, NOW + 1_000);
  expect(shared.expectedAt(NOW + 1_200).fullAtMicros).toBe(5_200_000);
  expect(shared.expectedAt(NOW + 7_000).fullAtMicros).toBe(5_000_000);
  const alone = new KnownKey();
  alone.see(at(1), 0, NOW);
  alone.see(at(5_000_000), 2, NOW + 1_000);
  expect(alone.expectedAt(NOW + 1_200).fullAtMicros).toBe(5_000_000);
});

it('keeps the latest time at which a bucket is full, though responses arrive out of order', () => {
  const known = new KnownKey();
  known.see(at(7), 2, NOW);
  known.see(at(5), 1, NOW + 1);
  expect(known.ledger.fullAtMicros).toBe(7);
});
