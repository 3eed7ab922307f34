import { limitsWithoutRate, NO_NEED } from '../control/limits/index.ts';
import { GatewayError } from '../kernel/errors/index.ts';
import type { Target } from '../translation/index.ts';
import type { PipelineDeps } from './pipeline-deps.ts';
import type { RequestLifetime } from './request-lifetime.ts';

/** One of the requests that may use a target at the same time. */
interface Slot {
  /** Frees it before the request ends. */
  release(): void;
}

const UNLIMITED: Slot = { release: () => {} };

/** The code of a request whose targets are all in use. */
export const BUSY = 'rate_limit_exceeded';

/**
 * Takes one of the target's slots, which all processes share, until the request ends; undefined if all are in use. They are counted as those
 * of a key, so a process that dies frees its slots only when their reservations expire.
 * @throws StoreUnavailable
 */
export async function takeSlot(
  { provider, model, maxConcurrent }: Target,
  lifetime: Pick<RequestLifetime, 'onEnd'>,
  { limiter, backgroundTasks }: Pick<PipelineDeps, 'limiter' | 'backgroundTasks'>,
): Promise<Slot | undefined> {
  if (maxConcurrent === undefined) return UNLIMITED;
  const id = `target_${JSON.stringify([provider, model])}`;
  const verdict = await limiter.admit(id, limitsWithoutRate({ maxConcurrent }), NO_NEED, []);
  if (!verdict.admitted) return undefined;
  let reservation = verdict.reservation;
  const release = () => {
    if (reservation !== undefined) backgroundTasks.add(reservation.settle(NO_NEED));
    reservation = undefined;
  };
  lifetime.onEnd(release);
  return { release };
}

/** The error if no target of the route is free. */
export function busy({ provider, model, maxConcurrent }: Target): GatewayError {
  const message = `${provider}/${model} already serves ${maxConcurrent} requests, the maximum of its route. Try again shortly.`;
  return new GatewayError(BUSY, message, { headers: { 'retry-after': '1' }, fallback: 'now' });
}
