import { GatewayError } from '../errors.ts';
import type { RateLimit } from '../model/api-key.ts';
import type { BucketState } from './token-bucket.ts';

/** The headers that every admitted or refused request answers with, in OpenAI's names and form. */
export function rateLimitHeaders(limit: RateLimit, state: BucketState): Record<string, string> {
  return {
    'x-ratelimit-limit-requests': String(limit.requests),
    'x-ratelimit-remaining-requests': String(state.admitted ? state.remaining : 0),
    'x-ratelimit-reset-requests': toDuration(state.fullInMs),
  };
}

/** The 429 of a key whose limit is exceeded (specification, part 7). */
export function rateLimitExceeded(limit: RateLimit, state: BucketState, nowMs: number): GatewayError {
  const retryAfter = Math.max(1, Math.ceil(state.nextInMs / 1000));
  return new GatewayError(
    'rate_limit_exceeded',
    `Rate limit of ${limit.requests} requests per ${limit.period} exceeded. Try again in ${retryAfter} s.`,
    {
      details: { limit: limit.requests, remaining: 0, resetTime: new Date(nowMs + state.nextInMs).toISOString() },
      headers: { ...rateLimitHeaders(limit, state), 'retry-after': String(retryAfter) },
    },
  );
}

/** OpenAI's duration form: `250ms`, `1s`, `6m0s`, `1h0m0s`. */
export function toDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${milliseconds}ms`;
  const seconds = Math.ceil(milliseconds / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  if (h > 0) return `${h}h${m}m${s}s`;
  return m > 0 ? `${m}m${s}s` : `${s}s`;
}
