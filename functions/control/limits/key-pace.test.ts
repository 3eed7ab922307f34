import { describe, expect, it } from '@jest/globals';
import { KeyPace } from './key-pace.ts';
import { limitsOf } from './limits.ts';

const HOUR = limitsOf({ rateLimit: { requests: 18_000_000, period: 'hour' } });
const SECOND = limitsOf({ rateLimit: { requests: 5_000, period: 'second' } });

const after = (limits: typeof HOUR, ...writes: number[]) => {
  const pace = new KeyPace();
  for (const [at, writesASecond] of writes.entries()) pace.adjust({ writesASecond, atMs: at + 1 }, limits);
  return [pace.ms, pace.gapMs];
};

describe('the pace of a key', () => {
  it('is the shortest until others write too', () => expect(after(HOUR, 0, 40, 390)).toEqual([250, 0]));

  it('slows down with the writes of all, first by longer leases, then by gaps', () => {
    expect(after(HOUR, 600)).toEqual([375, 375 / 8]);
    expect(after(HOUR, ...Array(3).fill(4_000))).toEqual([2_000, 250]);
    expect(after(HOUR, ...Array(20).fill(4_000))).toEqual([2_000, 500]);
  });

  it('has no longer leases than a hundredth of a bucket, only gaps', () => {
    expect(after(SECOND, 800)).toEqual([250, 4]);
    expect(after(SECOND, 800, 800, 800)).toEqual([250, 16]);
  });

  it('stays while the writes are about right, and recovers, gaps first', () => {
    expect(after(HOUR, 800, 300)).toEqual([500, 62.5]);
    expect(after(SECOND, 800, 800, 100, 100)).toEqual([250, 0]);
    expect(after(HOUR, 800, 800, 100, 100)).toEqual([250, 0]);
  });

  it('counts each measurement once', () => {
    const pace = new KeyPace();
    for (let at = 0; at < 5; at += 1) pace.adjust({ writesASecond: 800, atMs: 1 }, HOUR);
    expect(pace.ms).toBe(500);
  });

  it('recovers from an unavailable store as soon as it is known that no process writes', () => {
    const pace = new KeyPace();
    for (let at = 0; at < 20; at += 1) pace.slowDown(SECOND);
    expect(pace.gapMs).toBe(500);
    pace.adjust(undefined, SECOND);
    expect([pace.ms, pace.gapMs]).toEqual([250, 0]);
  });
});
