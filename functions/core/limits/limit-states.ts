import { expiredIn, type Ledger } from './ledger.ts';
import type { LimitStates } from './limiter.ts';
import { bucketState, fromPicos, type Limits, toPicos } from './limits.ts';

/** What a ledger counts as taken and this process may still give to its own requests. */
export interface AtHand {
  readonly requests: number;
  readonly tokenPicos: bigint;
}

export const NOTHING_AT_HAND: AtHand = { requests: 0, tokenPicos: 0n };

/** How the limits stand for a request that was just admitted or refused. */
export function limitStates(
  limits: Limits,
  ledger: Ledger,
  nowMs: number,
  admitted: boolean,
  atHand: AtHand = NOTHING_AT_HAND,
): LimitStates {
  const fullAtMicros = ledger.fullAtMicros - atHand.requests * limits.requests.intervalMicros;
  return {
    requests: bucketState(limits.requests, fullAtMicros, nowMs * 1000, admitted),
    tokens: limits.tokens && tokenState(limits.tokens, ledger, nowMs, atHand.tokenPicos),
  };
}

function tokenState(
  { capacity, intervalPicos }: NonNullable<Limits['tokens']>,
  ledger: Ledger,
  nowMs: number,
  atHand: bigint,
) {
  const debt = ledger.tokensFullAt - toPicos(nowMs);
  const held = ledger.tokensHeld - expiredIn(ledger, nowMs).tokenPicos;
  const missing = (debt > 0n ? debt : 0n) + held - atHand;
  const remaining = (BigInt(capacity) * intervalPicos - missing) / intervalPicos;
  return { remaining: Math.max(0, Number(remaining)), fullInMs: Math.max(0, fromPicos(missing)) };
}
