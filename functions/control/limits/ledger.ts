import type { McpToolLimit } from '../../kernel/configuration/index.ts';
import type { ApiKey, LimitKind, TagBudget } from '../../kernel/model/index.ts';
import {
  boundsAt,
  fromPicos,
  type Limits,
  type Need,
  roomIn,
  type TakeRequest,
  toPicos,
  windowEndMs,
  windowOf,
} from './limits.ts';

/** The longest run of a request; an unsettled reservation expires after it. */
export const RESERVATION_MS = 15 * 60_000;
/**
 * Reservations are stored as sums, one for each slot of this length, however many requests there are. A slot lies
 * within one hour, and so within one period of a budget of an hour or longer.
 */
export const SLOT_MS = 150_000;
/** The largest assumed clock skew between functions: a past period is kept this much longer. */
export const SKEW_MS = 10_000;

/** What is reserved, or was used, at the time of admission. */
export interface Reserved {
  readonly open: number;
  readonly tokenPicos: bigint;
  /** Billionths of a US dollar by the budget's period (windowOf). */
  readonly nanoUsd: ReadonlyMap<string, number>;
}

/** What is stored about a key's use; empty for an unknown key. */
export interface Ledger {
  /** When the bucket of requests is full again; microseconds since 1970. */
  readonly fullAtMicros: number;
  /** When the bucket of tokens would be full again without reservations; picoseconds since 1970. */
  readonly tokensFullAt: bigint;
  /** Sums of all reservations, including expired ones that are not yet released. */
  readonly tokensHeld: bigint;
  readonly open: number;
  /** Used and reserved, by budget period. */
  readonly spent: ReadonlyMap<string, number>;
  /** Reservations by the slot in which they were made. */
  readonly slots: ReadonlyMap<number, Reserved>;
}

export const EMPTY_LEDGER: Ledger = {
  fullAtMicros: 0,
  tokensFullAt: 0n,
  tokensHeld: 0n,
  open: 0,
  spent: new Map(),
  slots: new Map(),
};

export function slotOf(nowMs: number): number {
  return Math.floor(nowMs / SLOT_MS);
}

/** What can be deleted: expired reservations, which are released with it, and past periods. */
export interface Expired {
  readonly slots: readonly (readonly [slot: number, held: Reserved])[];
  readonly windows: readonly string[];
  readonly open: number;
  readonly tokenPicos: bigint;
}

export function expiredIn({ slots, spent }: Ledger, nowMs: number): Expired {
  const over = [...slots].filter(([slot]) => nowMs >= (slot + 1) * SLOT_MS + RESERVATION_MS);
  return {
    slots: over,
    windows: [...spent.keys()].filter((window) => isLongOver(window, nowMs)),
    open: over.reduce((sum, [, held]) => sum + held.open, 0),
    tokenPicos: over.reduce((sum, [, held]) => sum + held.tokenPicos, 0n),
  };
}

/** Whether a budget's period is over for every function, despite clock skew. */
export function isLongOver(window: string, nowMs: number): boolean {
  return nowMs >= windowEndMs(window) + SKEW_MS;
}

/** How much of a period's money the expired reservations release. */
export function expiredMoney({ slots }: Expired, window: string): number {
  return slots.reduce((sum, [, held]) => sum + (held.nanoUsd.get(window) ?? 0), 0);
}

/** How much more would be admitted; infinite without a limit of that kind. */
export interface Room {
  readonly requests: number;
  readonly tokenPicos: bigint | undefined;
  readonly nanoUsd: number;
  readonly open: number;
}

/** The room that a ledger leaves, with expired reservations released. */
export function roomFor(ledger: Ledger, limits: Limits, nowMs: number): Room {
  const expired = expiredIn(ledger, nowMs);
  const { tokens, budget, maxConcurrent } = limits;
  const window = budget && windowOf(budget.period, nowMs);
  return {
    requests: roomIn(limits.requests, ledger.fullAtMicros, nowMs * 1000),
    tokenPicos: tokens && tokenRoom(ledger, limits, nowMs) - ledger.tokensHeld + expired.tokenPicos,
    nanoUsd:
      budget === undefined || window === undefined
        ? Infinity
        : budget.nanoUsd - (ledger.spent.get(window) ?? 0) + expiredMoney(expired, window),
    open: maxConcurrent === undefined ? Infinity : maxConcurrent - ledger.open + expired.open,
  };
}

/**
 * A ledger without reservations, which may have been released since it was seen. It gives an upper bound of the room:
 * buckets are only taken from, and refill with time.
 */
export function withoutReservations({ fullAtMicros, tokensFullAt }: Ledger): Ledger {
  return { ...EMPTY_LEDGER, fullAtMicros, tokensFullAt };
}

function tokenRoom({ tokensFullAt }: Ledger, { tokens }: Limits, nowMs: number): bigint {
  if (tokens === undefined) return 0n;
  const debt = tokensFullAt - toPicos(nowMs);
  return BigInt(tokens.capacity) * tokens.intervalPicos - (debt > 0n ? debt : 0n);
}

