import { beforeEach, describe, expect, test } from '@jest/globals';
import { StoreUnavailable } from '../../kernel/errors/index.ts';
import type { GatewayEvent, RequestRecord } from '../../kernel/model/index.ts';
import { createTeamSchema } from '../../kernel/teams/index.ts';
import { countRecords } from '../analytics/count-records.ts';
import { MemoryAggregates } from '../analytics/memory-aggregates.fixture.ts';
import { recordOf } from '../analytics/record.fixture.ts';
import { eventBody } from '../webhooks/delivered-event.ts';
import { NO_REPORT, reportMonth, type SpendReportState } from './monthly-report.ts';

const HOUR_MS = 3_600_000;
const TOPIC = 'arn:aws:sns:eu-central-1:123456789012:llm-spend';
const ms = (iso: string) => Date.parse(iso);

let now: number;
let aggregates: MemoryAggregates;
let state: SpendReportState;
let events: GatewayEvent[];
let position = 0;
beforeEach(() => {
  [now, aggregates, state, events] = [ms('2026-11-10T12:00:00Z'), new MemoryAggregates(), NO_REPORT, []];
});

const states = {
  read: async () => [state],
  replace: async (_: string, read: SpendReportState, next: SpendReportState, event: GatewayEvent | undefined) => {
    if (read.version !== state.version) return false;
    state = next;
    if (event !== undefined) events.push(event);
    return true;
  },
};
const document = <Settings>(settings: Settings) => ({
  current: async () => ({ version: 1, settings, createdAt: null, createdBy: null }),
});
const team = {
  ...createTeamSchema.parse({ name: 'Shop', budget: { usd: 50, period: 'calendarMonth' } }),
  id: 'team_1',
  createdAt: '2026-01-01T00:00:00.000Z',
};

const run = (change: object = {}) =>
  reportMonth({
    ...{ states, aggregates, timeZone: 'UTC', topicArns: [TOPIC], aggregateDays: 400 },
    clock: { now: () => now },
    keys: { getMany: async () => [] },
    teams: document({ teams: [team] }),
    policies: document({}),
    ...change,
  });

async function count(time: string, fields: Partial<RequestRecord>, amount = 1): Promise<void> {
  const deliveries = Array.from({ length: amount }, () => {
    position += 1;
    return { position: String(position), record: recordOf({ id: `req_${position}`, time, ...fields }) };
  });
  const options = { store: aggregates, now: () => now, aggregateDays: 400, sessionDays: 30 };
  await countRecords({ source: 'test', deliveries }, options);
}

const months = () => events.map(({ data }) => (data as { month: string }).month);

