import { type ApiKey, type BudgetLimit, PERIOD_SECONDS, type RateLimit } from '../../kernel/model/index.ts';
import { type MonthBounds, monthAt } from './calendar-month.ts';

/** `session`: one period that outlives every session, until 2070. Its item is kept a month. */
const SECONDS = { ...PERIOD_SECONDS, session: 100 * 365.25 * 86_400 } as const;
type FixedPeriod = keyof typeof SECONDS;
/** With the time zone of a calendar month. */
type Period = FixedPeriod | `calendarMonth:${string}`;

/** A bucket of model tokens. Its time is counted in picoseconds, so that whole tokens are whole numbers at any rate. */
export interface TokenAllowance {
  /** Tokens that a full bucket admits at once. */
  readonly capacity: number;
  /** Time in which one token is refilled, rounded up so that rounding never admits more. */
  readonly intervalPicos: bigint;
  readonly period: FixedPeriod;
}

/** Money for each period; periods begin at whole multiples of their length since 1970 (UTC), or on the first of a month in a time zone. */
export interface Budget {
  readonly nanoUsd: number;
  readonly period: Period;
}

/** The limits of a key, in the form that admission uses. */
export interface Limits {
  readonly requests: Bucket;
  readonly tokens: TokenAllowance | undefined;
  readonly budget: Budget | undefined;
  readonly maxConcurrent: number | undefined;
}

/** The most that a request may use, besides the request itself. */
export interface Need {
  readonly tokens: number;
  /** Billionths of a US dollar. */
  readonly nanoUsd: number;
}

export const NO_NEED: Need = { tokens: 0, nanoUsd: 0 };

type LimitedKey = Pick<ApiKey, 'rateLimit' | 'tokenLimit' | 'budget' | 'maxConcurrent'>;

const known = new WeakMap<LimitedKey, Limits>();

/** The limits of a key, computed once for each key object. */
export function limitsOf(key: LimitedKey): Limits {
  let limits = known.get(key);
  if (limits === undefined) {
    limits = {
      requests: toBucket(key.rateLimit),
      tokens: key.tokenLimit ? toTokenAllowance(key.tokenLimit) : undefined,
      budget: key.budget ? toBudget(key.budget) : undefined,
      maxConcurrent: key.maxConcurrent ?? undefined,
    };
    known.set(key, limits);
  }
  return limits;
}

function toBudget({ usd, period, timeZone = 'UTC' }: BudgetLimit): Budget {
  const nanoUsd = Math.round(usd * 1e9);
  return { nanoUsd, period: period === 'calendarMonth' ? `${CALENDAR}${timeZone}` : period };
}

/** Whether requests under these limits reserve something, which is settled when they end. */
export function reservesWhileRunning({ tokens, budget, maxConcurrent }: Limits): boolean {
  return tokens !== undefined || budget !== undefined || maxConcurrent !== undefined;
}

export function toTokenAllowance({ tokens, period }: { tokens: number; period: FixedPeriod }): TokenAllowance {
  const count = BigInt(tokens);
  const picos = BigInt(SECONDS[period]) * 1_000_000_000_000n;
  return { capacity: tokens, intervalPicos: (picos + count - 1n) / count, period };
}

export function toPicos(milliseconds: number): bigint {
  return BigInt(milliseconds) * 1_000_000_000n;
}

/** Milliseconds, rounded up. */
export function fromPicos(picos: bigint): number {
  return Number((picos + 999_999_999n) / 1_000_000_000n);
}

const PERIOD_LETTERS = {
  second: 's',
  minute: 'i',
  hour: 'h',
  day: 'd',
  month: 'm',
  session: 'x',
} as const satisfies Record<FixedPeriod, string>;
const PERIOD_OF_LETTER = new Map(
  Object.entries(PERIOD_LETTERS).map(([period, letter]) => [letter, period as FixedPeriod]),
);

const CALENDAR = 'calendarMonth:';
const HOUR_MS = 3_600_000;

