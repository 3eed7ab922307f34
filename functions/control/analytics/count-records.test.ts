import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { RequestRecord, Session } from '../../kernel/model/index.ts';
import { startOf } from './cells.ts';
import { assertCountable, type Batch, countRecords, forgottenKey } from './count-records.ts';
import { MemoryAggregates } from './memory-aggregates.fixture.ts';
import { summarize } from './query-aggregates.ts';
import { anyRecord, recordOf, T0 } from './record.fixture.ts';
import { type SessionValue, sessionKey, toSession } from './sessions.ts';
import { type CellValue, Totals } from './totals.ts';

const depsOf = (store: MemoryAggregates) => ({ store, now: () => T0, aggregateDays: 400, sessionDays: 30 });

function batchOf(records: readonly RequestRecord[], source = 'shard-1', first = 1): Batch {
  return { source, deliveries: records.map((record, at) => ({ position: String(first + at), record })) };
}

/** The figures in a store: of cells by their key, of sessions in the API's form. */
function contents(store: MemoryAggregates): Record<string, unknown> {
  const rows = [...store.kept].map(([name, { value }]) => {
    if (name.startsWith('tags#')) return [name, [...(value as { digests: string }).digests].sort().join('')];
    if (name.startsWith('session#')) return [name, told(toSession(value as SessionValue))];
    return [name, Totals.from((value as CellValue).totals).toFigures()];
  });
  return Object.fromEntries(rows.sort(([a], [b]) => ((a as string) < (b as string) ? -1 : 1)));
}

/** Without what depends on the order of counting: that of the names, and the last digit of a sum of fractions. */
function told({ models, appVersions, threatScore, ...session }: Session): object {
  const accumulated = threatScore.accumulated.toFixed(2);
  return { ...session, models: [...models].sort(), appVersions: [...appVersions].sort(), ...threatScore, accumulated };
}

/** Sums of fractions depend on their order. */
function rounded(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, one) => (typeof one === 'number' ? Number(one.toPrecision(9)) : one)));
}

async function countedOnce(sources: readonly (readonly RequestRecord[])[]): Promise<MemoryAggregates> {
  const store = new MemoryAggregates();
  for (const [at, records] of sources.entries()) await countRecords(batchOf(records, `shard-${at}`), depsOf(store));
  return store;
}

/** Delivers a source's records as a stream does: in batches of any size, and again from an earlier one when one failed. */
async function deliver(source: string, records: readonly RequestRecord[], sizes: readonly number[], again: boolean[]) {
  const batches: Batch[] = [];
  for (let at = 0, turn = 0; at < records.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    batches.push(batchOf(records.slice(at, at + size), source, at + 1));
    if (again[turn % again.length]) batches.push(batchOf(records.slice(0, at + size), source, 1));
    at += size;
  }
  return batches;
}

describe('counting records', () => {
  it('into parts of totals adds up to the same, also if there are more parts from some batch on and batches are repeated', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(anyRecord, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 4 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
        fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
        fc.nat(12),
        fc.integer({ min: 2, max: 8 }),
        async (sources, sizes, again, partsFrom, totalParts) => {
          const store = new MemoryAggregates();
          let at = 0;
          for (const [source, records] of sources.entries()) {
            for (const batch of await deliver(`shard-${source}`, records, sizes, again)) {
              await countRecords(batch, { ...depsOf(store), ...(at >= partsFrom && { totalParts }) });
              at += 1;
            }
          }
          const whole = await countedOnce(sources);
          const range = { fromMs: T0 - 86_400_000, toMs: T0 + 5 * 86_400_000 };
          for (const query of [
            {},
            { keyId: 'key_1' },
            { groupBy: 'model' },
            { groupBy: 'keyId' },
            { groupBy: 'tag:app' },
          ] as const) {
            const [found, expected] = await Promise.all(
              [store, whole].map((of) => summarize({ ...range, ...query }, of)),
            );
            expect(rounded(found)).toEqual(rounded(expected));
          }
        },
      ),
      { numRuns: 30 },
    ));

  it('counts each exactly once, whatever is delivered again, fails half-way, or is counted by others at the same time', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(anyRecord, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 4 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
        fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
        fc.array(fc.constantFrom(undefined, undefined, undefined, undefined, 'before' as const, 'after' as const), {
          minLength: 1,
          maxLength: 40,
        }),
        async (sources, sizes, again, failures) => {
          const store = new MemoryAggregates();
          let writes = 0;
          let failing = true;
          store.fails = () => (failing ? failures[writes++ % failures.length] : undefined);
          await Promise.all(
            sources.map(async (records, at) => {
              for (const batch of await deliver(`shard-${at}`, records, sizes, again)) {
                for (let tries = 0; ; tries += 1) {
                  // A platform tries until it works.
                  if (tries > 5) failing = false;
                  const done = await countRecords(batch, depsOf(store)).then(
                    () => true,
                    () => false,
                  );
                  if (done) break;
                }
              }
            }),
          );
          const expected = contents(await countedOnce(sources));
          expect(contents(store)).toEqual(expected);
        },
      ),
      { numRuns: 40 },
    ));
});

