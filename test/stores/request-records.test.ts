import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createDynamoClient, TRY_ONCE } from '../../functions/adapters/aws/clients.ts';
import { DynamoEndUserData } from '../../functions/adapters/dynamo/dynamo-end-user-data.ts';
import { DynamoRecordReader, DynamoRequestRecords } from '../../functions/adapters/dynamo/dynamo-request-records.ts';
import { UndiciHttpClient } from '../../functions/adapters/http/undici-http-client.ts';
import { DAY_MS, listRequests, listThreats } from '../../functions/control/analytics/index.ts';
import { recordOf } from '../../functions/control/analytics/record.fixture.ts';
import type { HttpClient } from '../../functions/kernel/http/index.ts';
import type { RequestRecord } from '../../functions/kernel/model/index.ts';
import { embeddedAccess } from '../../lib/local/create-resources.ts';
import { clock, FINDING, idsOf, iso, ownWorld, SETTINGS, startAnalytics } from './analytics-setup.ts';
import { availableEngines } from './engines.ts';

const http = new UndiciHttpClient();
const randomId = () => `req_${randomBytes(16).toString('hex')}`;

describe.each(availableEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  const { url, client, reader, writeAll } = startAnalytics(engine);

  describe('records', () => {
    it.each([0, 5])('are stored once each, newest first, written singly or in batches (%d ms)', async (lingerMs) => {
      const { key, start } = ownWorld();
      const records = Array.from({ length: 60 }, (__, at) => recordOf({ keyId: key, time: iso(start + at) }));
      await writeAll([...records].reverse(), { lingerMs });
      // The same write again, as after a lost response.
      await writeAll(records.slice(0, 30), { lingerMs: 0 });
      const { items, next } = await listRequests({ keyId: key }, 100, undefined, reader());
      expect(items).toEqual([...records].reverse());
      expect(next).toBeUndefined();
    });

    it('are found by key, end user, range, environment and model', async () => {
      const { key, user, start } = ownWorld();
      const records = Array.from({ length: 40 }, (__, at) =>
        recordOf({
          keyId: at % 2 === 0 ? key : `${key}b`,
          endUserId: at % 3 === 0 ? user : null,
          environment: at % 5 === 0 ? 'Staging' : 'Production',
          model: at % 7 === 0 ? 'gpt-4o' : 'echo',
          time: iso(start + at * 1000),
        }),
      );
      await writeAll(records);
      const range = { from: iso(start), to: iso(start + 40_000) };
      const newestFirst = [...records].reverse();
      const find = async (filter: object) =>
        idsOf((await listRequests({ ...range, ...filter }, 100, undefined, reader())).items);
      const expected = (test: (record: RequestRecord) => boolean) => idsOf(newestFirst.filter(test));
      expect(await find({})).toEqual(expected(() => true));
      expect(await find({ keyId: key })).toEqual(expected((record) => record.keyId === key));
      expect(await find({ endUserId: user })).toEqual(expected((record) => record.endUserId === user));
      expect(await find({ keyId: key, endUserId: user, environment: 'Staging' })).toEqual(
        expected((record) => record.keyId === key && record.endUserId === user && record.environment === 'Staging'),
      );
      expect(await find({ model: 'gpt-4o' })).toEqual(expected((record) => record.model === 'gpt-4o'));
      expect(await find({ from: iso(start + 5_000), to: iso(start + 9_000) })).toEqual(
        idsOf(records.slice(5, 9).reverse()),
      );
      expect(await find({ keyId: 'key_none' })).toEqual([]);
    });

    it('are each on one page, in order, while others are added', async () => {
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 0, max: 50 }), async (limit, length) => {
          const { key, start } = ownWorld();
          // Many at the same millisecond.
          const records = Array.from({ length }, (__, at) => recordOf({ keyId: key, time: iso(start + (at % 7)) }));
          await writeAll(records);
          const seen: string[] = [];
          let after: Parameters<typeof listRequests>[2];
          for (let pages = 0; pages <= length + 1; pages += 1) {
            const page = await listRequests({ keyId: key }, limit, after, reader());
            expect(page.items.length).toBeLessThanOrEqual(limit);
            seen.push(...idsOf(page.items));
            after = page.next;
            if (after === undefined) break;
            await writeAll([recordOf({ keyId: key, time: iso(start + 100 + pages) })]);
          }
          const order = (record: RequestRecord) => `${record.time} ${record.id}`;
          const expected = [...records].sort((a, b) => (order(a) < order(b) ? 1 : -1));
          expect(seen).toEqual(idsOf(expected));
        }),
        { numRuns: 8 },
      );
    });

    it('are listed by finding, each with its mark, on pages that end within a request', async () => {
      const { key, start } = ownWorld();
      const records = Array.from({ length: 9 }, (__, at) =>
        recordOf({ keyId: key, time: iso(start + at), findings: Array.from({ length: at % 4 }, () => FINDING) }),
      );
      await writeAll(records);
      const found: string[] = [];
      let after: Parameters<typeof listThreats>[2];
      do {
        const page = await listThreats({ keyId: key }, 2, after, reader());
        found.push(...idsOf(page.items));
        after = page.next;
      } while (after !== undefined);
      const expected = [...records]
        .reverse()
        .flatMap(({ id, findings }) => findings.map((__, finding) => [id.slice('req_'.length), finding].join('_')));
      expect(found.map((id) => id.replace(/^thr_[0-9a-z]+_/, ''))).toEqual(expected);

      const marked = records[3] as RequestRecord;
      await Promise.all([reader().mark(marked, 0, 'false_positive'), reader().mark(marked, 2, 'confirmed')]);
      const marks = async () =>
        (await listThreats({ keyId: key }, 100, undefined, reader())).items
          .filter(({ requestId }) => requestId === marked.id)
          .map(({ mark }) => mark);
      expect(await marks()).toEqual(['false_positive', null, 'confirmed']);
      await reader().mark(marked, 0, null);
      expect(await marks()).toEqual([null, null, 'confirmed']);
    });

    it('are in lists that grow while records of before and after are written and read, whole and compact', async () => {
      const { key, user, start } = ownWorld();
      const shards = [{ from: iso(start + 50), count: 32 }];
      const records = Array.from({ length: 100 }, (__, at) =>
        recordOf({ keyId: key, endUserId: user, time: iso(start + at), id: randomId(), findings: [FINDING] }),
      );
      const old = records.filter((__, at) => at % 2 === 0);
      const others = records.filter((__, at) => at % 2 === 1);
      await Promise.all([
        writeAll(old, { lingerMs: 5, shards }),
        writeAll(others, { lingerMs: 5, shards, form: 'compact' }),
      ]);
      const grown = new DynamoRecordReader(client(), 'records', clock, shards);
      const all = await listRequests({ keyId: key }, 200, undefined, grown);
      expect(all.items).toEqual([...records].reverse());
      const before = await listRequests({ keyId: key, to: iso(start + 50) }, 200, undefined, grown);
      expect(before.items).toEqual(records.slice(0, 50).reverse());
      // Processes that do not know the growth yet.
      expect((await listRequests({ keyId: key, to: iso(start + 50) }, 200, undefined, reader())).items).toHaveLength(
        50,
      );
      for (const at of [49, 50, 99]) {
        const record = records[at] as RequestRecord;
        expect(await grown.read(record)).toEqual({ record, marks: {} });
        expect(await grown.mark(record, 0, 'confirmed')).toEqual({ record, marks: { 0: 'confirmed' } });
      }
      const tables = { records: 'records', aggregates: 'aggregates', sessions: 'sessions', captures: 'captures' };
      const data = new DynamoEndUserData(client(), tables, clock, shards);
      expect(await data.deleteEndUser(user)).toMatchObject({ records: 100, captures: 0 });
      expect((await listRequests({ keyId: key }, 200, undefined, grown)).items).toEqual([]);
    });

    it('are read singly, and cannot be marked after their record has expired', async () => {
      const { key, start } = ownWorld();
      const record = recordOf({ keyId: key, time: iso(start), findings: [FINDING] });
      await writeAll([record]);
      expect(await reader().read(record)).toEqual({ record, marks: {} });
      expect(await reader().read({ ...record, id: recordOf().id })).toBeUndefined();
      expect(await reader(start + 31 * DAY_MS).read(record)).toBeUndefined();
      expect(await reader().mark({ ...record, id: recordOf().id }, 0, 'confirmed')).toBeUndefined();
    });

    it('are not returned after they expired, even if the store has not deleted them', async () => {
      const { key, start } = ownWorld();
      await writeAll([recordOf({ keyId: key, time: iso(start) })]);
      const listed = async (now: number) =>
        (await listRequests({ keyId: key }, 1, undefined, reader(now))).items.length;
      expect([await listed(start + 30 * DAY_MS - 1000), await listed(start + 30 * DAY_MS + 1000)]).toEqual([1, 0]);
    });

    it('are written singly if a batch fails, and never twice', async () => {
      const { key, start } = ownWorld();
      // Takes the batch, and never says so.
      const forgetful: HttpClient = {
        send: async (request) => {
          const response = await http.send(request);
          if (!request.headers['x-amz-target']?.endsWith('BatchWriteItem')) return response;
          return { ...response, status: 500, headers: {}, body: response.body };
        },
      };
      const together = createDynamoClient({ ...embeddedAccess(url()), http: forgetful, retries: TRY_ONCE });
      const log = new DynamoRequestRecords({ together, alone: client() }, 'records', { ...SETTINGS, lingerMs: 5 });
      const records = Array.from({ length: 30 }, (__, at) => recordOf({ keyId: key, time: iso(start + at) }));
      await Promise.all(records.map((record) => log.write(record)));
      expect(idsOf((await listRequests({ keyId: key }, 100, undefined, reader())).items)).toEqual(
        idsOf(records).reverse(),
      );
    });
  });
});
