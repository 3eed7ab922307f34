import type { KeyUsage } from '../contract/index.ts';
import {
  boundsAt,
  type LimitStore,
  type Limits,
  limitStates,
  limitsOf,
  roomFor,
  sharedLimitsOf,
} from '../control/limits/index.ts';
import type { ApiKey } from '../kernel/model/index.ts';
import type { AdminDeps } from './admin-deps.ts';

/** A key, or the caller of a token. */
type Caller = Pick<ApiKey, 'id' | 'rateLimit' | 'tokenLimit' | 'budget' | 'maxConcurrent' | 'teamId' | 'tags'>;
type Seen = Awaited<ReturnType<LimitStore['peek']>>;
type Shared = NonNullable<KeyUsage['shared']>[number];

/** What the limits of a key, its team and its tags would admit now. Excludes what running requests have reserved. */
export async function usageOf(key: Caller, deps: AdminDeps): Promise<KeyUsage> {
  const limits = limitsOf(key);
  const seen = await deps.limits.peek(key.id);
  const { requests } = limitStates(limits, seen.ledger, seen.nowMs, true);
  return {
    object: 'key.usage',
    keyId: key.id,
    at: after(seen, 0),
    requests: {
      limit: limits.requests.capacity,
      remaining: requests.remaining,
      fullAt: after(seen, requests.fullInMs),
    },
    ...heldOf(limits, seen),
    shared: await sharedOf(key, deps),
  };
}

function after({ nowMs }: Seen, milliseconds: number): string {
  return new Date(nowMs + milliseconds).toISOString();
}

/** Tokens, money and concurrency. */
function heldOf(limits: Limits, seen: Seen): Pick<KeyUsage, 'tokens' | 'budget' | 'concurrent'> {
  const { ledger, nowMs } = seen;
  const room = roomFor(ledger, limits, nowMs);
  const { tokens } = limitStates(limits, ledger, nowMs, true);
  const { budget, maxConcurrent } = limits;
  const period = budget && boundsAt(budget.period, nowMs);
  return {
    tokens:
      limits.tokens && tokens
        ? { limit: limits.tokens.capacity, remaining: tokens.remaining, fullAt: after(seen, tokens.fullInMs) }
        : null,
    budget:
      budget && period
        ? {
            usd: budget.nanoUsd / 1e9,
            remainingUsd: Math.max(0, room.nanoUsd) / 1e9,
            startAt: new Date(period.startMs).toISOString(),
            resetAt: new Date(period.endMs).toISOString(),
          }
        : null,
    concurrent: maxConcurrent ? { limit: maxConcurrent, remaining: Math.max(0, room.open) } : null,
  };
}

async function sharedOf({ teamId, tags }: Caller, { limits, policies, teams }: AdminDeps): Promise<Shared[]> {
  const team = teamId == null ? undefined : (await teams.current()).settings.teams.find(({ id }) => id === teamId);
  const { tagBudgets } = (await policies.current()).settings;
  const ofTeam: Shared = { source: 'team', name: '', requests: null, tokens: null, budget: null, concurrent: null };
  const ofTags: Shared[] = [];
  for (const one of sharedLimitsOf({ tags: { ...tags, ...team?.tags }, team }, tagBudgets)) {
    const held = heldOf(one.limits, await limits.peek(one.id));
    if (one.kind === 'tag')
      ofTags.push({ source: 'deployment', name: `${one.budget.tag}: ${one.budget.value}`, requests: null, ...held });
    else if (one.kind === 'teamRate') ofTeam.requests = held.tokens;
    else Object.assign(ofTeam, held);
  }
  return team === undefined ? ofTags : [...ofTags, { ...ofTeam, name: team.name }];
}
