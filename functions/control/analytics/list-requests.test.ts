import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { OUTCOMES, type RequestRecord } from '../../kernel/model/index.ts';
import { listRequests, type RequestFilter } from './list-requests.ts';
import { anyRecord, recordOf, T0 } from './record.fixture.ts';
import type { RecordQuery, RequestRecordReader } from './request-records.ts';
import { Totals } from './totals.ts';

/** Newest first; counts what is read. */
function readerOf(records: readonly RequestRecord[]) {
  const reads: number[] = [];
  const reader: Pick<RequestRecordReader, 'page'> = {
    async page({ from = '', to = '~' }: RecordQuery, limit, after) {
      const within = records.filter(({ time }) => time >= from && time < to);
      const start =
        after === undefined ? 0 : within.findIndex(({ id }) => `${id}~` === after.id || id === after.id) + 1;
      const rows = within.slice(start, start + limit).map((record) => ({ record, marks: {} }));
      reads.push(rows.length);
      const last = rows.at(-1)?.record;
      const hasMore = start + limit < within.length;
      return { rows, read: rows.length, next: hasMore && last ? { time: last.time, id: last.id } : undefined };
    },
  };
  return { reads, reader: reader as RequestRecordReader };
}
const many = (count: number, fields: (at: number) => Partial<RequestRecord> = () => ({})) =>
  Array.from({ length: count }, (_, at) => recordOf({ time: new Date(T0 - at).toISOString(), ...fields(at) }));
const numbersOf = (items: readonly RequestRecord[]) => items.map(({ time }) => T0 - Date.parse(time));

const RECORDS = many(12, (at) => ({
  provider: at % 2 === 0 ? 'openai' : 'anthropic',
  route: at % 3 === 0 ? '/v1/embeddings' : '/v1/chat/completions',
  status: [200, 400, 429, 500, null][at % 5] ?? null,
  errorCode: at % 5 === 2 ? 'rate_limit_exceeded' : null,
  traceId: String(at),
  threatScore: at / 20,
  latencyMs: at * 100,
  timeToFirstTokenMs: at < 6 ? null : at * 10,
  tokens: { input: at, output: at % 2 === 0 ? at : null },
  costUsd: at === 11 ? null : at / 1_000,
  ...(at < 3 && { cache: at === 1 ? ('hit' as const) : ('miss' as const) }),
  ...(at === 3 && { tool: 'crm/search' }),
  ...(at === 4 && { tool: 'crmx/search' }),
  ...(at >= 8 && { tags: at === 8 ? { team: 'shop', stage: 'a' } : { team: 'lab' } }),
  ...(at >= 10 && { requestTags: { feature: 'chat' }, teamId: 'team_1' }),
}));

it.each<[RequestFilter & object, readonly number[]]>([
  [{ provider: 'anthropic' }, [1, 3, 5, 7, 9, 11]],
  [{ route: '/v1/embeddings' }, [0, 3, 6, 9]],
  [{ status: 4 }, [1, 2, 6, 7, 11]],
  [{ status: 429 }, [2, 7]],
  [{ errorCode: 'rate_limit_exceeded' }, [2, 7]],
  [{ traceId: '4' }, [4]],
  [{ cache: 'miss' }, [0, 2]],
  [{ tool: 'crm/*' }, [3]],
  [{ tool: 'crmx/search' }, [4]],
  [{ minScore: 0.5 }, [10, 11]],
  [{ minLatencyMs: 900 }, [9, 10, 11]],
  [{ minFirstTokenMs: 0 }, [6, 7, 8, 9, 10, 11]],
  [{ minTokens: 12 }, [6, 8, 10]],
  [{ minCostUsd: 0.01 }, [10]],
  [{ tag: [{ name: 'team', value: 'lab' }] }, [9, 10, 11]],
  [
    {
      tag: [
        { name: 'team', value: 'lab' },
        { name: 'feature', value: 'chat' },
      ],
    },
    [10, 11],
  ],
  [{ teamId: 'team_1' }, [10, 11]],
  [{ tag: [{ name: 'team', value: undefined }] }, [8, 9, 10, 11]],
  [{ tag: [{ name: 'constructor', value: undefined }] }, []],
  [{ provider: 'openai', minLatencyMs: 500, status: 2 }, [10]],
  [{ not: [{ provider: 'openai' }] }, [1, 3, 5, 7, 9, 11]],
  [{ not: [{ tag: [{ name: 'team', value: undefined }] }, { status: 429 }] }, [0, 1, 3, 4, 5, 6]],
  [{ status: 4, not: [{ status: 429 }, { minScore: 0.5 }] }, [1, 6]],
])('are filtered by %j', async (filter, expected) => {
  const { reader } = readerOf(RECORDS);
  expect(numbersOf((await listRequests(filter, 100, undefined, reader)).items)).toEqual(expected);
});

