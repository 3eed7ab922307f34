import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { DynamoClient } from '../../functions/adapters/aws/clients.ts';
import { DynamoEndUserData } from '../../functions/adapters/dynamo/dynamo-end-user-data.ts';
import { DynamoCaptureStore } from '../../functions/adapters/dynamo/dynamo-request-records.ts';
import { DynamoSessionStore } from '../../functions/adapters/dynamo/dynamo-session-store.ts';
import { cellsOf } from '../../functions/control/analytics/cells.ts';
import {
  DAY_MS,
  findSessions,
  HOUR_MS,
  listSessions,
  seriesOf,
  summarize,
} from '../../functions/control/analytics/index.ts';
import { anyRecord, recordOf, T0 } from '../../functions/control/analytics/record.fixture.ts';
import { Totals } from '../../functions/control/analytics/totals.ts';
import { withTurn } from '../../functions/control/sessions/index.ts';
import { type StreamEvent, toBatch } from '../../functions/usage-counter/compose.ts';
import { startRecordStream } from '../../lib/local/table-streams.ts';
import { clock, FINDING, idsOf, iso, ownWorld, PATIENT, startAnalytics } from './analytics-setup.ts';
import { availableEngines } from './engines.ts';

const noneUnreadable = (position: string): never => {
  throw new Error(`record ${position} cannot be read`);
};

describe.each(availableEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  const { client, aggregates, writeAll, count } = startAnalytics(engine);

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
      const data = new DynamoEndUserData(client(), tables, { ...clock, now: () => start + DAY_MS });
      const live = new DynamoSessionStore(client(), 'sessions', clock, PATIENT);
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
      const captures = new DynamoCaptureStore(client(), 'captures', clock, 7);
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

  it("an identity's records, captures and sessions are found by its id, without those of others", async () => {
    const { key, session, start, user } = ownWorld();
    const id = `idn_${createHash('sha256').update(key).digest('hex').slice(0, 32)}`;
    const tables = { records: 'records', aggregates: 'aggregates', sessions: 'sessions', captures: 'captures' };
    const data = new DynamoEndUserData(client(), tables, { ...clock, now: () => start + DAY_MS });
    const live = new DynamoSessionStore(client(), 'sessions', clock, PATIENT);
    const records = [id, key].flatMap((keyId) =>
      [null, user].map((endUserId, at) =>
        recordOf({ keyId, endUserId, sessionId: session, time: iso(start + at * HOUR_MS), capture: 'full' }),
      ),
    );
    await writeAll(records);
    await count(records);
    for (const keyId of [id, key]) await live.update({ keyId, name: session }, (known) => withTurn(known, 0.9, T0));
    expect(await data.deleteEndUser(id)).toMatchObject({ records: 2, captures: 2, sessions: 1 });
    expect(await data.find(id)).toMatchObject({ records: 0, sessions: 0 });
    expect(await live.read(id, session)).toBeUndefined();
    expect(await live.read(key, session)).toMatchObject({ highest: 0.9 });
    expect(await data.find(user)).toMatchObject({ records: 1 });
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
        return new Proxy(client(), {
          get: (target, name) => {
            if (name !== 'send') return Reflect.get(target, name);
            return async (...args: Parameters<DynamoClient['send']>) => {
              calls += 1;
              if (dead || calls % 23 === 0) dead = true;
              if (dead && calls % 2 === 0) throw new Error('killed');
              const answer = await client().send(...args);
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
      const stream = startRecordStream({ ...options, client: client() });
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
        client: client(),
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
