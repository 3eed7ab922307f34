import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createDynamoClient, type DynamoClient, TRY_ONCE } from '../../functions/adapters/aws/clients.ts';
import { DynamoAggregates } from '../../functions/adapters/dynamo/dynamo-aggregates.ts';
import { DynamoEndUserData } from '../../functions/adapters/dynamo/dynamo-end-user-data.ts';
import {
  DynamoCaptureStore,
  DynamoRecordReader,
  DynamoRequestRecords,
  type RecordSettings,
} from '../../functions/adapters/dynamo/dynamo-request-records.ts';
import { DynamoSessionStore } from '../../functions/adapters/dynamo/dynamo-session-store.ts';
import { UndiciHttpClient } from '../../functions/adapters/http/undici-http-client.ts';
import { cellsOf, DAY_MS, floorTo, HOUR_MS } from '../../functions/core/analytics/cells.ts';
import { countRecords } from '../../functions/core/analytics/count-records.ts';
import { listRequests, listThreats } from '../../functions/core/analytics/list-requests.ts';
import { seriesOf, summarize } from '../../functions/core/analytics/query-aggregates.ts';
import { anyRecord, recordOf, T0 } from '../../functions/core/analytics/record.fixture.ts';
import { findSessions, listSessions } from '../../functions/core/analytics/sessions.ts';
import { Totals } from '../../functions/core/analytics/totals.ts';
import type { HttpClient } from '../../functions/core/base/http-client.ts';
import type { RecordedFinding, RequestRecord } from '../../functions/core/model/analytics.ts';
import { withTurn } from '../../functions/core/sessions/suspicion.ts';
import { type StreamEvent, toBatch } from '../../functions/usage-counter/compose.ts';
import { embeddedAccess } from '../../lib/local/create-resources.ts';
import { startRecordStream } from '../../lib/local/table-streams.ts';
import { availableEngines } from './engines.ts';

const noneUnreadable = (position: string): never => {
  throw new Error(`record ${position} cannot be read`);
};

const clock = { now: () => T0, monotonic: () => 0 };
const SETTINGS: RecordSettings = { keptDays: 30, lingerMs: 0, pendingIndex: false };
const PATIENT = { idleMs: 1_800_000, readWaitMs: 20_000, joinWaitMs: 20_000 };
const http = new UndiciHttpClient();
const FINDING: RecordedFinding = {
  type: 'jailbreak',
  rule: 'jailbreak/persona',
  severity: 'high',
  score: 0.9,
  action: 'flag',
  location: { part: 'input', message: 0, field: 'messages[0].content', start: 0, end: 9 },
};
const iso = (ms: number) => new Date(ms).toISOString();
const idsOf = (records: readonly { id: string }[]) => records.map(({ id }) => id);

/** Names and times that no other test uses: lists and totals are of everybody. */
let tests = 0;
function ownWorld() {
  tests += 1;
  const name = `${process.pid}x${tests}`;
  const start = floorTo(T0, 'day') + tests * 10 * DAY_MS;
  return { key: `key_${name}`, user: `user ${name}`, session: `talk ${name}`, start };
}

