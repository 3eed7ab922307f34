import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { recordOf, T0 } from '../analytics/record.fixture.ts';
import { DAY, HOUR_MS, recordsOf } from './memory-records.fixture.ts';
import { readSpread } from './read-spread.ts';

const at = (ms: number) => recordOf({ time: new Date(T0 - ms).toISOString() });

describe('records of a range', () => {
  it('are all read once, if they are few, however they lie in the range', async () => {
    const anyRange = fc.record({ count: fc.nat(700), busyShare: fc.double({ min: 0, max: 1, noNaN: true }) });
    await fc.assert(
      fc.asyncProperty(anyRange, async ({ count, busyShare }) => {
        const records = Array.from({ length: 480 + count }, (_, index) =>
          // Some share of them in one second, many with the same time.
          at(index < busyShare * count ? 1 + (index % 50) : ((index * 7919) % ((24 * HOUR_MS) / 1000)) * 1000 + 1),
        );
        const seen: string[] = [];
        const read = await readSpread(DAY, ({ id }) => seen.push(id), recordsOf(records).deps);
        expect(read).toEqual({ requests: records.length, isCut: false });
        expect(seen.sort()).toEqual(records.map(({ id }) => id).sort());
      }),
      { numRuns: 10 },
    );
  });

  it('are read of each part of the range, if they are many, and what one part leaves is read of others', async () => {
    const busy = Array.from({ length: 11_000 }, (_, index) => at(1 + index * 100));
    const quiet = Array.from({ length: 1_200 }, (_, index) => at(2 * HOUR_MS + index * 60_000));
    const { deps, reads } = recordsOf([...busy, ...quiet]);
    const hours = new Map<number, number>();
    const read = await readSpread(
      DAY,
      ({ time }) => {
        const hour = Math.floor((T0 - Date.parse(time)) / HOUR_MS);
        hours.set(hour, (hours.get(hour) ?? 0) + 1);
      },
      deps,
    );
    expect(read.isCut).toBe(true);
    expect(reads.records).toBeGreaterThan(9_500);
    expect(reads.records).toBeLessThan(10_700);
    for (let hour = 2; hour < 22; hour += 1) expect([hour, hours.get(hour)]).toEqual([hour, 60]);
  });

  it('are no longer read after 6 seconds', async () => {
    let now = 0;
    const { deps, reads } = recordsOf(
      Array.from({ length: 3_000 }, (_, index) => at(1 + index * 1000)),
      () => (now += 4_000),
    );
    expect(await readSpread(DAY, () => {}, deps)).toEqual({ requests: reads.records, isCut: true });
    expect(reads.records).toBeLessThan(3_000);
  });
});
