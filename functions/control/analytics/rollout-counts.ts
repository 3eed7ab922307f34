import type { RequestRecord } from '../../kernel/model/index.ts';
import type { Aggregate, AggregateKey, AggregateReader } from './aggregate-store.ts';
import { bucketOf, DAY_MS, MINUTE_MS } from './cells.ts';

/** A roll-out is watched over a day at most. */
const MINUTES_KEPT_DAYS = 2;
const TOTAL_KEPT_DAYS = 400;
const TOTAL = 'total';

/** Requests that a roll-out took; `…Before`: what the policy in force would have done with them. */
interface RolloutCounts {
  readonly requests: number;
  readonly blocked: number;
  readonly flagged: number;
  readonly blockedBefore: number;
  readonly flaggedBefore: number;
}

/** What a roll-out has done: in all, and in its last minutes. */
interface RolloutProgress {
  readonly total: RolloutCounts;
  readonly watched: RolloutCounts;
}

const NONE: RolloutCounts = { requests: 0, blocked: 0, flagged: 0, blockedBefore: 0, flaggedBefore: 0 };

/** Where a request of a roll-out counts; none without one. A request that no policy could decide on, since its inspection failed, does not. */
export function rolloutKeys(record: RequestRecord): AggregateKey[] {
  const { rollout, shadow, state, findings, time } = record;
  const isUndecided = state === 'failed' || (state === 'blocked' && findings.length === 0);
  if (rollout === undefined || shadow === null || isUndecided) return [];
  const pk = partitionOf(rollout);
  return [
    { pk, sk: TOTAL },
    { pk, sk: bucketOf(Date.parse(time), 'minute') },
  ];
}

/** The counts with more requests. */
export function withRollout(
  key: AggregateKey,
  known: object | undefined,
  records: readonly RequestRecord[],
): Aggregate {
  const value = records.map(countsOf).reduce(sum, { ...NONE, ...(known as RolloutCounts | undefined) });
  const fromMs = key.sk === TOTAL ? Date.parse(records[0]?.time ?? '') : Date.parse(`${key.sk}Z`);
  const keptDays = key.sk === TOTAL ? TOTAL_KEPT_DAYS : MINUTES_KEPT_DAYS;
  return { key, value, expiresAt: Math.ceil((fromMs + keptDays * DAY_MS) / 1000) };
}

/** The counts of a roll-out, by the version of its policy; `minutes` are the last ones that are watched. @throws StoreUnavailable */
export async function readRollout(
  { version, minutes, nowMs }: { readonly version: number; readonly minutes: number; readonly nowMs: number },
  aggregates: AggregateReader,
): Promise<RolloutProgress> {
  const from = bucketOf(nowMs - minutes * MINUTE_MS, 'minute');
  // Sorts after every minute.
  const rows = await aggregates.range(partitionOf(version), from, `${TOTAL}~`);
  const counts = (wanted: (sk: string) => boolean) =>
    rows
      .filter(({ sk }) => wanted(sk))
      .map(({ value }) => value as RolloutCounts)
      .reduce(sum, NONE);
  return { total: counts((sk) => sk === TOTAL), watched: counts((sk) => sk !== TOTAL) };
}

function countsOf({ action, shadow }: RequestRecord): RolloutCounts {
  return {
    requests: 1,
    blocked: action === 'block' ? 1 : 0,
    flagged: isFlag(action) ? 1 : 0,
    blockedBefore: shadow?.action === 'block' ? 1 : 0,
    flaggedBefore: isFlag(shadow?.action) ? 1 : 0,
  };
}

function isFlag(action: RequestRecord['action'] | undefined): boolean {
  return action !== undefined && action !== 'allow' && action !== 'block';
}

function sum(one: RolloutCounts, other: RolloutCounts): RolloutCounts {
  const names = Object.keys(NONE) as (keyof RolloutCounts)[];
  return Object.fromEntries(names.map((name) => [name, one[name] + other[name]])) as unknown as RolloutCounts;
}

function partitionOf(version: number): string {
  return `rollout#${version}`;
}
