import { GatewayError } from '../../kernel/errors/index.ts';
import type { ApiKey, BudgetLimit } from '../../kernel/model/index.ts';
import { expiredIn, type Ledger, type Refusal } from './ledger.ts';
import type { LimitStates, Verdict } from './limiter.ts';
import { bucketState, fromPicos, type Limits, toPicos } from './limits.ts';

type Limited = Pick<ApiKey, 'rateLimit' | 'tokenLimit' | 'budget' | 'maxConcurrent'>;

/** The headers of every admitted or refused request, in OpenAI's names and form. */
export function limitHeaders({ rateLimit, tokenLimit }: Limited, states: LimitStates): Record<string, string> {
  const { requests, tokens } = states;
  return {
    'x-ratelimit-limit-requests': String(rateLimit.requests),
    'x-ratelimit-remaining-requests': String(requests.admitted ? requests.remaining : 0),
    'x-ratelimit-reset-requests': toDuration(requests.fullInMs),
    ...(tokenLimit &&
      tokens && {
        'x-ratelimit-limit-tokens': String(tokenLimit.tokens),
        'x-ratelimit-remaining-tokens': String(tokens.remaining),
        'x-ratelimit-reset-tokens': toDuration(tokens.fullInMs),
      }),
  };
}

/** The 429 of a key whose limit is exceeded (specification, part 7), or whose budget is exhausted. */
export function limitExceeded(key: Limited, { refusal, states }: Extract<Verdict, { admitted: false }>): GatewayError {
  const { limit, retryInMs, resetAtMs } = refusal;
  const retryAfter = Math.max(1, Math.ceil(retryInMs / 1000));
  const [number, what] = exceeded(key, refusal);
  const details = { limit: number, remaining: 0, resetTime: new Date(resetAtMs).toISOString() };
  const headers = { ...limitHeaders(key, states), 'retry-after': String(retryAfter) };
  if (limit === 'budget') {
    return new GatewayError('insufficient_quota', `${what} is spent. The next period begins at ${details.resetTime}.`, {
      details,
      // No retry succeeds before that.
      headers: { ...headers, 'x-should-retry': 'false' },
    });
  }
  const message = `${what} exceeded. Try again in ${retryAfter} s.`;
  return new GatewayError('rate_limit_exceeded', message, { details, headers });
}

/** The exceeded number, and its name for a sentence. */
function exceeded(key: Limited, { limit, tagBudget, team, tools }: Refusal): [number, string] {
  if (tools !== undefined) {
    const { server, requests, period } = tools;
    const what = `Limit of ${requests} calls per ${period} of the tools '${server}/${tools.tools}' by this API key`;
    return [requests, what];
  }
  if (tagBudget !== undefined) {
    const { tag, value, usd } = tagBudget;
    return [
      usd,
      `The budget of ${usd} US dollars per ${periodOf(tagBudget)} that the keys with the tag '${tag}: ${value}' share`,
    ];
  }
  const of = team === undefined ? 'this API key' : `the team '${team.name}'`;
  const [number, what] = exceededOf(team ?? key, limit, of);
  return [number, team === undefined || limit === 'budget' ? what : `${what} of ${of}`];
}

function exceededOf(
  {
    rateLimit,
    tokenLimit,
    budget,
    maxConcurrent,
  }: Pick<Limited, 'tokenLimit' | 'budget' | 'maxConcurrent'> & {
    readonly rateLimit: Limited['rateLimit'] | null;
  },
  limit: Refusal['limit'],
  of: string,
): [number, string] {
  switch (limit) {
    case 'tokens':
      return [tokenLimit?.tokens ?? 0, `Token limit of ${tokenLimit?.tokens} tokens per ${tokenLimit?.period}`];
    case 'concurrent':
      return [maxConcurrent ?? 0, `Limit of ${maxConcurrent} concurrent requests`];
    case 'budget':
      return [budget?.usd ?? 0, `The budget of ${budget?.usd} US dollars per ${budget && periodOf(budget)} of ${of}`];
    default:
      return [rateLimit?.requests ?? 0, `Rate limit of ${rateLimit?.requests} requests per ${rateLimit?.period}`];
  }
}

function periodOf({ period, timeZone = 'UTC' }: BudgetLimit): string {
  return period === 'calendarMonth' ? `calendar month (${timeZone})` : period;
}

/** OpenAI's duration form: `250ms`, `1s`, `6m0s`, `1h0m0s`. */
export function toDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${milliseconds}ms`;
  const seconds = Math.ceil(milliseconds / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  if (h > 0) return `${h}h${m}m${s}s`;
  return m > 0 ? `${m}m${s}s` : `${s}s`;
}

/** What a ledger counts as taken and no request of this process has used yet. */
interface Unused {
  readonly requests: number;
  readonly tokenPicos: bigint;
}

const NOTHING_UNUSED: Unused = { requests: 0, tokenPicos: 0n };

/** The state of the limits for a request that was just admitted or refused. */
export function limitStates(
  limits: Limits,
  ledger: Ledger,
  nowMs: number,
  admitted: boolean,
  unused: Unused = NOTHING_UNUSED,
): LimitStates {
  const fullAtMicros = ledger.fullAtMicros - unused.requests * limits.requests.intervalMicros;
  return {
    requests: bucketState(limits.requests, fullAtMicros, nowMs * 1000, admitted),
    tokens: limits.tokens && tokenState(limits.tokens, ledger, nowMs, unused.tokenPicos),
  };
}

function tokenState(
  { capacity, intervalPicos }: NonNullable<Limits['tokens']>,
  ledger: Ledger,
  nowMs: number,
  unused: bigint,
) {
  const debt = ledger.tokensFullAt - toPicos(nowMs);
  const held = ledger.tokensHeld - expiredIn(ledger, nowMs).tokenPicos;
  const missing = (debt > 0n ? debt : 0n) + held - unused;
  const remaining = (BigInt(capacity) * intervalPicos - missing) / intervalPicos;
  return { remaining: Math.max(0, Number(remaining)), fullInMs: Math.max(0, fromPicos(missing)) };
}
