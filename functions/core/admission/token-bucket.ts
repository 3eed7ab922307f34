import { PERIOD_SECONDS, type RateLimit } from '../model/api-key.ts';

/**
 * A token bucket as its theoretical arrival time (GCRA, as in ITU-T I.371): one number, `fullAtMicros`, says when the
 * bucket would be full again. A request moves it one interval on and is admitted while that leaves it within the capacity.
 */
export interface Bucket {
  /** Requests that a full bucket admits at once. */
  readonly capacity: number;
  /** Time in which one request is refilled, whole microseconds, rounded up so that rounding never admits more. */
  readonly intervalMicros: number;
}

export function toBucket(limit: RateLimit): Bucket {
  return {
    capacity: limit.burst ?? limit.requests,
    intervalMicros: Math.ceil((PERIOD_SECONDS[limit.period] * 1_000_000) / limit.requests),
  };
}

/** How a bucket stands just after a request was admitted or refused. */
export interface BucketState {
  readonly admitted: boolean;
  /** Whole requests that would be admitted now. */
  readonly remaining: number;
  /** When the bucket is full again, milliseconds from now. */
  readonly fullInMs: number;
  /** When the next request would be admitted, milliseconds from now; 0 where it would be now. */
  readonly nextInMs: number;
}

/** The latest `fullAt` at which `count` more requests are admitted, at most as many as the bucket holds. */
export function latestAdmittingMicros(bucket: Bucket, nowMicros: number, count = 1): number {
  return nowMicros + (bucket.capacity - count) * bucket.intervalMicros;
}

/** How many requests a bucket that stands at `fullAt` admits. */
export function roomIn({ capacity, intervalMicros }: Bucket, fullAtMicros: number, nowMicros: number): number {
  const debt = Math.max(0, fullAtMicros - nowMicros);
  return Math.max(0, Math.floor((capacity * intervalMicros - debt) / intervalMicros));
}

export function bucketState(bucket: Bucket, fullAtMicros: number, nowMicros: number, admitted: boolean): BucketState {
  const debt = Math.max(0, fullAtMicros - nowMicros);
  const wait = fullAtMicros - latestAdmittingMicros(bucket, nowMicros);
  return {
    admitted,
    remaining: roomIn(bucket, fullAtMicros, nowMicros),
    fullInMs: Math.ceil(debt / 1000),
    nextInMs: Math.max(0, Math.ceil(wait / 1000)),
  };
}
