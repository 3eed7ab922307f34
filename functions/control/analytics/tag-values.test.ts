import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { RequestRecord } from '../../kernel/model/index.ts';
import { HOUR_MS } from './cells.ts';
import { countRecords } from './count-records.ts';
import { MemoryAggregates } from './memory-aggregates.fixture.ts';
import { summarize } from './query-aggregates.ts';
import { recordOf, T0 } from './record.fixture.ts';
import { MAX_TAG_NAMES, MAX_TAG_VALUES } from './tag-values.ts';

const HOUR = Math.floor(T0 / HOUR_MS) * HOUR_MS;
const byTag = (name: string) => ({ fromMs: HOUR, toMs: HOUR + HOUR_MS, groupBy: `tag:${name}` as const });

function counterOf(store: MemoryAggregates) {
  const many: string[] = [];
  const deps = { store, now: () => T0, aggregateDays: 400, sessionDays: 30 };
  const count = (records: readonly RequestRecord[], source = 'shard-1', first = 1) =>
    countRecords(
      { source, deliveries: records.map((record, at) => ({ position: String(first + at), record })) },
      { ...deps, onManyTags: (tag) => many.push(tag) },
    );
  return { count, many };
}

const tagged = (count: number, prefix = 'v', keyId = 'key_1') =>
  Array.from({ length: count }, (_, at) => recordOf({ keyId, requestTags: { feature: `${prefix}${at}` } }));

describe('values of a tag of requests', () => {
  it('beyond 1,000 a day count as other, with a warning, and the same when they are delivered again', async () => {
    const store = new MemoryAggregates();
    const { count, many } = counterOf(store);
    const records = tagged(MAX_TAG_VALUES + 3);
    await count(records);
    // Another process knows none of the values, and has another source.
    const again = counterOf(store);
    await again.count(records);
    await again.count(tagged(2, 'new'), 'shard-2');
    const { groups = [], requests } = await summarize(byTag('feature'), store);
    expect([requests, groups.length]).toEqual([MAX_TAG_VALUES + 5, MAX_TAG_VALUES + 1]);
    expect(groups[0]).toMatchObject({ group: 'other', requests: 5 });
    expect(new Set(many)).toEqual(new Set(['feature']));
  });

  it('of the key have no such bound, and no request takes their room', async () => {
    const store = new MemoryAggregates();
    await counterOf(store).count([...tagged(MAX_TAG_VALUES), recordOf({ keyId: 'key_2', tags: { feature: 'shop' } })]);
    const { groups = [] } = await summarize(byTag('feature'), store);
    expect(groups.map(({ group }) => group)).toContain('shop');
  });

  it('of one team, and of keys without one, take no room of another team', async () => {
    const store = new MemoryAggregates();
    const of = (teamId: string, amount: number) =>
      tagged(amount, `${teamId}-`).map((record) => ({ ...record, teamId, keyId: `key_${teamId}` }));
    const { count, many } = counterOf(store);
    await count([...of('team_a', MAX_TAG_VALUES + 2), ...tagged(1), ...of('team_b', 3)]);
    const groups = (await summarize(byTag('feature'), store)).groups?.map(({ group }) => group) ?? [];
    expect(groups).toHaveLength(MAX_TAG_VALUES + 1 + 1 + 3);
    expect(groups).toEqual(expect.arrayContaining(['other', 'v0', 'team_b-0', 'team_b-1', 'team_b-2']));
    expect(many).toEqual(['feature']);
  });

  it('have no totals under a name beyond those of its key on that day', async () => {
    const store = new MemoryAggregates();
    const names = Array.from({ length: MAX_TAG_NAMES + 1 }, (_, at) => recordOf({ requestTags: { [`n${at}`]: 'v' } }));
    await counterOf(store).count(names);
    await counterOf(store).count([recordOf({ keyId: 'key_2', requestTags: { mine: 'v' } })], 'shard-2');
    const groups = async (name: string) => (await summarize(byTag(name), store)).groups?.map(({ group }) => group);
    expect(await groups('n0')).toContain('v');
    expect(await groups(`n${MAX_TAG_NAMES}`)).toEqual([null]);
    expect(await groups('mine')).toContain('v');
  });

  it('are the same for concurrent sources, which together distinguish at most 1,000', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 600 }), { minLength: 2, maxLength: 4 }), async (sizes) => {
        const store = new MemoryAggregates();
        await Promise.all(sizes.map((size, at) => counterOf(store).count(tagged(size, `s${at}-`), `shard-${at}`)));
        const { groups = [] } = await summarize(byTag('feature'), store);
        const all = sizes.reduce((sum, size) => sum + size, 0);
        expect(groups.reduce((sum, { requests }) => sum + requests, 0)).toBe(all);
        expect(groups.filter(({ group }) => group !== 'other')).toHaveLength(Math.min(all, MAX_TAG_VALUES));
      }),
      { numRuns: 5 },
    ));

  it('cost one write when they are new, and no call when they are known', async () => {
    const store = new MemoryAggregates();
    const { count } = counterOf(store);
    const calls: string[] = [];
    const read = store.read.bind(store);
    store.read = (keys) => {
      calls.push(...keys.map(({ pk }) => pk).filter((pk) => pk.startsWith('tags#')));
      return read(keys);
    };
    await count(tagged(5));
    const first = calls.length;
    await count(tagged(5), 'shard-1', 6);
    await count([recordOf()], 'shard-1', 11);
    expect([first, calls.length]).toEqual([2, 2]);
  });
});
