import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DynamoEndUserData } from '../../functions/adapters/dynamo/dynamo-end-user-data.ts';
import { DynamoIssuedIds } from '../../functions/adapters/dynamo/dynamo-issued-ids.ts';
import { DynamoSessionStore } from '../../functions/adapters/dynamo/dynamo-session-store.ts';
import { UndiciHttpClient } from '../../functions/adapters/http/undici-http-client.ts';
import { withTurn } from '../../functions/control/sessions/index.ts';
import { StoreUnavailable } from '../../functions/kernel/errors/index.ts';
import type { HttpClient } from '../../functions/kernel/http/index.ts';
import { availableEngines } from './engines.ts';
import { FakeClock, T0 } from './fake-clock.ts';
import { freshName, startStores } from './stores-setup.ts';

const http = new UndiciHttpClient();

describe.each(availableEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  const patientClient = startStores(engine);

  describe('ids from a provider', () => {
    const store = () => new DynamoIssuedIds(patientClient(), 'sessions');
    const idsAs = (name: string, ...ids: string[]) => ids.map((id) => `${name} ${id}`);
    const ownersOf = async (...ids: string[]) => {
      const found = await store().find(ids);
      return ids.map((id) => found.get(id)?.keyId);
    };

    it("belong to the key that received them, with the conversation's score", async () => {
      const [keyId, score] = [freshName(), withTurn(undefined, 0.9, T0)];
      const [resp1, msg1, resp2, resp3] = idsAs(keyId, 'resp_1', 'msg_1', 'resp_2', 'resp_3') as [string, ...string[]];
      await store().keep([resp1, msg1, msg1] as string[], { keyId, score }, 'ann');
      await store().keep([resp2] as string[], { keyId, score: undefined }, null);
      const found = await store().find([resp1, msg1, resp2, resp3] as string[]);
      const kept = { keyId, score: { ...score, accumulated: 0.6 } };
      expect(Object.fromEntries(found)).toEqual({
        [resp1]: kept,
        [msg1 as string]: kept,
        [resp2 as string]: { keyId, score: undefined },
      });
      expect((await store().find([resp1])).get(resp1)?.keyId).toBe(keyId);
    });

    it("do not expire, like the provider's data", async () => {
      const name = freshName();
      await store().keep([name], { keyId: name, score: undefined }, null);
      const { Items = [] } = await patientClient().send(new ScanCommand({ TableName: 'sessions' }));
      const own = Items.filter(({ keyId }) => keyId === name);
      expect(own.map((item) => Object.keys(item).sort())).toEqual([['keyId', 'pk', 'version']]);
    });

    it('belong to the first key, or to none if no key may name them', async () => {
      const [one, other] = [freshName(), freshName()];
      const [id, hidden] = idsAs(one, 'a', 'b') as [string, string];
      await store().keep([id], { keyId: one, score: undefined }, null);
      await store().keep([hidden], { keyId: null, score: undefined }, null);
      for (const keyId of [other, null, one]) await store().keep([id, hidden], { keyId, score: undefined }, null);
      expect(await ownersOf(id, hidden)).toEqual([one, null]);
      await store().update(other, id, (known) => withTurn(known, 0.9, T0));
      expect((await store().find([id])).get(id)?.score).toBeUndefined();
    });

    it('belong to one key, even if many bind them at once', async () => {
      const [id, keys] = [freshName(), Array.from({ length: 8 }, freshName)];
      await Promise.all(keys.map((keyId) => store().keep([id], { keyId, score: undefined }, null)));
      const [owner] = await ownersOf(id);
      expect(keys).toContain(owner);
      for (const keyId of keys) await store().keep([id], { keyId, score: undefined }, null);
      expect(await ownersOf(id)).toEqual([owner]);
    });

    it('are stored and found in any number and length', async () => {
      const keyId = freshName();
      const ids = Array.from({ length: 130 }, (_, at) => `${keyId} ${at}${'x'.repeat(at * 20)}`);
      await store().keep(ids, { keyId, score: undefined }, null);
      expect([...(await store().find(ids)).keys()].sort()).toEqual([...ids].sort());
    });

    it('lose no turn of concurrent requests, and an unknown one is not created', async () => {
      const keyId = freshName();
      const [id, absent] = idsAs(keyId, 'resp_1', 'resp_2') as [string, string];
      await store().keep([id], { keyId, score: undefined }, null);
      await Promise.all(
        Array.from({ length: 3 }, () => store().update(keyId, id, (known) => withTurn(known, 0.5, T0))),
      );
      expect((await store().find([id])).get(id)?.score?.accumulated).toBeCloseTo(0.6, 6);
      await store().update(keyId, absent, (known) => withTurn(known, 0.5, T0));
      expect((await store().find([absent])).size).toBe(0);
    });

    it('are withdrawn with the data of their end user: no key may name them', async () => {
      const [keyId, user] = [freshName(), freshName()];
      const score = withTurn(undefined, 0.9, T0);
      await store().keep([keyId], { keyId, score }, user);
      const tables = { records: 'records', aggregates: 'aggregates', sessions: 'sessions', captures: 'captures' };
      const data = new DynamoEndUserData(patientClient(), tables, new FakeClock());
      expect((await data.deleteEndUser(user)).sessions).toBe(1);
      await store().keep([keyId], { keyId, score }, null);
      expect(Object.fromEntries(await store().find([keyId]))).toEqual({ [keyId]: { keyId: null, score: undefined } });
    });
  });

  describe('the scores of sessions', () => {
    const clock = new FakeClock();
    const IDLE_MS = 30 * 60_000;
    const PATIENT = { idleMs: IDLE_MS, readWaitMs: 20_000, joinWaitMs: 20_000 };
    const store = (at: FakeClock = clock) => new DynamoSessionStore(patientClient(), 'sessions', at, PATIENT);

    it('are stored separately for each key and name', async () => {
      const [key, sessions] = [freshName(), store()];
      expect(await sessions.read(key, 's')).toBeUndefined();
      await sessions.update({ keyId: key, name: 's' }, (known) => withTurn(known, 0.7, T0));
      await sessions.update({ keyId: key, name: 's' }, (known) => withTurn(known, 0.5, T0));
      const { highest, accumulated, at } = (await sessions.read(key, 's')) ?? {};
      expect([highest, accumulated?.toFixed(6), at]).toEqual([0.7, '0.600000', T0]);
      expect(await sessions.read(key, 't')).toBeUndefined();
      expect(await sessions.read(freshName(), 's')).toBeUndefined();
    });

    it('lose no turn of concurrent requests', async () => {
      const [key, functions] = [freshName(), [store(), store(), store()]];
      await Promise.all(
        functions.map((one) => one.update({ keyId: key, name: 's' }, (known) => withTurn(known, 0.5, T0))),
      );
      expect((await store().read(key, 's'))?.accumulated).toBeCloseTo(0.6, 6);
    });

    it('share one session per end user, across functions and concurrent requests', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 2, max: 30 }),
          fc.integer({ min: 1, max: 5 }),
          async (requests, functions) => {
            const [key, stores] = [freshName(), Array.from({ length: functions }, () => store())];
            const joined = await Promise.all(
              Array.from({ length: requests }, (__, at) =>
                (stores[at % functions] as DynamoSessionStore).join(key, 'ann'),
              ),
            );
            expect(new Set(joined.map(({ sessionId }) => sessionId)).size).toBe(1);
            expect(joined[0]?.sessionId).toMatch(/^ses_[0-9a-f]{32}$/);
          },
        ),
        { numRuns: 12 },
      );
    });

    it('stay open for 30 minutes after the last request, to the millisecond, in every function', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.constantFrom(0, 1, 60_000, IDLE_MS - 1, IDLE_MS, IDLE_MS + 1), { maxLength: 12 }),
          async (silences) => {
            const [key, at] = [freshName(), new FakeClock()];
            const functions = [store(at), store(at)];
            let open = (await (functions[0] as DynamoSessionStore).join(key, 'ann')).sessionId;
            for (const [turn, silence] of silences.entries()) {
              at.time += silence;
              const { sessionId } = await (functions[turn % 2] as DynamoSessionStore).join(key, 'ann');
              expect(sessionId === open).toBe(silence < IDLE_MS);
              open = sessionId;
            }
          },
        ),
        { numRuns: 15 },
      );
    });

    it('end at most 5 s earlier or later if clocks are 5 s apart', async () => {
      const skewMs = 5_000;
      await fc.assert(
        fc.asyncProperty(
          fc.array(
            fc.record({
              silence: fc.constantFrom(1, IDLE_MS - skewMs - 1, IDLE_MS - 1, IDLE_MS, IDLE_MS + skewMs),
              by: fc.nat(1),
            }),
            { maxLength: 12 },
          ),
          async (turns) => {
            const clocks = [new FakeClock(), new FakeClock(skewMs)];
            const functions = clocks.map((at) => store(at));
            const key = freshName();
            let open = (await (functions[0] as DynamoSessionStore).join(key, 'ann')).sessionId;
            for (const { silence, by } of turns) {
              for (const at of clocks) at.time += silence;
              const { sessionId } = await (functions[by] as DynamoSessionStore).join(key, 'ann');
              if (silence < IDLE_MS - skewMs) expect(sessionId).toBe(open);
              if (silence >= IDLE_MS + skewMs) expect(sessionId).not.toBe(open);
              open = sessionId;
            }
          },
        ),
        { numRuns: 15 },
      );
    });

    it('belong to one key and one end user each, with any characters in their names', async () => {
      const [key, sessions] = [freshName(), store()];
      const users: [string, string][] = [
        [key, 'a'],
        [key, 'a#b'],
        [`${key}x`, 'a'],
        [key, ' '],
        [key, '#a'],
      ];
      const ids = await Promise.all(users.map(([keyId, user]) => sessions.join(keyId, user)));
      expect(new Set(ids.map(({ sessionId }) => sessionId)).size).toBe(users.length);
    });

    it("accumulate while an end user's session is open, and start at zero in the next", async () => {
      const [key, at] = [freshName(), new FakeClock()];
      const sessions = store(at);
      const first = await sessions.join(key, 'ann');
      expect(first.score).toBeUndefined();
      const ref = { keyId: key, endUserId: 'ann', sessionId: first.sessionId };
      await sessions.update(ref, (known) => withTurn(known, 0.7, at.time));
      await store(at).update(ref, (known) => withTurn(known, 0.5, at.time));
      expect((await store(at).join(key, 'ann')).score).toMatchObject({ highest: 0.7, at: at.time });
      at.time += IDLE_MS;
      const next = await sessions.join(key, 'ann');
      expect(next.score).toBeUndefined();
      // A turn of the session before, which took its time.
      await sessions.update(ref, (known) => withTurn(known, 1, at.time));
      expect((await sessions.join(key, 'ann')).score).toBeUndefined();
    });

    it('are kept with the digests of the session, which end with it', async () => {
      const [key, at] = [freshName(), new FakeClock()];
      const sessions = store(at);
      const { sessionId } = await sessions.join(key, 'ann');
      const ref = { keyId: key, endUserId: 'ann', sessionId };
      const values = Array.from({ length: 256 }, (_, index) => `digest${index}`);
      await sessions.update(ref, (known) => ({ ...withTurn(known, 0.7, at.time), values, occurred: ['a', 'b'] }));
      await store(at).update(ref, (known) => withTurn(known, 0.5, at.time));
      expect((await store(at).join(key, 'ann')).score).toMatchObject({ highest: 0.7, values, occurred: ['a', 'b'] });
      await sessions.update(ref, (known) => ({ ...withTurn(known, 0, at.time), values: [] }));
      expect((await store(at).join(key, 'ann')).score).toMatchObject({ values: [], occurred: ['a', 'b'] });
      at.time += IDLE_MS;
      expect((await sessions.join(key, 'ann')).score).toBeUndefined();
    });

    it('include the previous request of the same process, even while it is being written', async () => {
      const [key, sessions] = [freshName(), store()];
      const writing = sessions.update({ keyId: key, name: 's' }, (known) => withTurn(known, 0.7, T0));
      expect(await sessions.read(key, 's')).toMatchObject({ highest: 0.7 });
      await writing;
    });

    it('are written by a store that responds too late for reads', async () => {
      const slow: HttpClient = {
        send: async (request) => {
          await new Promise((resolve) => setTimeout(resolve, 20));
          return http.send(request);
        },
      };
      const sessions = new DynamoSessionStore(patientClient({ http: slow }), 'sessions', clock, {
        ...PATIENT,
        readWaitMs: 1,
      });
      const key = freshName();
      await sessions.update({ keyId: key, name: 's' }, (known) => withTurn(known, 0.7, T0));
      await expect(sessions.read(key, 's')).rejects.toBeInstanceOf(StoreUnavailable);
      expect(await store().read(key, 's')).toMatchObject({ highest: 0.7 });
    });

    it('fail as unavailable after repeated conflicts', async () => {
      const refusal = Buffer.from(JSON.stringify({ __type: 'x#ConditionalCheckFailedException' }));
      const alwaysTooLate: HttpClient = {
        send: async (request) => {
          if (!request.headers['x-amz-target']?.endsWith('UpdateItem')) return http.send(request);
          const body = (async function* () {
            yield refusal;
          })();
          return { status: 400, headers: {}, body };
        },
      };
      const client = patientClient({ http: alwaysTooLate });
      const sessions = new DynamoSessionStore(client, 'sessions', clock, PATIENT);
      let asked = 0;
      const change = () => {
        asked += 1;
        return withTurn(undefined, 0.5, T0);
      };
      await expect(sessions.update({ keyId: freshName(), name: 's' }, change)).rejects.toBeInstanceOf(StoreUnavailable);
      expect(asked).toBe(5);
    });
  });
});
