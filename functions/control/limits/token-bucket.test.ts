import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PERIOD_SECONDS, type RateLimit } from '../../kernel/model/index.ts';
import { PERIODS, rateLimitSchema } from '../../kernel/model/key-limits.ts';
import { bucketState, latestAdmittingMicros, toBucket } from './limits.ts';

/** The theory as a store applies it: one number, moved on by each admitted request. */
function takeFrom(fullAt: number, bucket: ReturnType<typeof toBucket>, now: number) {
  const admitted = fullAt <= latestAdmittingMicros(bucket, now);
  const next = admitted ? Math.max(fullAt, now) + bucket.intervalMicros : fullAt;
  return { fullAt: next, state: bucketState(bucket, next, now, admitted) };
}

const arrivals = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3_000_000 })), { maxLength: 60 });
const buckets = fc.record({
  capacity: fc.integer({ min: 1, max: 6 }),
  intervalMicros: fc.integer({ min: 1, max: 1_000_000 }),
});

describe('a bucket kept as one number', () => {
  it('decides, and counts, as one that is refilled drop by drop', () => {
    fc.assert(
      fc.property(buckets, arrivals, (bucket, waits) => {
        const { capacity, intervalMicros } = bucket;
        let now = 1_700_000_000_000_000;
        let fullAt = 0;
        let level = capacity * intervalMicros;
        for (const wait of waits) {
          now += wait;
          level = Math.min(capacity * intervalMicros, level + wait);
          const admitted = level >= intervalMicros;
          if (admitted) level -= intervalMicros;
          const taken = takeFrom(fullAt, bucket, now);
          fullAt = taken.fullAt;
          expect(taken.state).toEqual({
            admitted,
            remaining: Math.floor(level / intervalMicros),
            fullInMs: Math.ceil((capacity * intervalMicros - level) / 1000),
            nextInMs: Math.ceil(Math.max(0, intervalMicros - level) / 1000),
          });
        }
      }),
      { numRuns: 300 },
    );
  });

  it('admits the next request when it said it would, and not a millisecond before', () => {
    fc.assert(
      fc.property(buckets, arrivals, (bucket, waits) => {
        let now = 0;
        let fullAt = 0;
        for (const wait of waits) {
          now += wait;
          const { fullAt: after, state } = takeFrom(fullAt, bucket, now);
          fullAt = after;
          expect(takeFrom(fullAt, bucket, now + state.nextInMs * 1000).state.admitted).toBe(true);
          if (state.nextInMs > 0)
            expect(takeFrom(fullAt, bucket, now + (state.nextInMs - 1) * 1000).state.admitted).toBe(false);
        }
      }),
    );
  });
});

describe("a limit's bucket", () => {
  it.each<[RateLimit, number, number]>([
    [{ requests: 1000, period: 'hour' }, 1000, 3_600_000],
    [{ requests: 3, period: 'second' }, 3, 333_334],
    [{ requests: 1, period: 'month' }, 1, 2_592_000_000_000],
    [{ requests: 60, period: 'minute', burst: 5 }, 5, 1_000_000],
    [{ requests: 1, period: 'day', burst: 9 }, 9, 86_400_000_000],
  ])('of %j holds %d and refills one in %d microseconds', (limit, capacity, intervalMicros) => {
    expect(toBucket(limit)).toEqual({ capacity, intervalMicros });
  });

  it('never refills faster than the limit says, and is reckoned in whole numbers that a double holds', () => {
    const limits = fc.record({
      requests: fc.integer({ min: 1, max: 1_000_000_000 }),
      period: fc.constantFrom(...PERIODS),
      burst: fc.option(fc.integer({ min: 1, max: 1_000_000_000 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(limits, ({ burst, ...rest }) => {
        const limit = rateLimitSchema.safeParse(burst === undefined ? rest : { ...rest, burst });
        fc.pre(limit.success);
        const { capacity, intervalMicros } = toBucket(limit.data);
        expect(intervalMicros * limit.data.requests).toBeGreaterThanOrEqual(PERIOD_SECONDS[limit.data.period] * 1e6);
        expect(
          Number.isSafeInteger(
            latestAdmittingMicros({ capacity, intervalMicros }, 4_102_444_800_000_000) + intervalMicros,
          ),
        ).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
