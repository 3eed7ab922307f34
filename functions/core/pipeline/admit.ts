import { StoreUnavailable } from '../base/errors.ts';
import { limitExceeded, limitHeaders } from '../limits/limit-headers.ts';
import type { Verdict } from '../limits/limiter.ts';
import { limitsOf, type Need } from '../limits/limits.ts';
import type { Exchange, PipelineDeps } from './exchange.ts';
import { settleExchange } from './settle-exchange.ts';

/**
 * Admits an exchange while something else is done: the write to the limits table leaves first, then `meanwhile` runs, then
 * the answer to the write is awaited. What `meanwhile` gives counts only where the exchange is admitted; its signal is aborted by a
 * refusal, so that it spends nothing more on what nobody will see.
 * @throws GatewayError `rate_limit_exceeded` or `insufficient_quota`
 */
export async function admitMeanwhile<T>(
  exchange: Exchange,
  need: Need,
  deps: PipelineDeps,
  meanwhile: (refusal: AbortSignal) => T | Promise<T>,
): Promise<T> {
  const startedAt = exchange.monotonic();
  const admission = admit(exchange, need, deps);
  const refusal = new AbortController();
  // A refusal is thrown when it is awaited.
  admission.catch((error) => refusal.abort(error));
  // By the next turn of the event loop the write has left.
  await new Promise(setImmediate);
  exchange.spent('admit', startedAt);
  const result = await meanwhile(refusal.signal);
  const waitingSince = exchange.monotonic();
  await admission;
  exchange.spent('admit', waitingSince);
  return result;
}

async function admit(exchange: Exchange, need: Need, deps: PipelineDeps): Promise<void> {
  const { key } = exchange;
  const verdict = await askLimiter(exchange, need, deps);
  if (verdict === undefined) return;
  if (!verdict.admitted) {
    exchange.refusal = verdict.refusal;
    throw limitExceeded(key, verdict);
  }
  exchange.reservation = verdict.reservation;
  // It may have failed meanwhile, and be over.
  if (exchange.over) settleExchange(exchange, deps);
  Object.assign(exchange.headers, limitHeaders(key, verdict.states));
}

/** undefined where the store is out of reach and the key's requests go on without it. */
async function askLimiter(
  exchange: Exchange,
  need: Need,
  { limiter, alarm }: PipelineDeps,
): Promise<Verdict | undefined> {
  const { key, requestId, trace, tagLimits } = exchange;
  try {
    return await limiter.admit(key.id, limitsOf(key), need, tagLimits);
  } catch (error) {
    if (key.onStoreFailure !== 'open' || !(error instanceof StoreUnavailable)) throw error;
    exchange.noteInside(`admitted without limits: ${error.message}`);
    alarm.admittedOpen({ requestId, traceId: trace.traceId }, key.id, error.message);
    return undefined;
  }
}
