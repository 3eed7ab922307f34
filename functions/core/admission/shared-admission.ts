import type { BucketStore, RateLimiter } from '../ports/rate-limiter.ts';
import { type Bucket, type BucketState, bucketState, roomIn } from './token-bucket.ts';

interface Waiting {
  readonly bucket: Bucket;
  readonly resolve: (state: BucketState) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One write at a time for a key: what comes while one is on its way shares the next. A process that serves many requests of
 * a key at once then writes once for all of them, and never in its own way; a lone request is written at once.
 */
export class SharedAdmission implements RateLimiter {
  private readonly store: BucketStore;
  /** Of each key with a write on its way, who waits for the next one. */
  private readonly waiting = new Map<string, Waiting[]>();

  constructor(store: BucketStore) {
    this.store = store;
  }

  take(keyId: string, bucket: Bucket): Promise<BucketState> {
    return new Promise((resolve, reject) => {
      const request = { bucket, resolve, reject };
      const queue = this.waiting.get(keyId);
      if (queue) queue.push(request);
      else void this.serve(keyId, [request]);
    });
  }

  async peek(keyId: string, bucket: Bucket): Promise<BucketState> {
    const { fullAtMicros, nowMicros } = await this.store.peek(keyId);
    return bucketState(bucket, fullAtMicros, nowMicros, roomIn(bucket, fullAtMicros, nowMicros) > 0);
  }

  private async serve(keyId: string, first: Waiting[]): Promise<void> {
    const queue: Waiting[] = [];
    this.waiting.set(keyId, queue);
    for (let group = first; group.length > 0; group = nextGroup(queue)) await this.admit(keyId, group);
    this.waiting.delete(keyId);
  }

  private async admit(keyId: string, group: readonly Waiting[]): Promise<void> {
    const { bucket } = group[0] as Waiting;
    try {
      const { granted, fullAtMicros, nowMicros } = await this.store.takeUpTo(keyId, bucket, group.length);
      group.forEach(({ resolve }, at) => {
        // Each is told how the bucket stands with those before it and itself, as if they had come one by one.
        const later = Math.max(0, granted - 1 - at);
        resolve(bucketState(bucket, fullAtMicros - later * bucket.intervalMicros, nowMicros, at < granted));
      });
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}

/** Those at the head of the queue that have the same bucket; a key whose limit was changed just now has two. */
function nextGroup(queue: Waiting[]): Waiting[] {
  const bucket = queue[0]?.bucket;
  const other = queue.findIndex(
    (request) =>
      request.bucket.capacity !== bucket?.capacity || request.bucket.intervalMicros !== bucket.intervalMicros,
  );
  return queue.splice(0, other < 0 ? queue.length : other);
}
