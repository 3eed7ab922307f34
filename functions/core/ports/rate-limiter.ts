import type { Bucket, BucketState } from '../admission/token-bucket.ts';

/** Exact admission across any number of concurrent functions. A refused request takes nothing. Throws StoreUnavailable. */
export interface RateLimiter {
  take(keyId: string, bucket: Bucket): Promise<BucketState>;
}