/**
 * The budget period of a time, as a name such as `d20778`, of letters and digits. A calendar month has the name of its last hour with a zero before the
 * number, `h0498862`, which no hour has: earlier releases read it as a period that ends with the month, or with the hour in which the month ends.
 */
export function windowOf(period: Period, nowMs: number): string {
  if (isCalendar(period)) return `h0${Math.ceil(boundsAt(period, nowMs).endMs / HOUR_MS) - 1}`;
  return `${PERIOD_LETTERS[period]}${Math.floor(nowMs / (SECONDS[period] * 1000))}`;
}

/** When the period of a name ends, milliseconds since 1970; of a calendar month, the full hour at or after its end. */
export function windowEndMs(window: string): number {
  return (Number(window.slice(1)) + 1) * windowMs(window);
}

/** When the budget period of a time begins and ends. */
export function boundsAt(period: Period, nowMs: number): MonthBounds {
  if (isCalendar(period)) return monthAt(period.slice(CALENDAR.length), nowMs);
  const window = windowOf(period, nowMs);
  return { startMs: Number(window.slice(1)) * windowMs(window), endMs: windowEndMs(window) };
}

function isCalendar(period: Period): period is `calendarMonth:${string}` {
  return period.startsWith(CALENDAR);
}

function windowMs(window: string): number {
  return SECONDS[PERIOD_OF_LETTER.get(window.charAt(0) as 's') ?? 'second'] * 1000;
}

/**
 * Whether a period is longer than reservations live, so that they must be released within it. Shorter periods end
 * first.
 */
export function outlivesReservations(window: string): boolean {
  return /^[hdmx]/.test(window);
}

/**
 * A token bucket as its theoretical arrival time (GCRA, as in ITU-T I.371): `fullAtMicros` is when the bucket would be
 * full again. A request moves it one interval ahead and is admitted while that stays within the capacity.
 */
export interface Bucket {
  /** Requests that a full bucket admits at once. */
  readonly capacity: number;
  /** Time in which one request is refilled, whole microseconds, rounded up so that rounding never admits more. */
  readonly intervalMicros: number;
}

export function toBucket(limit: RateLimit): Bucket {
  return {
    capacity: limit.burst ?? limit.requests,
    intervalMicros: Math.ceil((PERIOD_SECONDS[limit.period] * 1_000_000) / limit.requests),
  };
}

/** The state of a bucket just after a request was admitted or refused. */
export interface BucketState {
  readonly admitted: boolean;
  /** Whole requests that would be admitted now. */
  readonly remaining: number;
  /** When the bucket is full again, milliseconds from now. */
  readonly fullInMs: number;
  /** When the next request would be admitted, milliseconds from now; 0 where it would be now. */
  readonly nextInMs: number;
}

/** The latest `fullAt` at which `count` more requests are admitted; `count` is at most the capacity. */
export function latestAdmittingMicros(bucket: Bucket, nowMicros: number, count = 1): number {
  return nowMicros + (bucket.capacity - count) * bucket.intervalMicros;
}

/** How many requests a bucket with this `fullAt` admits. */
export function roomIn({ capacity, intervalMicros }: Bucket, fullAtMicros: number, nowMicros: number): number {
  const debt = Math.max(0, fullAtMicros - nowMicros);
  return Math.max(0, Math.floor((capacity * intervalMicros - debt) / intervalMicros));
}

export function bucketState(bucket: Bucket, fullAtMicros: number, nowMicros: number, admitted: boolean): BucketState {
  const debt = Math.max(0, fullAtMicros - nowMicros);
  const wait = fullAtMicros - latestAdmittingMicros(bucket, nowMicros);
  return {
    admitted,
    remaining: roomIn(bucket, fullAtMicros, nowMicros),
    fullInMs: Math.ceil(debt / 1000),
    nextInMs: Math.max(0, Math.ceil(wait / 1000)),
  };
}

/** What one function requests in one write. */
export interface TakeRequest {
  /** The needs of the waiting requests, in order. */
  readonly needs: readonly Need[];
  /** A lease: more of the last need, for requests that may come within `leaseMs`. */
  readonly lease?: { readonly count: number; readonly need: Need; readonly leaseMs: number };
}
