import { type ApiKey, PERIOD_SECONDS } from '../model/api-key.ts';
import { type Bucket, toBucket } from './token-bucket.ts';

type Period = keyof typeof PERIOD_SECONDS;

/** A bucket of model tokens. Its time is counted in picoseconds, so that whole tokens are whole numbers at any rate. */
export interface TokenAllowance {
  /** Tokens that a full bucket admits at once. */
  readonly capacity: number;
  /** Time in which one token is refilled, rounded up so that rounding never admits more. */
  readonly intervalPicos: bigint;
  readonly period: Period;
}

/** Money for each period; periods begin at whole multiples of their length since 1970 (UTC). */
export interface Budget {
  readonly nanoUsd: number;
  readonly period: Period;
}

/** What a key may use, as its requests are admitted by. */
export interface Limits {
  readonly requests: Bucket;
  readonly tokens: TokenAllowance | undefined;
  readonly budget: Budget | undefined;
  readonly maxConcurrent: number | undefined;
}

/** The most that a request may use, one request itself aside. */
export interface Need {
  readonly tokens: number;
  /** Billionths of a US dollar. */
  readonly nanoUsd: number;
}

export const NO_NEED: Need = { tokens: 0, nanoUsd: 0 };

type LimitedKey = Pick<ApiKey, 'rateLimit' | 'tokenLimit' | 'budget' | 'maxConcurrent'>;

const known = new WeakMap<LimitedKey, Limits>();

/** The limits of a key; made once for as long as the key object lives. */
export function limitsOf(key: LimitedKey): Limits {
  let limits = known.get(key);
  if (limits === undefined) {
    limits = {
      requests: toBucket(key.rateLimit),
      tokens: key.tokenLimit ? toTokenAllowance(key.tokenLimit) : undefined,
      budget: key.budget ? { nanoUsd: Math.round(key.budget.usd * 1e9), period: key.budget.period } : undefined,
      maxConcurrent: key.maxConcurrent ?? undefined,
    };
    known.set(key, limits);
  }
  return limits;
}

/** Whether requests under these limits hold something while they run, which is settled when they end. */
export function holdsWhileRunning({ tokens, budget, maxConcurrent }: Limits): boolean {
  return tokens !== undefined || budget !== undefined || maxConcurrent !== undefined;
}

export function toTokenAllowance({ tokens, period }: { tokens: number; period: Period }): TokenAllowance {
  const count = BigInt(tokens);
  const picos = BigInt(PERIOD_SECONDS[period]) * 1_000_000_000_000n;
  return { capacity: tokens, intervalPicos: (picos + count - 1n) / count, period };
}

export function toPicos(milliseconds: number): bigint {
  return BigInt(milliseconds) * 1_000_000_000n;
}

/** Milliseconds, rounded up. */
export function fromPicos(picos: bigint): number {
  return Number((picos + 999_999_999n) / 1_000_000_000n);
}

const PERIOD_LETTERS = { second: 's', minute: 'i', hour: 'h', day: 'd', month: 'm' } as const satisfies Record<
  Period,
  string
>;
const PERIOD_OF_LETTER = new Map(Object.entries(PERIOD_LETTERS).map(([period, letter]) => [letter, period as Period]));

/** The budget's period that a time lies in, by a name such as `d20778`. */
export function windowOf(period: Period, nowMs: number): string {
  return `${PERIOD_LETTERS[period]}${Math.floor(nowMs / (PERIOD_SECONDS[period] * 1000))}`;
}

/** When a budget's period ends, milliseconds since 1970. */
export function windowEndMs(window: string): number {
  const period = PERIOD_OF_LETTER.get(window.charAt(0) as 's') ?? 'second';
  return (Number(window.slice(1)) + 1) * PERIOD_SECONDS[period] * 1000;
}

/**
 * Whether a period is longer than reservations live, so that they must be given back within it. Those of shorter periods
 * end with their period.
 */
export function outlivesReservations(window: string): boolean {
  return /^[hdm]/.test(window);
}