it('are listed by outcome exactly as totals count them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyRecord, { maxLength: 30 }), async (records) => {
      const totals = new Totals();
      for (const record of records) totals.add(record);
      const { blocked, flagged, rateLimited, clientErrors, serverErrors } = totals.toFigures();
      const lists = await Promise.all(
        OUTCOMES.map((outcome) => listRequests({ outcome }, 100, undefined, readerOf(records).reader)),
      );
      expect(lists.map(({ items }) => items.length)).toEqual([
        blocked,
        flagged,
        rateLimited,
        clientErrors,
        serverErrors,
      ]);
    }),
  );
});

it.each<[Partial<RequestRecord>, readonly (typeof OUTCOMES)[number][]]>([
  [{}, []],
  [{ state: 'blocked', status: 400, action: 'block' }, ['blocked']],
  [{ action: 'redact' }, ['flagged']],
  [{ state: 'failed', status: 429 }, ['rate_limited']],
  [{ state: 'failed', status: 404 }, ['client_error']],
  [{ state: 'failed', status: 502, action: 'flag' }, ['flagged', 'server_error']],
  [{ state: 'expired', status: null }, ['server_error']],
  [{ state: 'cancelled', status: null }, []],
])('with %j have the outcomes %j', async (fields, expected) => {
  const { reader } = readerOf([recordOf(fields)]);
  const has = async (outcome: (typeof OUTCOMES)[number]) =>
    (await listRequests({ outcome }, 1, undefined, reader)).items.length === 1;
  const found = await Promise.all(OUTCOMES.map(has));
  expect(OUTCOMES.filter((_, at) => found[at])).toEqual(expected);
});

it('are found by id alone, which names the millisecond to read', async () => {
  const ids = [0, 1, 2].map((at) => `req_${(T0 - at).toString(16).padStart(12, '0')}${'ab'.repeat(10)}`);
  const { reader, reads } = readerOf(many(3, (at) => ({ id: ids[at] as string })));
  const found = (id: string, more: object = {}) => listRequests({ id, ...more }, 100, undefined, reader);
  expect((await found(ids[1] as string)).items.map(({ id }) => id)).toEqual([ids[1]]);
  expect(reads).toEqual([1]);
  const outside = { from: new Date(T0).toISOString() };
  expect((await found(ids[1] as string, outside)).items).toEqual([]);
});

it('are read up to 10,000 for a page without a match, in few calls; the next page continues there', async () => {
  const records = many(25_000, (at) => (at === 15_000 ? { errorCode: 'rare' } : {}));
  const { reader, reads } = readerOf(records);
  const first = await listRequests({ errorCode: 'rare' }, 100, undefined, reader);
  const readOnce = reads.reduce((sum, read) => sum + read, 0);
  expect(first.items).toEqual([]);
  expect(readOnce).toBeGreaterThan(9_000);
  expect(readOnce).toBeLessThanOrEqual(10_000);
  expect(reads.length).toBeLessThan(16);
  expect(first.next?.time).toBe(records[readOnce - 1]?.time);
  const second = await listRequests({ errorCode: 'rare' }, 100, first.next, reader);
  expect(numbersOf(second.items)).toEqual([15_000]);
});
