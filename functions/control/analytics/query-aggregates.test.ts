import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { GROUPS, type RequestRecord } from '../../kernel/model/index.ts';
import { ceilTo, DAY_MS, floorTo, HOUR_MS, MINUTE_MS } from './cells.ts';
import { countRecords } from './count-records.ts';
import { MemoryAggregates } from './memory-aggregates.fixture.ts';
import { type AggregateQuery, seriesOf, summarize } from './query-aggregates.ts';
import { anyRecord, recordOf, T0 } from './record.fixture.ts';
import { Totals } from './totals.ts';

async function storeOf(records: readonly RequestRecord[]): Promise<MemoryAggregates> {
  const store = new MemoryAggregates();
  const deliveries = records.map((record, at) => ({ position: String(at + 1), record }));
  const deps = { store, now: () => T0, aggregateDays: 400, sessionDays: 30 };
  await countRecords({ source: 'shard-1', deliveries }, deps);
  return store;
}

const FIRST = floorTo(T0, 'hour');
const anyQuery: fc.Arbitrary<AggregateQuery> = fc
  .record({
    start: fc.integer({ min: -3, max: 60 }),
    hours: fc.integer({ min: 1, max: 80 }),
    environment: fc.constantFrom(undefined, undefined, 'Production', 'canary#1'),
    keyId: fc.constantFrom(undefined, undefined, 'key_1', 'key_none'),
    endUserId: fc.constantFrom(undefined, undefined, undefined, 'ann', 'bob#2'),
    model: fc.constantFrom(undefined, undefined, 'gpt-4o'),
    teamId: fc.constantFrom(undefined, undefined, 'team_1', 'team_none'),
    tag: fc.constantFrom(undefined, undefined, { name: 'app', value: 'shop' }, { name: 'tier', value: undefined }),
    groupBy: fc.constantFrom(undefined, ...GROUPS, 'tag:app' as const, 'tag:tier' as const, 'tag:none' as const),
  })
  // Not counted: docs/spend.md.
  .filter(({ tag, groupBy, endUserId }) => {
    const name = groupBy?.startsWith('tag:') ? groupBy.slice('tag:'.length) : tag?.name;
    const isByEndUser = endUserId !== undefined || groupBy === 'endUserId';
    return name === undefined || (!isByEndUser && (tag === undefined || tag.name === name));
  })
  .map(({ start, hours, ...rest }) => ({
    fromMs: FIRST + start * HOUR_MS,
    toMs: FIRST + (start + hours) * HOUR_MS,
    ...rest,
  }));

function matching(records: readonly RequestRecord[], query: AggregateQuery): RequestRecord[] {
  return records.filter((record) => {
    const at = Date.parse(record.time);
    const named = (['environment', 'keyId', 'endUserId', 'model', 'teamId'] as const).every(
      (name) => query[name] === undefined || record[name] === query[name],
    );
    const tags = tagsOf(record);
    const { tag } = query;
    const tagged = tag === undefined || (tag.value === undefined ? tag.name in tags : tags[tag.name] === tag.value);
    return named && tagged && at >= query.fromMs && at < query.toMs;
  });
}

function tagsOf({ tags, requestTags }: RequestRecord): Readonly<Record<string, string>> {
  return { ...requestTags, ...tags };
}

function figuresOf(records: readonly RequestRecord[]) {
  const totals = new Totals();
  for (const record of records) totals.add(record);
  return totals.toFigures();
}

/** The groups that a request is in, by counting it again. */
function groupsOf(record: RequestRecord, { groupBy }: AggregateQuery): (string | null)[] {
  if (groupBy === undefined) return [];
  if (groupBy === 'threatType') return Object.keys(record.threats);
  // A request without an end user is in no group of end users.
  if (groupBy === 'endUserId' && record.endUserId === null) return [];
  if (groupBy.startsWith('tag:')) return [tagsOf(record)[groupBy.slice('tag:'.length)] ?? null];
  return [record[groupBy as 'keyId' | 'teamId'] ?? null];
}