describe('the report of a month', () => {
  test('is emitted once it is over and counted, and not for months before the first run', async () => {
    await run();
    now = ms('2026-12-01T00:59:59Z');
    expect([await run(), months()]).toEqual([undefined, []]);
    now = ms('2026-12-01T01:00:00Z');
    expect([await run(), await run(), months()]).toEqual(['2026-11', undefined, ['2026-11']]);
    now = ms('2027-01-01T01:00:00Z');
    expect([await run(), await run(), months()]).toEqual(['2026-12', undefined, ['2026-11', '2026-12']]);
  });

  test('is emitted once by several runs at a time', async () => {
    await Promise.all([run(), run()]);
    now = ms('2026-12-05T00:00:00Z');
    await Promise.all([run(), run(), run()]);
    expect(months()).toEqual(['2026-11']);
  });

  test('is emitted by a later run where one fails, and month by month after a long absence', async () => {
    await run();
    now = ms('2027-02-02T00:00:00Z');
    const range = async () => Promise.reject(new StoreUnavailable('aggregates table'));
    await expect(run({ aggregates: { range } })).rejects.toThrow(StoreUnavailable);
    expect(months()).toEqual([]);
    for (let at = 0; at < 5; at += 1) await run();
    expect(months()).toEqual(['2026-11', '2026-12', '2027-01']);
  });

  test('is left out where its totals are no longer kept, and says nothing of such a month before', async () => {
    await run();
    await count('2027-02-10T00:00:00.000Z', { costUsd: 3 });
    now = ms('2027-03-02T00:00:00Z');
    for (let at = 0; at < 5; at += 1) await run({ aggregateDays: 40 });
    expect(months()).toEqual(['2027-02']);
    expect(events[0]?.data).toMatchObject({ costUsd: 3, previousUsd: null });
    events = [];
    now = ms('2027-04-02T00:00:00Z');
    await run({ aggregateDays: 20 });
    expect(months()).toEqual([]);
  });

  test('is of the months of its time zone, also where clocks change', async () => {
    const timeZone = 'Europe/Berlin';
    await run({ timeZone });
    await count('2026-10-31T22:30:00.000Z', { costUsd: 100 });
    await count('2026-10-31T23:00:00.000Z', { costUsd: 1 });
    await count('2026-11-30T22:59:00.000Z', { costUsd: 2 });
    await count('2026-11-30T23:00:00.000Z', { costUsd: 100 });
    now = ms('2026-11-30T23:59:59Z');
    expect(await run({ timeZone })).toBeUndefined();
    now += 1_000;
    expect(await run({ timeZone })).toBe('2026-11');
    expect(events[0]?.data).toMatchObject({
      ...{ month: '2026-11', timeZone, costUsd: 3, previousUsd: 100 },
      ...{ from: '2026-10-31T23:00:00.000Z', to: '2026-11-30T23:00:00.000Z' },
    });
  });

  test('has totals by team with its name and budget, and by the other groups; what is not known is named, and not zero', async () => {
    await run();
    await count('2026-11-11T10:00:00.000Z', { costUsd: 2, teamId: 'team_1', provider: 'openai', model: 'gpt-x' }, 3);
    await count('2026-11-12T10:00:00.000Z', { costUsd: null, model: 'new', unknownCharges: ['tokens'] });
    now = ms('2026-12-01T02:00:00Z');
    await run();
    expect(events).toMatchObject([
      {
        id: expect.stringMatching(/^evt_/),
        type: 'spend.report',
        data: {
          ...{ month: '2026-11', requests: 4, costUsd: 6, unpriced: 1, unknownCharges: { tokens: 1 }, previousUsd: 0 },
          byTeam: {
            groups: 2,
            rows: [
              {
                ...{ group: 'team_1', label: 'Shop', requests: 3, costUsd: 6 },
                budget: { usd: 50, period: 'calendarMonth', monthUsd: 50 },
              },
              { group: null, label: null, requests: 1, costUsd: null, unknownCharges: { tokens: 1 }, budget: null },
            ],
          },
          byModel: { groups: 2, rows: [{ group: 'gpt-x' }, { group: 'new', costUsd: null }] },
          topicArns: [TOPIC],
        },
      },
    ]);
  });

  test('has the twenty groups with the highest cost and their number, so that it is sent whole', async () => {
    await run();
    const name = 'm'.repeat(200);
    for (let at = 0; at < 60; at += 1) {
      const of = { keyId: `key_${at}`, model: `${name}${at}`, provider: `${name}${at}`, environment: `${name}${at}` };
      await count(new Date(ms('2026-11-11T10:00:00Z') + at * HOUR_MS).toISOString(), { costUsd: at, ...of });
    }
    now = ms('2026-12-01T02:00:00Z');
    await run();
    const [event] = events as [GatewayEvent & { data: Record<string, unknown> }];
    expect(event.data.byModel).toMatchObject({ groups: 60 });
    expect((event.data.byModel as { rows: { group: string }[] }).rows.map(({ group }) => group)).toEqual(
      Array.from({ length: 20 }, (_, at) => `${name}${59 - at}`),
    );
    expect(eventBody(event)).not.toContain('"omitted"');
  });
});
