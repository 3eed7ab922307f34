import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { BudgetLimit, RequestRecord } from '../../kernel/model/index.ts';
import { countRecords } from '../analytics/count-records.ts';
import { MemoryAggregates } from '../analytics/memory-aggregates.fixture.ts';
import { anyRecord, recordOf } from '../analytics/record.fixture.ts';
import { toSpendCsv } from './spend-csv.ts';
import { type SpendAsked, spendOf } from './spend-report.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOVEMBER = Date.parse('2026-11-01T00:00:00Z');

async function storeOf(records: readonly RequestRecord[]): Promise<MemoryAggregates> {
  const store = new MemoryAggregates();
  const deliveries = records.map((record, at) => ({ position: String(at + 1), record }));
  await countRecords({ source: 's', deliveries }, { store, now: () => NOVEMBER, aggregateDays: 400, sessionDays: 30 });
  return store;
}

const report = (
  asked: SpendAsked,
  aggregates: MemoryAggregates,
  nowMs: number,
  budgets: Readonly<Record<string, BudgetLimit>> = {},
) => spendOf(asked, { aggregates, nowMs, budgetsOf: async () => new Map(Object.entries(budgets)) });

const costing = (usd: number | null, atMs: number, fields: Partial<RequestRecord> = {}) =>
  recordOf({ costUsd: usd, time: new Date(atMs).toISOString(), ...fields });

describe('the report of a month', () => {
  it('is the sum of the records of its hours, in its time zone, beside the month before', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(anyRecord, { maxLength: 30 }),
        fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/Los_Angeles'),
        fc.integer({ min: -3, max: 10 }),
        async (records, timeZone, days) => {
          // Around the turn of the month in each zone.
          const moved = records.map((record) => ({
            ...record,
            time: new Date(Date.parse(record.time) + (8 + days) * DAY_MS).toISOString(),
          }));
          const store = await storeOf(moved);
          const spend = await report({ month: '2026-12', timeZone, groupBy: 'model' }, store, NOVEMBER);
          const from = Date.parse(spend.from);
          const within = moved.filter(({ time }) => Date.parse(time) >= from && time < spend.to);
          const nanos = (of: readonly RequestRecord[]) =>
            of.reduce((sum, { costUsd }) => sum + Math.round((costUsd ?? 0) * 1e9), 0);
          expect(spend.requests).toBe(within.length);
          expect(Math.round((spend.costUsd ?? 0) * 1e9)).toBe(nanos(within));
          const groups = spend.groups ?? [];
          expect(groups.reduce((sum, { requests }) => sum + requests, 0)).toBe(within.length);
          expect(Math.round(groups.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0) * 1e9)).toBe(nanos(within));
          const before = moved.filter(({ time }) => Date.parse(time) < from);
          expect(Math.round((spend.previousUsd ?? 0) * 1e9)).toBe(nanos(before));
        },
      ),
      { numRuns: 40 },
    ));

  it('has the bounds of the zone, by full hours', async () => {
    const store = await storeOf([]);
    const bounds = async (timeZone: string) => {
      const { from, to, month } = await report({ timeZone }, store, Date.parse('2026-11-15T00:00:00Z'));
      return [month, from, to];
    };
    expect(await bounds('Europe/Berlin')).toEqual(['2026-11', '2026-10-31T23:00:00.000Z', '2026-11-30T23:00:00.000Z']);
    // At 18:30 in UTC.
    expect(await bounds('Asia/Kolkata')).toEqual(['2026-11', '2026-10-31T18:00:00.000Z', '2026-11-30T18:00:00.000Z']);
  });

  it('lists usage without a price by its charge, and its cost is not zero', async () => {
    const store = await storeOf([
      costing(null, NOVEMBER, { model: 'new', unknownCharges: ['tokens'] }),
      costing(2, NOVEMBER, { model: 'known', unknownCharges: ['webSearch'] }),
    ]);
    const spend = await report({ groupBy: 'model', month: '2026-11' }, store, NOVEMBER + DAY_MS);
    expect(spend).toMatchObject({
      costUsd: 2,
      unpriced: 1,
      partlyPriced: 1,
      unknownCharges: { tokens: 1, webSearch: 1 },
    });
    const [known, other] = spend.groups ?? [];
    expect(known).toMatchObject({ group: 'known', costUsd: 2, unknownCharges: { webSearch: 1 } });
    expect(other).toMatchObject({ group: 'new', costUsd: null, forecastUsd: null, unknownCharges: { tokens: 1 } });
    expect(toSpendCsv(spend).split('\r\n')[2]).toBe('2026-11,UTC,new,,1,10,5,,1,0,tokens=1,0,,');
  });

  it('has groups of the month before that have cost nothing since', async () => {
    const store = await storeOf([costing(3, NOVEMBER - DAY_MS, { keyId: 'key_old' }), costing(1, NOVEMBER)]);
    const { groups } = await report({ groupBy: 'keyId', month: '2026-11' }, store, NOVEMBER + DAY_MS);
    expect(groups).toMatchObject([
      { group: 'key_1', costUsd: 1, previousUsd: 0 },
      { group: 'key_old', costUsd: 0, previousUsd: 3, requests: 0 },
    ]);
  });

  it('has as much of a budget as the month has of its periods', async () => {
    const store = await storeOf(['a', 'b', 'c'].map((keyId) => costing(1, NOVEMBER, { keyId })));
    const budgets = {
      a: { usd: 50, period: 'calendarMonth', timeZone: 'UTC' },
      b: { usd: 2, period: 'day' },
      c: { usd: 60, period: 'month' },
    } as const;
    const { groups = [] } = await report({ groupBy: 'keyId', month: '2026-11' }, store, NOVEMBER, budgets);
    expect(groups.map(({ budget }) => budget?.monthUsd)).toEqual([50, 60, 60]);
  });

  it('writes what a spreadsheet would run as a text', async () => {
    const store = await storeOf([costing(1, NOVEMBER, { requestTags: { feature: '=1+1' } })]);
    const csv = toSpendCsv(await report({ groupBy: 'tag:feature', month: '2026-11' }, store, NOVEMBER));
    expect(csv).toContain(",'=1+1,");
  });
});