export function picosOf({ tokens }: Need, limits: Limits): bigint {
  return limits.tokens === undefined ? 0n : BigInt(tokens) * limits.tokens.intervalPicos;
}

/** How many of the needs fit, in order. A kind of which a need takes nothing does not limit it. */
export function fitting(room: Room, needs: readonly Need[], limits: Limits): number {
  let { requests, tokenPicos = 0n, nanoUsd, open } = room;
  for (const [at, need] of needs.entries()) {
    const picos = picosOf(need, limits);
    requests -= 1;
    open -= 1;
    nanoUsd -= need.nanoUsd;
    tokenPicos -= picos;
    if (requests < 0 || open < 0 || (need.nanoUsd > 0 && nanoUsd < 0) || (picos > 0n && tokenPicos < 0n)) return at;
  }
  return needs.length;
}

/** One function takes at most this fraction of the room at once, for present and expected requests. */
const TAKEN_SHARE = 4;
/** Unused leased requests are lost: at most as many as refill in this time, so that a slow bucket loses none. */
const LEASED_REFILL_MS = 2_500;

/**
 * How many more requests may be leased with these: together at most a quarter of the room, so that other functions find
 * some near its end. The time of a lease counts like requests (dynamo-limit-updates.ts).
 */
export function leasableCount(room: Room, { needs, lease }: TakeRequest, limits: Limits): number {
  if (lease === undefined || fitting(room, needs, limits) < needs.length) return 0;
  const { need, leaseMs, count } = lease;
  const untilItsEnd = Math.ceil((leaseMs * 1000) / limits.requests.intervalMicros);
  const money = room.nanoUsd / TAKEN_SHARE - needs.reduce((sum, one) => sum + one.nanoUsd, 0);
  const picos = picosOf(need, limits);
  const tokens =
    (room.tokenPicos ?? 0n) / BigInt(TAKEN_SHARE) - needs.reduce((sum, one) => sum + picosOf(one, limits), 0n);
  const shares = [
    (LEASED_REFILL_MS * 1000) / limits.requests.intervalMicros,
    (room.requests - untilItsEnd) / TAKEN_SHARE - needs.length,
    room.open / TAKEN_SHARE - needs.length,
    need.nanoUsd === 0 ? Infinity : money / need.nanoUsd,
    picos === 0n ? Infinity : Number(tokens / picos),
  ];
  return Math.max(0, Math.floor(Math.min(count, ...shares)));
}

/** Why a request is not admitted. */
export interface Refusal {
  readonly limit: LimitKind;
  /** When it would be admitted, milliseconds from now, if nothing else is used; a lower bound for `concurrent`. */
  readonly retryInMs: number;
  /** The same as a time, milliseconds since 1970. */
  readonly resetAtMs: number;
  /** The tag's budget, where it is not the key's own. */
  readonly tagBudget?: TagBudget;
  /** The team, where the limit is not the key's own. */
  readonly team?: Pick<
    NonNullable<ApiKey['team']>,
    'id' | 'name' | 'rateLimit' | 'tokenLimit' | 'budget' | 'maxConcurrent'
  >;
  /** The tools of an MCP server, where the limit is theirs. */
  readonly tools?: McpToolLimit & { readonly server: string };
}

/** Running requests can end at any time. */
export const CONCURRENT_RETRY_MS = 1_000;

/** Why this need is refused, the budget first, since only time restores it; undefined where there is room. */
export function refusalOf(ledger: Ledger, limits: Limits, need: Need, nowMs: number): Refusal | undefined {
  const refused = reasonOf(ledger, limits, need, nowMs);
  return refused && { ...refused, resetAtMs: nowMs + refused.retryInMs };
}

function reasonOf(ledger: Ledger, limits: Limits, need: Need, nowMs: number): Omit<Refusal, 'resetAtMs'> | undefined {
  const room = roomFor(ledger, limits, nowMs);
  const { budget, requests } = limits;
  if (budget !== undefined && need.nanoUsd > 0 && room.nanoUsd < need.nanoUsd) {
    return { limit: 'budget', retryInMs: boundsAt(budget.period, nowMs).endMs - nowMs };
  }
  if (room.requests < 1) {
    const latest = nowMs * 1000 + (requests.capacity - 1) * requests.intervalMicros;
    return { limit: 'requests', retryInMs: Math.ceil((ledger.fullAtMicros - latest) / 1000) };
  }
  const picos = picosOf(need, limits);
  const missing = picos - (room.tokenPicos ?? 0n);
  if (picos > 0n && missing > 0n) return { limit: 'tokens', retryInMs: fromPicos(missing) };
  return room.open < 1 ? { limit: 'concurrent', retryInMs: CONCURRENT_RETRY_MS } : undefined;
}
