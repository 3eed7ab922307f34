import type { KeyUsage, ResponseOf } from '../contract/index.ts';
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
import type { Team } from '../kernel/teams/index.ts';
import type { AdminDeps } from './admin-deps.ts';

/** A key, or the caller of a token. */
type Caller = Pick<ApiKey, 'id' | 'rateLimit' | 'tokenLimit' | 'budget' | 'maxConcurrent' | 'teamId' | 'tags'>;
type Seen = Awaited<ReturnType<LimitStore['peek']>>;
type Shared = NonNullable<KeyUsage['shared']>[number];
type TeamUsage = ResponseOf<'getTeamUsage'>;

/** What the limits of a key, its team and its tags would admit now. Excludes what running requests have reserved. */
export async function usageOf(key: Caller, deps: AdminDeps): Promise<KeyUsage> {
  const { at, ...own } = await ownUsageOf(key, deps);
  return { object: 'key.usage', keyId: key.id, at, ...own, shared: await sharedOf(key, deps) };
}

type OwnUsage = Pick<KeyUsage, 'at' | 'requests' | 'tokens' | 'budget' | 'concurrent'>;

/** The same of the key's own limits alone: one read. */
export async function ownUsageOf(
  key: Omit<Caller, 'teamId' | 'tags'>,
  { limits: store }: Pick<AdminDeps, 'limits'>,
): Promise<OwnUsage> {
  const limits = limitsOf(key);
  const seen = await store.peek(key.id);
  const { requests } = limitStates(limits, seen.ledger, seen.nowMs, true);
  return {
    at: after(seen, 0),
    requests: {
      limit: limits.requests.capacity,
      remaining: requests.remaining,
      fullAt: after(seen, requests.fullInMs),
    },
    ...heldOf(limits, seen),
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

async function sharedOf({ teamId, tags }: Caller, deps: AdminDeps): Promise<Shared[]> {
  const { teams } = (await deps.teams.current()).settings;
  const team = teamId == null ? undefined : teams.find(({ id }) => id === teamId);
  const { tagBudgets } = (await deps.policies.current()).settings;
  const all: Shared[] = [];
  for (const one of sharedLimitsOf({ tags: { ...tags, ...team?.tags } }, tagBudgets)) {
    if (one.kind !== 'tag') continue;
    const name = `${one.budget.tag}: ${one.budget.value}`;
    all.push({ source: 'deployment', name, requests: null, ...heldOf(one.limits, await deps.limits.peek(one.id)) });
  }
  return team === undefined ? all : [...all, { source: 'team', name: team.name, ...(await leftOf(team, deps)) }];
}

/** What the limits of a team would admit now, for all of its callers together. */
export async function teamUsageOf(team: Team, deps: AdminDeps): Promise<TeamUsage> {
  const at = new Date(deps.clock.now()).toISOString();
  return { object: 'team.usage', teamId: team.id, at, ...(await leftOf(team, deps)) };
}

async function leftOf(team: Team, { limits }: AdminDeps): Promise<Omit<Shared, 'source' | 'name'>> {
  const left: Omit<Shared, 'source' | 'name'> = { requests: null, tokens: null, budget: null, concurrent: null };
  for (const one of sharedLimitsOf({ tags: {}, team }, [])) {
    const held = heldOf(one.limits, await limits.peek(one.id));
    if (one.kind === 'teamRate') left.requests = held.tokens;
    else Object.assign(left, held);
  }
  return left;
}