describe.each(availableEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  let url = '';
  let stop = async () => {};
  let client: DynamoClient;
  beforeAll(async () => {
    ({ url, stop } = await engine.start());
    client = createDynamoClient(embeddedAccess(url));
  });
  afterAll(async () => {
    await stop();
  });

  const writer = (settings: Partial<RecordSettings> = {}) =>
    new DynamoRequestRecords({ together: client, alone: client }, 'records', { ...SETTINGS, ...settings });
  const reader = (now = T0) => new DynamoRecordReader(client, 'records', { ...clock, now: () => now });
  const aggregates = () => new DynamoAggregates(client, 'aggregates', clock);
  const writeAll = async (records: readonly RequestRecord[], settings: Partial<RecordSettings> = { lingerMs: 5 }) => {
    const log = writer(settings);
    await Promise.all(records.map((record) => log.write(record)));
  };
  const count = (records: readonly RequestRecord[], source = 'shard-1') => {
    const deliveries = records.map((record, at) => ({ position: String(at + 1), record }));
    const deps = { store: aggregates(), now: clock.now, aggregateDays: 4_000, sessionDays: 4_000 };
    return countRecords({ source, deliveries }, deps);
  };

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
      const together = createDynamoClient({ ...embeddedAccess(url), http: forgetful, retries: TRY_ONCE });
      const log = new DynamoRequestRecords({ together, alone: client }, 'records', { ...SETTINGS, lingerMs: 5 });
      const records = Array.from({ length: 30 }, (__, at) => recordOf({ keyId: key, time: iso(start + at) }));
      await Promise.all(records.map((record) => log.write(record)));
      expect(idsOf((await listRequests({ keyId: key }, 100, undefined, reader())).items)).toEqual(
        idsOf(records).reverse(),
      );
    });
  });

  describe('totals', () => {
    it('equal a recount of the records, with several concurrent counters and repeated batches', async () => {
      const { start } = ownWorld();
      const sources = fc.sample(fc.array(anyRecord, { minLength: 10, maxLength: 12 }), 3).map((records) =>
        // Into the days of this test, and under its own keys.
        records.map((record) => ({ ...record, time: iso(start + (Date.parse(record.time) - T0)) })),
      );
      await Promise.all(
        sources.flatMap((records, at) => {
          const source = `shard-${at}`;
          return [count(records.slice(0, 5), source).then(() => count(records, source)), count(records, source)];
        }),
      );
      const query = { fromMs: start, toMs: start + 4 * DAY_MS };
      const totals = new Totals();
      for (const record of sources.flat()) totals.add(record);
      const { object: __, from: ___, to: ____, ...summary } = await summarize(query, aggregates());
      expect(summary).toEqual(totals.toFigures());
      const { data } = await seriesOf(query, 'hour', aggregates());
      expect(data.reduce((sum, { requests }) => sum + requests, 0)).toBe(summary.requests);
    });

    it('do not include the next hour', async () => {
      const { start } = ownWorld();
      await count([recordOf({ time: iso(start + HOUR_MS - 1) }), recordOf({ time: iso(start + HOUR_MS) })]);
      const requests = async (from: number, to: number) =>
        (await summarize({ fromMs: start + from * HOUR_MS, toMs: start + to * HOUR_MS }, aggregates())).requests;
      expect([await requests(0, 1), await requests(1, 2), await requests(0, 24), await requests(2, 48)]).toEqual([
        1, 1, 2, 0,
      ]);
    });
  });

  describe('sessions', () => {
    it('are listed by start, each once, while they continue', async () => {
      const { key, user, start } = ownWorld();
      const named = Array.from({ length: 23 }, (__, at) => `s${at}`);
      const turn = (sessionId: string, ms: number) =>
        recordOf({ keyId: key, endUserId: user, sessionId, time: iso(start + ms), model: 'gpt-4o' });
      await count(named.map((sessionId, at) => turn(sessionId, at)));
      const seen: string[] = [];
      let after: string | undefined;
      do {
        const page = await listSessions({ keyId: key }, 4, after, aggregates());
        seen.push(...idsOf(page.items));
        after = page.next;
        await count([turn(seen.at(-1) as string, 1000), turn('later', 2000)], `more-${seen.length}`);
      } while (after !== undefined);
      expect(seen).toEqual([...named].reverse());
      const all = await listSessions({ endUserId: user, model: 'gpt-4o' }, 100, undefined, aggregates());
      expect(idsOf(all.items)).toEqual(['later', ...seen]);
      const range = { keyId: key, from: iso(start + 3), to: iso(start + 5) };
      expect(idsOf((await listSessions(range, 100, undefined, aggregates())).items)).toEqual(['s4', 's3']);
    });

    it('with the same name are separate for each key', async () => {
      const { key, session, start } = ownWorld();
      await count([key, `${key}b`].map((keyId) => recordOf({ keyId, sessionId: session, time: iso(start) })));
      const found = await findSessions(session, aggregates());
      expect(found.map(({ keyId, requests }) => [keyId, requests])).toEqual([
        [key, 1],
        [`${key}b`, 1],
      ]);
    });
  });

  describe("an end user's data", () => {
    it('is found and deleted completely, without data of others', async () => {
      const { key, user, session, start } = ownWorld();
      const other = `${user} too`;
      const tables = { records: 'records', aggregates: 'aggregates', sessions: 'sessions', captures: 'captures' };
      const data = new DynamoEndUserData(client, tables, { ...clock, now: () => start + DAY_MS });
      const live = new DynamoSessionStore(client, 'sessions', clock, PATIENT);
      const records = [key, `${key}b`].flatMap((keyId) =>
        [user, other].flatMap((endUserId) =>
          Array.from({ length: 20 }, (__, at) =>
            recordOf({
              keyId,
              endUserId,
              sessionId: `${session} ${endUserId}`,
              time: iso(start + at * HOUR_MS),
              threats: { jailbreak: 1 },
              findings: [FINDING],
              capture: at % 2 === 0 ? 'full' : 'none',
            }),
          ),
        ),
      );
      await writeAll(records);
      await count(records);
      for (const endUserId of [user, other]) {
        await live.join(key, endUserId);
        await live.update({ keyId: key, name: `${session} ${endUserId}` }, (known) => withTurn(known, 0.9, T0));
      }
      const before = await data.find(other);
      expect(await data.find(user)).toEqual(before);
      expect(before).toMatchObject({ records: 40, captures: 20, sessions: 3 });
      const captures = new DynamoCaptureStore(client, 'captures', clock, 7);
      const texts = { mode: 'full', request: '{}', answer: [], truncated: false } as const;
      const captured = records.filter(({ capture }) => capture !== 'none');
      for (const { id } of captured) await captures.write(id, texts);

      expect(await data.deleteEndUser(user)).toEqual(before);
      expect(await data.find(user)).toEqual({ records: 0, sessions: 0, aggregates: 0, captures: 0 });
      expect(await data.find(other)).toEqual(before);
      expect(await live.read(key, `${session} ${user}`)).toBeUndefined();
      expect(await live.read(key, `${session} ${other}`)).toMatchObject({ highest: 0.9 });
      const query = { fromMs: start, toMs: start + DAY_MS };
      const by = async (filter: object) => (await summarize({ ...query, ...filter }, aggregates())).requests;
      expect([await by({}), await by({ endUserId: user }), await by({ endUserId: other })]).toEqual([80, 0, 40]);
      const kept = await Promise.all(captured.map(async ({ id, endUserId }) => [endUserId, await captures.read(id)]));
      for (const [endUserId, capture] of kept) expect(capture).toEqual(endUserId === user ? undefined : texts);
      // What the stream had still to deliver.
      await count(records.slice(0, 5), 'late');
      expect(await data.find(user)).toEqual({ records: 0, sessions: 0, aggregates: 0, captures: 0 });
      expect(await by({})).toBe(85);
    });
  });

  describe('the local substitute for a stream', () => {
    it('delivers each record at one position, in order, until it is confirmed, even if it is killed repeatedly', async () => {
      const { key, start } = ownWorld();
      const records = Array.from({ length: 250 }, (__, at) => recordOf({ keyId: key, time: iso(start + at) }));
      const positions = new Map<string, Set<string>>();
      let last = '';
      let calls = 0;
      // One call in 23 is the last of its process, before or after it counted.
      const dying = () => {
        let dead = false;
        return new Proxy(client, {
          get: (target, name) => {
            if (name !== 'send') return Reflect.get(target, name);
            return async (...args: Parameters<typeof client.send>) => {
              calls += 1;
              if (dead || calls % 23 === 0) dead = true;
              if (dead && calls % 2 === 0) throw new Error('killed');
              const answer = await client.send(...args);
              if (dead) throw new Error('killed');
              return answer;
            };
          },
        });
      };
      const deliver = async (event: StreamEvent) => {
        for (const { position, record } of toBatch(event, cellsOf, noneUnreadable).deliveries) {
          if (record.keyId !== key) continue;
          const known = positions.get(record.id) ?? new Set();
          // What comes for the first time comes after everything that came.
          if (known.size === 0) {
            expect(position > last).toBe(true);
            last = position;
          }
          positions.set(record.id, known.add(position));
        }
      };
      const options = { tableName: 'records', deliver, intervalMs: 60_000 };
      for (let written = 0; written < records.length; written += 50) {
        await writeAll(records.slice(written, written + 50), { pendingIndex: true, lingerMs: 5 });
        const stream = startRecordStream({ ...options, client: dying() });
        await stream.drained().catch(() => {});
        await stream.stop();
      }
      const stream = startRecordStream({ ...options, client });
      await stream.drained();
      await stream.stop();
      expect(positions.size).toBe(records.length);
      expect([...positions.values()].every((known) => known.size === 1)).toBe(true);
      expect(new Set([...positions.values()].flatMap((known) => [...known])).size).toBe(records.length);
    });

    it('delivers unconfirmed records again before any later one', async () => {
      const { key, start } = ownWorld();
      const records = Array.from({ length: 130 }, (__, at) => recordOf({ keyId: key, time: iso(start + at) }));
      await writeAll(records, { pendingIndex: true, lingerMs: 5 });
      const seen: string[][] = [];
      let refuse = 3;
      const stream = startRecordStream({
        client,
        tableName: 'records',
        intervalMs: 60_000,
        deliver: async (event) => {
          // A process that starts delivers what the one before it delivered last.
          const own = toBatch(event, cellsOf, noneUnreadable).deliveries.filter(({ record }) => record.keyId === key);
          if (own.length === 0) return;
          seen.push(own.map(({ record }) => record.id));
          refuse -= 1;
          if (refuse >= 0) throw new Error('not now');
        },
      });
      for (let turn = 0; turn < 4; turn += 1) await stream.drained().catch(() => {});
      await stream.stop();
      expect(seen.slice(0, 3)).toEqual([seen[3], seen[3], seen[3]]);
      expect(seen.slice(3).flat()).toEqual(idsOf(records));
    });
  });
});
