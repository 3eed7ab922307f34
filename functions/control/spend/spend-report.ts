import type { ResponseOf } from '../../contract/index.ts';
import type { BudgetLimit, Group, Summary } from '../../kernel/model/index.ts';
import { type AggregateQuery, type AggregateReader, DAY_MS, floorTo, HOUR_MS, summarize } from '../analytics/index.ts';
import { boundsAt, limitsOf } from '../limits/index.ts';

type Spend = ResponseOf<'getSpend'>;

const WEEK_MS = 7 * DAY_MS;
/** With less, a rate says little. */
const MIN_KNOWN_MS = DAY_MS;
/** In the middle of a month every zone has that month. */
const MIDDLE = 15;

/** Which month to report, and of which requests. */
export interface SpendAsked extends Pick<AggregateQuery, 'environment' | 'keyId' | 'teamId' | 'tag' | 'model'> {
  /** `2026-11`; the current one if absent. */
  readonly month?: string | undefined;
  readonly timeZone?: string | undefined;
  readonly groupBy?: Group | undefined;
}

interface SpendDeps {
  readonly aggregates: AggregateReader;
  readonly nowMs: number;
  /** The budgets of the whole report, and of groups, by their value. */
  readonly budgetsOf: (groups: readonly string[]) => Promise<ReadonlyMap<string, BudgetLimit>>;
}

type Figures = Pick<
  Spend,
  'requests' | 'tokens' | 'costUsd' | 'unpriced' | 'partlyPriced' | 'unknownCharges' | 'cache'
>;

const NOTHING: Figures = { requests: 0, tokens: { input: 0, output: 0 }, costUsd: 0, unpriced: 0, partlyPriced: 0 };

/**
 * The report of a calendar month. Totals are counted by full hours of UTC: a month that begins within one begins with it. The forecast is what has been
 * spent, and for the rest of the month what the last seven days cost, again and again, so that it has the rhythm of a week. Where the first request
 * is less than a week ago, it is the average since then. @throws StoreUnavailable
 */
export async function spendOf(asked: SpendAsked, { aggregates, nowMs, budgetsOf }: SpendDeps): Promise<Spend> {
  const { month, timeZone = 'UTC', groupBy, ...filter } = asked;
  const period = `calendarMonth:${timeZone}` as const;
  const within = month === undefined ? nowMs : Date.parse(`${month}-${MIDDLE}T12:00:00Z`);
  const bounds = boundsAt(period, within);
  const [fromMs, toMs] = [bounds.startMs, bounds.endMs].map((ms) => floorTo(ms, 'hour')) as [number, number];
  const before = floorTo(boundsAt(period, bounds.startMs - 1).startMs, 'hour');
  const sum: Sum = (from, to) => totalsOf({ ...filter, groupBy, fromMs: from, toMs: to }, aggregates);
  const requestsIn = async (from: number, to: number) =>
    (await summarize({ ...filter, fromMs: from, toMs: to }, aggregates)).requests;
  const [spent, previous, forecast] = await Promise.all([
    sum(fromMs, toMs),
    sum(before, fromMs),
    forecastOf({ fromMs, toMs, before, nowMs }, sum, requestsIn),
  ]);
  const budgets = await budgetsOf([...spent.groups.keys()].flatMap((group) => group ?? []));
  const rowOf = (
    figures: Figures,
    group: string | null | undefined,
  ): Omit<Spend, 'object' | 'month' | 'timeZone' | 'from' | 'to'> => {
    const budget = typeof group === 'string' ? budgets.get(group) : undefined;
    const past = group === undefined ? previous.all : previous.groups.get(group);
    return {
      ...pick(figures),
      previousUsd: past === undefined ? 0 : past.costUsd,
      forecastUsd: forecast(figures, group),
      budget: budget === undefined ? null : { ...budget, monthUsd: monthUsd(budget, bounds) },
    };
  };
  const names = new Set([...spent.groups.keys(), ...previous.groups.keys()]);
  const groups = [...names].map((group) => ({ group, ...rowOf(spent.groups.get(group) ?? NOTHING, group) }));
  return {
    object: 'analytics.spend',
    month: month ?? monthName(fromMs, toMs),
    timeZone,
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
    ...rowOf(spent.all, undefined),
    ...(groupBy !== undefined && {
      groups: groups.sort((a, b) => (b.costUsd ?? 0) - (a.costUsd ?? 0) || b.requests - a.requests),
    }),
  };
}

