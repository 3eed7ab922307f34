import type { McpToolLimit } from '../../kernel/configuration/index.ts';
import {
  type ApiKey,
  type BudgetLimit,
  matchesGlob,
  type RateLimit,
  type TagBudget,
} from '../../kernel/model/index.ts';
import { type Bucket, type Limits, limitsOf, type Need, toRateAllowance } from './limits.ts';

/** What a team limits, for its name in errors and events. */
export type TeamLimits = Pick<
  NonNullable<ApiKey['team']>,
  'id' | 'name' | 'rateLimit' | 'tokenLimit' | 'budget' | 'maxConcurrent'
>;

/** A limit beside the key's own, which several keys share or which is for some tools, in the form that admission uses. */
export type SharedLimit = {
  /** The id under which its use is stored, beside those of keys. */
  readonly id: string;
  readonly limits: Limits;
} & (
  | { readonly kind: 'tag'; readonly budget: TagBudget }
  /** Tokens, money and concurrency of a team. */
  | { readonly kind: 'team'; readonly team: TeamLimits }
  /**
   * The rate of a team, counted as tokens: one for each request. Tokens can be reserved until the key has admitted the request, and released
   * exactly; a bucket of requests could not take one back without counting a refill twice.
   */
  | { readonly kind: 'teamRate'; readonly team: TeamLimits }
  /** How often one key calls some tools of an MCP server, counted like the rate of a team. */
  | { readonly kind: 'toolRate'; readonly tools: LimitedTools }
);

/** Tools of an MCP server that have a limit of calls, for its name in errors. */
export interface LimitedTools extends McpToolLimit {
  readonly server: string;
}

/** This rate of requests is unreachable. */
const ANY_REQUESTS: Bucket = { capacity: 1_000_000_000, intervalMicros: 1 };

const knownTags = new WeakMap<TagBudget, SharedLimit>();
const knownRates = new WeakMap<RateLimit, Limits>();
const knownTeams = new WeakMap<TeamLimits, readonly SharedLimit[]>();

/** The limits that a key shares with others: of its tags, and of its team. */
export function sharedLimitsOf(
  { tags, team }: { readonly tags: Readonly<Record<string, string>>; readonly team?: TeamLimits | undefined },
  budgets: readonly TagBudget[] | undefined,
): readonly SharedLimit[] {
  const ofTags = tagLimitsOf(tags, budgets);
  return team === undefined ? ofTags : [...ofTags, ...teamLimitsOf(team)];
}

/** The budgets that a key with these tags takes from; each the same object as long as the policy's entry lives. */
export function tagLimitsOf(
  tags: Readonly<Record<string, string>>,
  budgets: readonly TagBudget[] = [],
): readonly SharedLimit[] {
  return budgets.filter(({ tag, value }) => Object.hasOwn(tags, tag) && tags[tag] === value).map(toTagLimit);
}

/** The limits of a team, in at most two ledgers; the same objects as long as the team's entry lives. */
export function teamLimitsOf(team: TeamLimits): readonly SharedLimit[] {
  const made = knownTeams.get(team) ?? [...limitsOfTeam(team), ...rateOfTeam(team)];
  knownTeams.set(team, made);
  return made;
}

/** The limits of a server that a key's call of a tool takes from. */
export function toolLimitsOf(
  keyId: string,
  server: { readonly name: string; readonly toolLimits?: readonly McpToolLimit[] | undefined },
  tool: string,
): readonly SharedLimit[] {
  const { name, toolLimits = [] } = server;
  return toolLimits
    .filter(({ tools }) => matchesGlob(tools, tool))
    .map((limit) => {
      const { tools, requests, period } = limit;
      const id = `${keyId}_tools_${JSON.stringify([name, tools, requests, period])}`;
      return { kind: 'toolRate', id, tools: { server: name, ...limit }, limits: rateLimits(limit) };
    });
}

/** What a request takes of a shared limit until it ends, or until its key has admitted it for a rate; undefined: nothing. */
export function neededOf({ kind, limits }: SharedLimit, need: Need): Need | undefined {
  if (isRate(kind)) return ONE_REQUEST;
  const nanoUsd = limits.budget === undefined ? 0 : need.nanoUsd;
  const tokens = limits.tokens === undefined ? 0 : need.tokens;
  return nanoUsd > 0 || tokens > 0 || limits.maxConcurrent !== undefined ? { tokens, nanoUsd } : undefined;
}

/** Whether it counts requests. */
export function isRate(kind: SharedLimit['kind']): boolean {
  return kind === 'teamRate' || kind === 'toolRate';
}

/** In the ledger of such a rate. */
export const ONE_REQUEST: Need = { tokens: 1, nanoUsd: 0 };

/** Limits without a rate: of money, of tokens, of simultaneous requests. */
export function limitsWithoutRate(limits: {
  readonly budget?: BudgetLimit | null;
  readonly tokenLimit?: TeamLimits['tokenLimit'];
  readonly maxConcurrent?: number | null;
}): Limits {
  return { ...limitsOf({ rateLimit: { requests: 1, period: 'second' }, ...limits }), requests: ANY_REQUESTS };
}

function toTagLimit(budget: TagBudget): SharedLimit {
  const made = knownTags.get(budget) ?? {
    kind: 'tag' as const,
    id: `tag_${JSON.stringify([budget.tag, budget.value])}`,
    budget,
    limits: limitsWithoutRate({ budget }),
  };
  knownTags.set(budget, made);
  return made;
}

function limitsOfTeam(team: TeamLimits): SharedLimit[] {
  const { id, tokenLimit, budget, maxConcurrent } = team;
  if (tokenLimit === null && budget === null && maxConcurrent === null) return [];
  return [{ kind: 'team', id, team, limits: limitsWithoutRate({ tokenLimit, budget, maxConcurrent }) }];
}

function rateOfTeam(team: TeamLimits): SharedLimit[] {
  const { id, rateLimit } = team;
  if (rateLimit === null) return [];
  return [{ kind: 'teamRate', id: `${id}_requests`, team, limits: rateLimits(rateLimit) }];
}

function rateLimits(rate: RateLimit): Limits {
  const made = knownRates.get(rate) ?? { ...limitsWithoutRate({}), tokens: toRateAllowance(rate) };
  knownRates.set(rate, made);
  return made;
}