describe('the aggregates', () => {
  it('of a request are those of its hour and day: all, its key, and its end user; of its minute, all', async () => {
    const store = new MemoryAggregates();
    const record = recordOf({ endUserId: 'ann', sessionId: 'talk', threats: { jailbreak: 2 }, action: 'flag' });
    await countRecords(batchOf([record]), depsOf(store));
    const partitions = [...store.kept.values()].map(({ aggregate: { key } }) => key.pk.replace(/#\d$/, '#n'));
    const each = (scopes: readonly string[]) =>
      ['hour', 'day'].flatMap((interval) => scopes.map((s) => `${interval}#${s}`));
    expect(partitions.sort()).toEqual(
      [
        'session#talk',
        ...['minute#sums#all', 'minute#threats#all'],
        ...each(['sums#all', 'sums#key#key_1', 'sums#keys#n', 'sums#end-user#ann', 'sums#endUsers#n']),
        ...each(['threats#all', 'threats#key#key_1', 'threats#end-user#ann']),
      ].sort(),
    );
    const sorts = [...store.kept.values()].map(({ aggregate: { key } }) => key.sk.replace(/[\w-]{22}$/, '*'));
    expect(new Set(sorts)).toEqual(
      new Set([
        ...['2026-11-21T09:30##*', '2026-11-21T09##*', '2026-11-21##*', 'key_1'],
        ...['2026-11-21T09:30#jailbreak#*', '2026-11-21T09#jailbreak#*', '2026-11-21#jailbreak#*'],
      ]),
    );
  });

  it('are kept as long as is asked for', async () => {
    const store = new MemoryAggregates();
    await countRecords(batchOf([recordOf({ sessionId: 's' })]), depsOf(store));
    const days = 86_400;
    for (const { aggregate } of store.kept.values()) {
      const { key, expiresAt } = aggregate;
      const [bucket = ''] = key.sk.split('#');
      if (key.pk.startsWith('session#')) expect(expiresAt).toBe(T0 / 1000 + 30 * days);
      else expect(expiresAt).toBe(startOf(bucket) / 1000 + (key.pk.startsWith('minute#') ? 2 : 400) * days);
    }
  });

  it('forget sources that have delivered nothing for two days, and only these', async () => {
    const store = new MemoryAggregates();
    let now = T0;
    const count = (source: string, record: RequestRecord) =>
      countRecords(batchOf([record], source), { ...depsOf(store), now: () => now });
    await count('old', recordOf());
    now += 47 * 3_600_000;
    await count('recent', recordOf());
    now += 2 * 3_600_000;
    await count('new', recordOf());
    for (const { value } of store.kept.values()) {
      expect(Object.keys((value as { seen: object }).seen)).toEqual(['recent', 'new']);
    }
  });

  it('tell end users and sessions apart whatever their names hold', async () => {
    const store = new MemoryAggregates();
    const names = ['a', 'a#', 'a#b', '#a', 'sums#all', 'keys#1'];
    await countRecords(batchOf(names.map((endUserId) => recordOf({ endUserId, sessionId: endUserId }))), depsOf(store));
    for (const name of names) {
      const [session] = await store.read([sessionKey(name, 'key_1')]);
      expect(toSession(session?.value as SessionValue)).toMatchObject({ id: name, requests: 1 });
      const rows = await store.range(`hour#sums#end-user#${name}`, '', '~');
      expect(rows.map(({ value }) => (value as CellValue).totals.requests)).toEqual([1]);
    }
  });

  it("have as a session's highest score also that of its tool calls", async () => {
    const store = new MemoryAggregates();
    const finding = (type: 'tool_misuse' | 'pii', part: 'input' | 'output', score: number) =>
      ({ type, score, location: { part } }) as RequestRecord['findings'][number];
    const findings = [
      finding('tool_misuse', 'output', 0.8),
      finding('tool_misuse', 'input', 0.9),
      finding('pii', 'output', 1),
    ];
    await countRecords(batchOf([recordOf({ sessionId: 's', turnScore: 0.2, findings })]), depsOf(store));
    const [session] = await store.read([sessionKey('s', 'key_1')]);
    expect(toSession(session?.value as SessionValue).threatScore).toEqual({ highest: 0.8, accumulated: 0 });
  });

  it('hold nothing of an end user whose data was deleted after the request came in', async () => {
    const store = new MemoryAggregates();
    const at = T0 + 1000;
    await store.replace({ key: forgottenKey('ann'), value: { at }, expiresAt: 0 }, undefined);
    const late = recordOf({ endUserId: 'ann', sessionId: 's', time: new Date(at).toISOString() });
    const later = recordOf({ endUserId: 'ann', sessionId: 't', time: new Date(at + 1).toISOString() });
    await countRecords(batchOf([late, later]), depsOf(store));
    expect(await store.read([sessionKey('s', 'key_1')])).toEqual([undefined]);
    expect(toSession((await store.read([sessionKey('t', 'key_1')]))[0]?.value as SessionValue).requests).toBe(1);
    const requestsIn = async (pk: string) =>
      (await store.range(pk, '', '~')).map(({ value }) => (value as CellValue).totals.requests);
    expect([await requestsIn('hour#sums#all'), await requestsIn('hour#sums#end-user#ann')]).toEqual([[2], [1]]);
  });
});

describe('a record', () => {
  const check = (record: unknown) => () => assertCountable(record as RequestRecord, depsOf(new MemoryAggregates()));

  it('that the gateway writes can be counted', () => {
    fc.assert(fc.property(anyRecord, (record) => check(record)()));
  });

  it('with a type of threat that is newer than this code can be counted', () => {
    expect(check({ ...recordOf(), threats: { newer: 1 } })).not.toThrow();
  });

  it.each<[name: string, record: unknown]>([
    ['no object', 7],
    ['a text for tokens', { ...recordOf(), tokens: { input: '9', output: null } }],
    ['no time', { ...recordOf(), time: 'planted' }],
    ['no cost', { ...recordOf(), costUsd: undefined }],
    ['too long an end user', { ...recordOf(), endUserId: 'x'.repeat(2_100) }],
  ])('that has %s cannot, and its fault does not quote it', (_name, record) => {
    expect(check(record)).toThrow(/^(the record has another form|a name in the record is too long)$/);
  });
});