describe('a summary', () => {
  it('is what a recount of the records gives, whatever is asked for', () =>
    fc.assert(
      fc.asyncProperty(fc.array(anyRecord, { maxLength: 40 }), anyQuery, async (records, query) => {
        const { groups, object: _, from: __, to: ___, ...figures } = await summarize(query, await storeOf(records));
        const found = matching(records, query);
        expect(figures).toEqual(figuresOf(found));
        const names = new Set(found.flatMap((record) => groupsOf(record, query)));
        const expected = [...names].map((group) => ({
          group,
          ...figuresOf(found.filter((record) => groupsOf(record, query).includes(group))),
        }));
        expect(groups ?? []).toHaveLength(expected.length);
        expect(groups ?? []).toEqual(expect.arrayContaining(expected));
      }),
      { numRuns: 150 },
    ));

  it('knows no price where no price is known, and 0 where nothing was used', async () => {
    const of = async (records: RequestRecord[]) =>
      summarize({ fromMs: FIRST, toMs: FIRST + HOUR_MS }, await storeOf(records));
    const unpriced = recordOf({ costUsd: null });
    expect(await of([unpriced, unpriced])).toMatchObject({ costUsd: null, unpriced: 2 });
    expect(await of([unpriced, recordOf({ costUsd: 0.5 })])).toMatchObject({ costUsd: 0.5, unpriced: 1 });
    expect(await of([])).toMatchObject({ requests: 0, costUsd: 0, unpriced: 0, latencyMs: { p50: null } });
  });

  it('by key reads a key each where a filter asks for it, and refuses more of them than it can', async () => {
    const keys = (count: number) => Array.from({ length: count }, (_, at) => recordOf({ keyId: `key_${at}` }));
    const query = { fromMs: FIRST, toMs: FIRST + HOUR_MS, environment: 'Production', groupBy: 'keyId' } as const;
    expect((await summarize(query, await storeOf(keys(500)))).groups).toHaveLength(500);
    const tooMany = summarize(query, await storeOf(keys(501)));
    await expect(tooMany).rejects.toMatchObject({ code: 'invalid_value', param: 'groupBy' });
    const { environment: _, ...unfiltered } = query;
    expect((await summarize(unfiltered, await storeOf(keys(501)))).groups).toHaveLength(501);
  });
});

const byMinute = fc
  .record({ start: fc.integer({ min: -90, max: 90 }), minutes: fc.integer({ min: 1, max: 360 }) })
  .chain(({ start, minutes }) =>
    fc.record({
      fromMs: fc.constant(FIRST + start * MINUTE_MS),
      toMs: fc.constant(FIRST + (start + minutes) * MINUTE_MS),
      isByMinute: fc.constant(true),
      environment: fc.constantFrom(undefined, 'Production'),
      model: fc.constantFrom(undefined, 'gpt-4o'),
      groupBy: fc.constantFrom(undefined, 'model' as const, 'threatType' as const),
    }),
  );

describe('minutes', () => {
  it('add up to a recount of the records of exactly these minutes', () =>
    fc.assert(
      fc.asyncProperty(fc.array(anyRecord, { maxLength: 40 }), byMinute, async (records, query) => {
        const near = records.map((record, at) => ({
          ...record,
          time: new Date(FIRST + at * 7 * MINUTE_MS + at).toISOString(),
        }));
        const store = await storeOf(near);
        const found = matching(near, query);
        const { groups = [], object: _, from: __, to: ___, ...figures } = await summarize(query, store);
        expect(figures).toEqual(figuresOf(found));
        const { data } = await seriesOf({ ...query, groupBy: undefined }, '1m', store);
        expect(data).toHaveLength((query.toMs - query.fromMs) / MINUTE_MS);
        for (const { time, ...one } of data) {
          expect(one).toEqual(figuresOf(found.filter((record) => record.time.slice(0, 16) === time.slice(0, 16))));
        }
        if (query.groupBy !== 'model') return;
        expect(groups.reduce((sum, { requests }) => sum + requests, 0)).toBe(found.length);
      }),
      { numRuns: 60 },
    ));

  it('are kept for two days, hours and days as long as the setting says', async () => {
    const store = await storeOf([recordOf()]);
    const kept = new Map(
      [...store.kept.values()].map(({ aggregate: { key }, expiresAt }) => [key.pk.split('#')[0], expiresAt]),
    );
    const days = (interval: string) => ((kept.get(interval) ?? 0) * 1_000 - T0) / DAY_MS;
    expect(days('minute')).toBeCloseTo(2, 1);
    expect(days('hour')).toBeGreaterThan(399);
  });
});

describe('a series', () => {
  it('has each interval once, in order, and adds up to the summary', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(anyRecord, { maxLength: 30 }),
        anyQuery,
        fc.constantFrom('hour' as const, 'day' as const),
        async (records, query, interval) => {
          const { data } = await seriesOf(query, interval, await storeOf(records));
          const length = interval === 'hour' ? HOUR_MS : DAY_MS;
          const found = matching(records, query);
          for (const { time, group, ...figures } of data) {
            const start = Date.parse(time);
            const within = found.filter(({ time: at }) => Date.parse(at) >= start && Date.parse(at) < start + length);
            const ofGroup = within.filter((record) => groupsOf(record, query).includes(group ?? null));
            expect(figures).toEqual(figuresOf(query.groupBy === undefined ? within : ofGroup));
          }
          const times = data.map(({ time }) => time);
          expect(times).toEqual([...times].sort());
          if (query.groupBy !== undefined) return;
          const all = (ceilTo(query.toMs, interval) - floorTo(query.fromMs, interval)) / length;
          expect(new Set(times).size).toBe(all);
          expect(data).toHaveLength(all);
        },
      ),
      { numRuns: 100 },
    ));
});
