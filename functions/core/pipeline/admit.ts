import { rateLimitExceeded, rateLimitHeaders } from '../admission/rate-limit-headers.ts';
import { toBucket } from '../admission/token-bucket.ts';
import type { Exchange, PipelineDeps } from './exchange.ts';

/**
 * Admits an exchange while something else is done: the write to the limits table leaves first, then `meanwhile` runs, then
 * the answer to the write is awaited. What `meanwhile` gives counts only where the exchange is admitted; it is told where
 * that is refused already, so that it pays nobody for what nobody will see.
 * @throws GatewayError `rate_limit_exceeded`
 */
export async function admitMeanwhile<T>(
  exchange: Exchange,
  deps: PipelineDeps,
  meanwhile: (refused: boolean) => T | Promise<T>,
): Promise<T> {
  const startedAt = exchange.monotonic();
  const admission = admit(exchange, deps);
  let refused = false;
  // A refusal is thrown when it is awaited.
  admission.catch(() => {
    refused = true;
  });
  // By the next turn of the event loop the write has left.
  await new Promise(setImmediate);
  exchange.spent('admit', startedAt);
  const result = await meanwhile(refused);
  const waitingSince = exchange.monotonic();
  await admission;
  exchange.spent('admit', waitingSince);
  return result;
}

async function admit(exchange: Exchange, { rateLimiter, clock }: PipelineDeps): Promise<void> {
  const limit = exchange.key.rateLimit;
  const state = await rateLimiter.take(exchange.key.id, toBucket(limit));
  if (!state.admitted) throw rateLimitExceeded(limit, state, clock.now());
  Object.assign(exchange.headers, rateLimitHeaders(limit, state));
}
