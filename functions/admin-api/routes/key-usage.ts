import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';
import { roomFor } from '../../core/limits/ledger.ts';
import { limitStates } from '../../core/limits/limit-states.ts';
import type { LimitStore } from '../../core/limits/limit-store.ts';
import { limitsOf, windowEndMs, windowOf } from '../../core/limits/limits.ts';
import type { ApiKey } from '../../core/model/api-key.ts';
import { type AdminDeps, keyNotFound, requireAdmin } from '../admin-service.ts';
import type { KeyUsage } from '../contract.ts';

/** `GET /v1/admin/keys/{id}/usage`: what a key's limits would admit now. */
export function keyUsageRoute(deps: AdminDeps): Route {
  return {
    method: 'GET',
    path: '/v1/admin/keys/{id}/usage',
    async handle(routed) {
      await requireAdmin(routed, deps);
      const stored = await deps.keys.get(routed.params.id as string);
      if (!stored) throw keyNotFound();
      return jsonResponse(200, usageOf(stored.key, await deps.limits.peek(stored.key.id)));
    },
  };
}

/** What running requests have reserved is taken off. */
function usageOf(key: ApiKey, { ledger, nowMs }: Awaited<ReturnType<LimitStore['peek']>>): KeyUsage {
  const limits = limitsOf(key);
  const room = roomFor(ledger, limits, nowMs);
  const { requests, tokens } = limitStates(limits, ledger, nowMs, true);
  const after = (milliseconds: number) => new Date(nowMs + milliseconds).toISOString();
  const { tokenLimit, budget, maxConcurrent } = key;
  const remainingUsd = Math.max(0, room.nanoUsd) / 1e9;
  return {
    object: 'key.usage',
    keyId: key.id,
    at: after(0),
    requests: { limit: limits.requests.capacity, remaining: requests.remaining, fullAt: after(requests.fullInMs) },
    tokens:
      tokenLimit && tokens
        ? { limit: tokenLimit.tokens, remaining: tokens.remaining, fullAt: after(tokens.fullInMs) }
        : null,
    budget: budget
      ? {
          usd: budget.usd,
          remainingUsd,
          resetAt: new Date(windowEndMs(windowOf(budget.period, nowMs))).toISOString(),
        }
      : null,
    concurrent: maxConcurrent ? { limit: maxConcurrent, remaining: Math.max(0, room.open) } : null,
  };
}
