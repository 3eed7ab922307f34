import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { StoreUnavailable } from '../ports/key-store.ts';
import type { BucketStore, Taken } from '../ports/rate-limiter.ts';
import { SharedAdmission } from './shared-admission.ts';
import { type Bucket, bucketState, roomIn } from './token-bucket.ts';

const NOW = 1_700_000_000_000_000;

/** Buckets in memory that answer a turn later, as a store's calls do. */
class SlowStore implements BucketStore {
  readonly calls: { keyId: string; count: number }[] = [];
  readonly fullAt = new Map<string, number>();
  busy = 0;
  mostBusy = 0;
  failing = false;

  async peek(keyId: string): Promise<Taken> {
    return { granted: 0, fullAtMicros: this.fullAt.get(keyId) ?? 0, nowMicros: NOW };
  }

  async takeUpTo(keyId: string, bucket: Bucket, count: number): Promise<Taken> {
    this.calls.push({ keyId, count });
    this.busy += 1;
    this.mostBusy = Math.max(this.mostBusy, this.busy);
    await setImmediate();
    this.busy -= 1;
    if (this.failing) throw new StoreUnavailable('out of reach');
    const before = this.fullAt.get(keyId) ?? 0;
    const granted = Math.min(count, roomIn(bucket, before, NOW));
    const fullAtMicros = granted === 0 ? before : Math.max(before, NOW) + granted * bucket.intervalMicros;
    this.fullAt.set(keyId, fullAtMicros);
    return { granted, fullAtMicros, nowMicros: NOW };
  }
}

describe('requests of one key at the same time', () => {
  it('are told what they would be told one after another', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          capacity: fc.integer({ min: 1, max: 30 }),
          intervalMicros: fc.integer({ min: 1, max: 1_000_000 }),
        }),
        fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 8 }),
        async (bucket, bursts) => {
          const store = new SlowStore();
          const admission = new SharedAdmission(store);
          const pending = [];
          for (const burst of bursts) {
            for (let i = 0; i < burst; i += 1) pending.push(admission.take('key', bucket));
            await setImmediate();
          }
          let fullAt = 0;
          const expected = pending.map(() => {
            const admitted = roomIn(bucket, fullAt, NOW) > 0;
            if (admitted) fullAt = Math.max(fullAt, NOW) + bucket.intervalMicros;
            return bucketState(bucket, fullAt, NOW, admitted);
          });
          expect(await Promise.all(pending)).toEqual(expected);
          expect(store.mostBusy).toBe(1);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('cost two writes: the first its own, the rest one for all', async () => {
    const store = new SlowStore();
    const admission = new SharedAdmission(store);
    const bucket = { capacity: 20, intervalMicros: 1_000_000 };
    const states = await Promise.all(Array.from({ length: 50 }, () => admission.take('key', bucket)));
    expect(states.filter(({ admitted }) => admitted)).toHaveLength(20);
    expect(store.calls.map(({ count }) => count)).toEqual([1, 49]);
  });

  it('do not wait for those of another key', async () => {
    const store = new SlowStore();
    const admission = new SharedAdmission(store);
    const bucket = { capacity: 1, intervalMicros: 1 };
    await Promise.all(['a', 'b', 'c'].map((keyId) => admission.take(keyId, bucket)));
    expect(store.mostBusy).toBe(3);
  });

  it('share no write where the limit was changed between them', async () => {
    const store = new SlowStore();
    const admission = new SharedAdmission(store);
    const sizes = [1, 1, 5, 5, 1];
    const states = sizes.map((capacity) => admission.take('key', { capacity, intervalMicros: 1_000_000 }));
    expect((await Promise.all(states)).map(({ admitted }) => admitted)).toEqual([true, false, true, true, false]);
    expect(store.calls.map(({ count }) => count)).toEqual([1, 1, 2, 1]);
  });

  it('can be told how the bucket stands, which takes nothing', async () => {
    const admission = new SharedAdmission(new SlowStore());
    const bucket = { capacity: 2, intervalMicros: 1_000_000 };
    const peeked = [await admission.peek('key', bucket)];
    for (let i = 0; i < 3; i += 1) {
      await admission.take('key', bucket);
      peeked.push(await admission.peek('key', bucket), await admission.peek('key', bucket));
    }
    expect(peeked.map(({ remaining }) => remaining)).toEqual([2, 1, 1, 0, 0, 0, 0]);
  });

  it('fail with the write that they share, and the next one is tried anew', async () => {
    const store = new SlowStore();
    const admission = new SharedAdmission(store);
    const bucket = { capacity: 9, intervalMicros: 1 };
    store.failing = true;
    const failed = await Promise.allSettled(Array.from({ length: 3 }, () => admission.take('key', bucket)));
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    store.failing = false;
    expect((await admission.take('key', bucket)).admitted).toBe(true);
  });
});
