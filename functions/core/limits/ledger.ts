import type { TagBudget } from '../model/deployment-policy.ts';
import type { LimitKind } from '../model/events.ts';
import { type Ask, fromPicos, type Limits, type Need, roomIn, toPicos, windowEndMs, windowOf } from './limits.ts';

/** A request may run this long; what it has reserved is given back after it where nobody has settled it. */
export const RESERVATION_MS = 15 * 60_000;
/**
 * Reservations are kept in sums, one for those of each stretch of this length: as many numbers as stretches, however many
 * requests there are. A stretch lies within one hour, so all of it within one period of a budget of an hour or longer.
 */
export const SLOT_MS = 150_000;
/** Another function's clock may be behind by this much: till then nothing of a past period is forgotten. */
export const SKEW_MS = 10_000;

/** What is reserved, or was used, of everything that is not over once the request is admitted. */
export interface Held {
  readonly open: number;
  readonly tokenPicos: bigint;
  /** Billionths of a US dollar by the budget's period (windowOf). */
  readonly nanoUsd: ReadonlyMap<string, number>;
}

/** All that is remembered of a key's use. Unknown keys have an empty one. */
export interface Ledger {
  /** When the bucket of requests is full again; microseconds since 1970. */
  readonly fullAtMicros: number;
  /** When the bucket of tokens would be full again if nothing were reserved; picoseconds since 1970. */
  readonly tokensFullAt: bigint;
  /** Sum of what is reserved of each kind, also of what has expired and is not yet given back. */
  readonly tokensHeld: bigint;
  readonly open: number;
  /** Used and reserved, by the budget's period. */
  readonly spent: ReadonlyMap<string, number>;
  /** What is reserved by the stretch of time in which it was. */
  readonly slots: ReadonlyMap<number, Held>;
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

/** What may be forgotten: reservations whose time is over, which are given back with it, and periods long past. */
export interface Expired {
  readonly slots: readonly (readonly [slot: number, held: Held])[];
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

/** Whether a budget's period is over for every function, whatever its clock says. */
export function isLongOver(window: string, nowMs: number): boolean {
  return nowMs >= windowEndMs(window) + SKEW_MS;
}

/** How much of a period's money expired reservations give back. */
export function expiredMoney({ slots }: Expired, window: string): number {
  return slots.reduce((sum, [, held]) => sum + (held.nanoUsd.get(window) ?? 0), 0);
}

/** How much more would be admitted; a kind without a limit has room for anything. */
export interface Room {
  readonly requests: number;
  readonly tokenPicos: bigint | undefined;
  readonly nanoUsd: number;
  readonly open: number;
}

/** The room by a ledger as it stands, expired reservations given back. */
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
 * A ledger seen some time ago, without what may have been given back since: nobody has more room than by it, since both
 * buckets are only ever taken from, and filled by time.
 */
export function withoutHeld({ fullAtMicros, tokensFullAt }: Ledger): Ledger {
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

/** How many of the needs there is room for, in their order. Who needs nothing of a kind is not limited by it. */
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

/** Of the room that there is, what one function may take at once, for requests that came and for those to come. */
const TAKEN_SHARE = 4;
/** Requests put aside and not made are lost: no more than are refilled in this time, so that a slow bucket loses none. */
const SPARE_REFILL_MS = 2_500;

/**
 * How many requests to come may be put aside with these: all together are a quarter of the room, so that near its end nobody
 * holds what another could use. The time of a lease counts as if it were requests (dynamo-limit-updates.ts).
 */
export function spareFor(room: Room, { needs, spare }: Ask, limits: Limits): number {
  if (spare === undefined || fitting(room, needs, limits) < needs.length) return 0;
  const { need, leaseMs, count } = spare;
  const lease = Math.ceil((leaseMs * 1000) / limits.requests.intervalMicros);
  const money = room.nanoUsd / TAKEN_SHARE - needs.reduce((sum, one) => sum + one.nanoUsd, 0);
  const picos = picosOf(need, limits);
  const tokens =
    (room.tokenPicos ?? 0n) / BigInt(TAKEN_SHARE) - needs.reduce((sum, one) => sum + picosOf(one, limits), 0n);
  const shares = [
    (SPARE_REFILL_MS * 1000) / limits.requests.intervalMicros,
    (room.requests - lease) / TAKEN_SHARE - needs.length,
    room.open / TAKEN_SHARE - needs.length,
    need.nanoUsd === 0 ? Infinity : money / need.nanoUsd,
    picos === 0n ? Infinity : Number(tokens / picos),
  ];
  return Math.max(0, Math.floor(Math.min(count, ...shares)));
}

/** Why a request is not admitted. */
export interface Refusal {
  readonly limit: LimitKind;
  /** When it would be, milliseconds from now, if nothing else is used meanwhile; at least this long for `concurrent`. */
  readonly retryInMs: number;
  /** The same as a time, milliseconds since 1970. */
  readonly resetAtMs: number;
  /** Where the budget is not the key's own: that of a tag. */
  readonly tagBudget?: TagBudget;
}

/** A running request may end at any time. */
const CONCURRENT_RETRY_MS = 1_000;

/** Why this need is refused; the budget first, since nothing but time mends it. undefined where there is room. */
export function refusalOf(ledger: Ledger, limits: Limits, need: Need, nowMs: number): Refusal | undefined {
  const refused = reasonOf(ledger, limits, need, nowMs);
  return refused && { ...refused, resetAtMs: nowMs + refused.retryInMs };
}

function reasonOf(ledger: Ledger, limits: Limits, need: Need, nowMs: number): Omit<Refusal, 'resetAtMs'> | undefined {
  const room = roomFor(ledger, limits, nowMs);
  const { budget, requests } = limits;
  if (budget !== undefined && need.nanoUsd > 0 && room.nanoUsd < need.nanoUsd) {
    return { limit: 'budget', retryInMs: windowEndMs(windowOf(budget.period, nowMs)) - nowMs };
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
