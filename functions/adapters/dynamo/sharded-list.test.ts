import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LIST_SHARDS, mostShards, type Shards, shardsAt } from './sharded-list.ts';

const GROWN: Shards = [
  { from: '2026-12-01T00:00:00.000Z', count: 32 },
  { from: '2026-12-02T00:00:00.000Z', count: 16 },
];

it.each([
  ['2026-11-30T23:59:59.999Z', LIST_SHARDS],
  ['2026-12-01T00:00:00.000Z', 32],
  ['2026-12-01T23:59:59.999Z', 32],
  ['2026-12-02T00:00:00.000Z', 16],
])('a list has at %s %d partitions', (time, count) => expect(shardsAt(GROWN, time)).toBe(count));

it.each([
  [undefined, undefined, 32],
  [undefined, '2026-12-01T00:00:00.000Z', LIST_SHARDS],
  [undefined, '2026-12-01T00:00:00.001Z', 32],
  ['2026-12-02T00:00:00.000Z', undefined, 16],
  ['2026-12-01T12:00:00.000Z', '2026-12-01T13:00:00.000Z', 32],
])('from %s to %s it has %d at most', (from, to, count) => expect(mostShards(GROWN, from, to)).toBe(count));

it('a range is read from as many partitions as any of its times has', () => {
  const day = fc.integer({ min: 0, max: 50 }).map((days) => new Date(days * 86_400_000).toISOString());
  const entries = fc
    .uniqueArray(fc.record({ from: day, count: fc.integer({ min: 1, max: 64 }) }), { selector: ({ from }) => from })
    .map((all) => all.sort((a, b) => (a.from < b.from ? -1 : 1)));
  fc.assert(
    fc.property(entries, day, day, day, (shards, from, to, time) => {
      fc.pre(from <= time && time < to);
      expect(mostShards(shards, from, to)).toBeGreaterThanOrEqual(shardsAt(shards, time));
      expect(mostShards(shards)).toBeGreaterThanOrEqual(shardsAt(shards, time));
    }),
  );
});
