import type { ResponseOf } from '../../contract/index.ts';
import { type GatewayEvent, newEventId, type SpendEventData, type SpendEventGroups } from '../../kernel/model/index.ts';
import type { Clock } from '../../kernel/tasks/index.ts';
import { DAY_MS, HOUR_MS } from '../analytics/index.ts';
import type { StateStore } from '../documents/index.ts';
import { boundsAt } from '../limits/index.ts';
import { type NamedSpendDeps, namedSpendOf } from './named-spend.ts';
import type { SpendAsked } from './spend-report.ts';

type Spend = ResponseOf<'getSpend'>;

/** Which month was reported last. */
export interface SpendReportState {
  /** `2026-11`; null before the first run. */
  readonly month: string | null;
  /** 0: not stored yet. */
  readonly version: number;
}

/** The state before the first run. */
export const NO_REPORT: SpendReportState = { month: null, version: 0 };

interface ReportDeps extends NamedSpendDeps {
  readonly states: Pick<StateStore<SpendReportState>, 'read' | 'replace'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly timeZone: string;
  /** Topics of SNS that get it, besides webhooks that select the event. */
  readonly topicArns: readonly string[];
  /** How long totals are kept. */
  readonly aggregateDays: number;
}

/** There is one report. */
const REPORT = 'spend';
/** The longest request takes a quarter of an hour, and is counted seconds later. */
const COUNTED_AFTER_MS = HOUR_MS;
/** Of each grouping, so that the event stays below 64 KB. */
const MAX_ROWS = 20;

/**
 * Emits the report of the next calendar month that is over and was not reported. The month is stored in the same write as the event: several runs
 * at a time report it once, and one that dies before it reports nothing. A deployment begins with the month of its first run. Months whose totals
 * are no longer kept are left out. @returns the month that was reported
 * @throws StoreUnavailable; the next run reports it then
 */
export async function reportMonth(deps: ReportDeps): Promise<string | undefined> {
  const { states, clock, timeZone, aggregateDays } = deps;
  const [read = NO_REPORT] = await states.read([REPORT]);
  const nowMs = clock.now();
  const lastClosed = monthAfter(monthAt(timeZone, nowMs - COUNTED_AFTER_MS), -1);
  const oldestKept = monthAfter(monthAt(timeZone, nowMs - aggregateDays * DAY_MS), 1);
  const version = read.version + 1;
  if (read.month === null) {
    await states.replace(REPORT, read, { month: lastClosed, version }, undefined);
    return undefined;
  }
  const due = monthAfter(read.month, 1);
  const month = due < oldestKept ? oldestKept : due;
  if (month > lastClosed) return undefined;
  const knowsBefore = monthAfter(month, -1) >= oldestKept;
  const event = await eventOf(month, knowsBefore, deps);
  return (await states.replace(REPORT, read, { month, version }, event)) ? month : undefined;
}

/** The calendar month of a time. */
function monthAt(timeZone: string, ms: number): string {
  const { startMs, endMs } = boundsAt(`calendarMonth:${timeZone}`, ms);
  return nameOf((startMs + endMs) / 2);
}

function monthAfter(month: string, months: number): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return nameOf(Date.UTC(year, number - 1 + months, 1));
}

function nameOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 'YYYY-MM'.length);
}

async function eventOf(month: string, knowsBefore: boolean, deps: ReportDeps): Promise<GatewayEvent> {
  const { timeZone, topicArns } = deps;
  const nowMs = deps.clock.now();
  const by = async (groupBy: SpendAsked['groupBy']) => namedSpendOf({ month, timeZone, groupBy }, nowMs, deps);
  const teams = await by('teamId');
  const data: SpendEventData = {
    ...{ month, timeZone, from: teams.from, to: teams.to },
    ...figuresOf(teams, knowsBefore),
    byTeam: groupsOf(teams, knowsBefore),
    byKey: groupsOf(await by('keyId'), knowsBefore),
    byModel: groupsOf(await by('model'), knowsBefore),
    byProvider: groupsOf(await by('provider'), knowsBefore),
    byEnvironment: groupsOf(await by('environment'), knowsBefore),
    topicArns,
  };
  return { id: newEventId(), type: 'spend.report', created: new Date(nowMs).toISOString(), data };
}

function groupsOf({ groups = [] }: Spend, knowsBefore: boolean): SpendEventGroups {
  const rows = groups.slice(0, MAX_ROWS).map((row) => ({
    group: row.group,
    ...(row.label !== undefined && { label: row.label }),
    ...figuresOf(row, knowsBefore),
    budget: row.budget,
  }));
  return { groups: groups.length, rows };
}

type Figures = Pick<
  Spend,
  'requests' | 'tokens' | 'costUsd' | 'unpriced' | 'partlyPriced' | 'unknownCharges' | 'previousUsd'
>;

function figuresOf(figures: Figures, knowsBefore: boolean): Figures {
  const { requests, tokens, costUsd, unpriced, partlyPriced, unknownCharges, previousUsd } = figures;
  return {
    ...{ requests, tokens, costUsd, unpriced, partlyPriced },
    ...(unknownCharges !== undefined && { unknownCharges }),
    previousUsd: knowsBefore ? previousUsd : null,
  };
}