interface TotalsByGroup {
  readonly all: Figures;
  readonly groups: ReadonlyMap<string | null, Figures>;
}
type Sum = (fromMs: number, toMs: number) => Promise<TotalsByGroup>;
type RequestsIn = (fromMs: number, toMs: number) => Promise<number>;

async function totalsOf(query: AggregateQuery, reader: AggregateReader): Promise<TotalsByGroup> {
  const { groups = [], ...all } = await summarize(query, reader);
  return { all, groups: new Map(groups.map((one) => [one.group, one])) };
}

function pick({
  requests,
  tokens,
  costUsd,
  unpriced,
  partlyPriced,
  unknownCharges,
  cache,
}: Figures | Summary): Figures {
  return {
    ...{ requests, tokens, costUsd, unpriced, partlyPriced },
    ...(unknownCharges !== undefined && { unknownCharges }),
    ...(cache !== undefined && { cache }),
  };
}

/** What a row would have cost by the end of the month. */
async function forecastOf(
  { fromMs, toMs, before, nowMs }: Readonly<Record<'fromMs' | 'toMs' | 'before' | 'nowMs', number>>,
  sum: Sum,
  requestsIn: RequestsIn,
): Promise<(spent: Figures, group: string | null | undefined) => number | null> {
  const at = floorTo(nowMs, 'hour');
  if (at < fromMs || at >= toMs) return () => null;
  const week = at - WEEK_MS;
  const rest = toMs - at;
  const part = rest % WEEK_MS;
  const [last, beginning, earlier] = await Promise.all([
    sum(week, at),
    part === 0 ? undefined : sum(week, week + part),
    before < week ? requestsIn(before, week) : 0,
  ]);
  // Where nothing is older than a week, the rate is that since the first request.
  const knownMs = earlier > 0 ? WEEK_MS : await knownSince(week, at, requestsIn);
  if (knownMs < MIN_KNOWN_MS) return () => null;
  const costIn = (totals: TotalsByGroup | undefined, group: string | null | undefined) =>
    (group === undefined ? totals?.all : totals?.groups.get(group))?.costUsd ?? 0;
  return ({ costUsd }, group) => {
    if (costUsd === null) return null;
    if (knownMs < WEEK_MS) return costUsd + (costIn(last, group) / knownMs) * rest;
    return costUsd + costIn(last, group) * Math.floor(rest / WEEK_MS) + costIn(beginning, group);
  };
}

/** How long ago the first request of a range is, by full hours; 0 without one. */
async function knownSince(fromMs: number, toMs: number, requestsIn: RequestsIn): Promise<number> {
  let [first, end] = [fromMs, toMs];
  // Halves the part that begins before the first request.
  if ((await requestsIn(first, end)) === 0) return 0;
  while (end - first > HOUR_MS) {
    const middle = first + floorTo((end - first) / 2, 'hour');
    if ((await requestsIn(first, middle)) > 0) end = middle;
    else first = middle;
  }
  return toMs - first;
}

/** How much of a budget a month has, which is the whole of one by month. */
function monthUsd(
  budget: BudgetLimit,
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
): number {
  if (budget.period === 'calendarMonth') return budget.usd;
  const limits = limitsOf({ rateLimit: { requests: 1, period: 'second' }, budget });
  const bounds = limits.budget && boundsAt(limits.budget.period, startMs);
  return bounds === undefined ? budget.usd : budget.usd * ((endMs - startMs) / (bounds.endMs - bounds.startMs));
}

/** The name of the month that is the larger part of a range of hours. */
function monthName(fromMs: number, toMs: number): string {
  return new Date((fromMs + toMs) / 2).toISOString().slice(0, 'YYYY-MM'.length);
}
