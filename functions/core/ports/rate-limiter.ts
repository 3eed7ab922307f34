import type { Bucket, BucketState } from '../admission/token-bucket.ts';

/** Exact admission across any number of concurrent functions. A refused request takes nothing. Throws StoreUnavailable. */
export interface RateLimiter {
  take(keyId: string, bucket: Bucket): Promise<BucketState>;
  /** How the bucket stands, as far as is known, for an answer to a request that never came to be admitted. */
  peek(keyId: string, bucket: Bucket): Promise<BucketState>;
}

/** What a store gave of what was asked for. */
export interface Taken {
  /** Requests admitted; none by `peek`. */
  readonly granted: number;
  /** How the bucket stands with them, or as it was seen where nothing was granted; microseconds. */
  readonly fullAtMicros: number;
  /** The time that it was reckoned at. */
  readonly nowMicros: number;
}

/** Buckets that any number of processes share. */
export interface BucketStore {
  /** Takes `count` requests, or as many as there is room for, in one step. Throws StoreUnavailable. */
  takeUpTo(keyId: string, bucket: Bucket, count: number): Promise<Taken>;
  /** How the bucket was seen last, or stands where it was never seen; takes nothing. Throws StoreUnavailable. */
  peek(keyId: string): Promise<Taken>;
}
