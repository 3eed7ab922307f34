import { GatewayError } from '../../core/base/errors.ts';
import { refusalOf } from '../../core/limits/ledger.ts';
import type { LimitStore } from '../../core/limits/limit-store.ts';
import { limitsOf, NO_NEED } from '../../core/limits/limits.ts';

const LIMIT = { requests: 10, period: 'minute' } as const;
const LIMITS = limitsOf({ rateLimit: LIMIT });

/**
 * Counts an attempt to sign in from an address: ten a minute, however many functions there are, by the very buckets that keys
 * are limited by. Those that succeed count too, so that nothing is to be given back.
 * @throws GatewayError `rate_limit_exceeded`; StoreUnavailable, and then nobody signs in
 */
export async function admitSignIn(address: string, store: Pick<LimitStore, 'take'>): Promise<void> {
  const { granted, ledger, nowMs } = await store.take(`sign-in#${address}`, LIMITS, { needs: [NO_NEED] });
  if (granted === 1) return;
  const refusal = refusalOf(ledger, LIMITS, NO_NEED, nowMs);
  const { retryInMs, resetAtMs } = refusal ?? { retryInMs: 0, resetAtMs: nowMs };
  throw new GatewayError('rate_limit_exceeded', 'Too many attempts to sign in from this address. Try again later.', {
    details: { limit: 'requests', remaining: 0, resetTime: new Date(resetAtMs).toISOString() },
    headers: { 'retry-after': String(Math.max(1, Math.ceil(retryInMs / 1000))) },
  });
}