/** Cost by hour: working days, nights and weekends, a growth a month, and noise that is the same for each seed. */
function costsOf(seed: number, growth: number, noise: number): (ms: number) => number {
  return (ms) => {
    const date = new Date(ms);
    const isWeekend = date.getUTCDay() % 6 === 0;
    const isDay = date.getUTCHours() >= 8 && date.getUTCHours() < 19;
    const random = Math.sin(seed * 12.9898 + (ms / HOUR_MS) * 78.233) * 43_758.5453;
    const trend = (1 + growth) ** ((ms - NOVEMBER) / (30 * DAY_MS));
    return (isWeekend ? 0.3 : 1) * (isDay ? 1 : 0.2) * trend * (1 + noise * 2 * (random - Math.floor(random) - 0.5));
  };
}

describe('the forecast', () => {
  const hours = (fromMs: number, toMs: number) =>
    Array.from({ length: (toMs - fromMs) / HOUR_MS }, (_, at) => fromMs + at * HOUR_MS);
  const END = NOVEMBER + 30 * DAY_MS;

  /** The relative errors of forecasts on these days of the month, in percent. */
  async function errors(costOf: (ms: number) => number, days: readonly number[]): Promise<number[]> {
    const records = hours(NOVEMBER - 14 * DAY_MS, END).map((ms) => costing(costOf(ms), ms));
    const actual = hours(NOVEMBER, END).reduce((sum, ms) => sum + costOf(ms), 0);
    const found: number[] = [];
    for (const day of days) {
      const nowMs = NOVEMBER + day * DAY_MS;
      const known = records.filter(({ time }) => Date.parse(time) < nowMs);
      const { forecastUsd } = await report({}, await storeOf(known), nowMs);
      found.push(Math.round((((forecastUsd ?? 0) - actual) / actual) * 1_000) / 10);
    }
    return found;
  }

  it('is exact if each week is like the one before, on any day', async () =>
    expect(await errors(costsOf(1, 0, 0), [0, 1, 3, 12, 29])).toEqual([0, 0, 0, 0, 0]));

  it('is within 10 % where each hour is up to half more or less, and lags behind growth', async () => {
    for (const seed of [1, 2]) {
      for (const error of await errors(costsOf(seed, 0, 0.5), [1, 14])) expect(Math.abs(error)).toBeLessThan(10);
    }
    const [first = 0, later = 0] = await errors(costsOf(1, 0.2, 0), [3, 20]);
    expect(first).toBeLessThan(0);
    expect(first).toBeGreaterThan(-12);
    expect(Math.abs(later)).toBeLessThan(Math.abs(first));
  });

  it('is the average since the first request where that is less than a week ago', async () => {
    const start = NOVEMBER + 10 * DAY_MS;
    const store = await storeOf(hours(start, start + 2 * DAY_MS).map((ms) => costing(1, ms)));
    const { forecastUsd } = await report({}, store, start + 2 * DAY_MS);
    expect(forecastUsd).toBeCloseTo(20 * 24, 6);
  });

  it('is unknown before 24 hours of requests, and for a month that is over or has not begun', async () => {
    const store = await storeOf([costing(1, NOVEMBER + DAY_MS)]);
    const at = async (month: string, nowMs: number) => (await report({ month }, store, nowMs)).forecastUsd;
    expect(await at('2026-11', NOVEMBER + DAY_MS + 23 * HOUR_MS)).toBeNull();
    expect(await at('2026-11', NOVEMBER + DAY_MS + 24 * HOUR_MS)).not.toBeNull();
    expect(await at('2026-11', END)).toBeNull();
    expect(await at('2026-12', NOVEMBER + 9 * DAY_MS)).toBeNull();
  });
});
