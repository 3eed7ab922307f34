import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { DeleteCommand, PutCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  BACKGROUND_ONCE,
  BACKGROUND_RETRIES,
  createDynamoClient,
  TRY_ONCE,
  WHILE_WAITING,
} from '../../functions/adapters/aws/clients.ts';
import { DynamoAggregates } from '../../functions/adapters/dynamo/dynamo-aggregates.ts';
import { DynamoEndUserData } from '../../functions/adapters/dynamo/dynamo-end-user-data.ts';
import { DynamoIssuedIds } from '../../functions/adapters/dynamo/dynamo-issued-ids.ts';
import { DynamoKeyStore } from '../../functions/adapters/dynamo/dynamo-key-store.ts';
import { DynamoLimitStore } from '../../functions/adapters/dynamo/dynamo-limit-store.ts';
import { DynamoRecordReader, DynamoRequestRecords } from '../../functions/adapters/dynamo/dynamo-request-records.ts';
import { DynamoSessionStore } from '../../functions/adapters/dynamo/dynamo-session-store.ts';
import { UndiciHttpClient } from '../../functions/adapters/http/undici-http-client.ts';
import { recordOf } from '../../functions/core/analytics/record.fixture.ts';
import { StoreUnavailable } from '../../functions/core/base/errors.ts';
import type { HttpClient } from '../../functions/core/base/http-client.ts';
import type { StoredKey } from '../../functions/core/keys/key-store.ts';
import { keyEvent } from '../../functions/core/keys/make-key.ts';
import { limitsOf, NO_NEED } from '../../functions/core/limits/limits.ts';
import type { ApiKey } from '../../functions/core/model/api-key.ts';
import { withTurn } from '../../functions/core/sessions/suspicion.ts';
import { embeddedAccess } from '../../lib/local/create-resources.ts';
import { availableEngines } from './engines.ts';

const T0 = Date.parse('2026-01-01T00:00:00Z');
/** Of a call, each of at most a second: two commands, three attempts each. */
const MOST_ATTEMPTS = 6;

class FakeClock {
  private readonly skewMs: number;
  time = T0;

  constructor(skewMs = 0) {
    this.skewMs = skewMs;
  }

  now(): number {
    return this.time + this.skewMs;
  }

  monotonic(): number {
    return this.time;
  }
}

process.env.AWS_REGION = 'eu-central-1';
process.env.AWS_ACCESS_KEY_ID = 'local';
process.env.AWS_SECRET_ACCESS_KEY = 'local';

/** A client as the functions have it. */
function clientFor(url: string, retries = WHILE_WAITING) {
  process.env.AWS_ENDPOINT_URL_DYNAMODB = url;
  return createDynamoClient({ retries });
}

const http = new UndiciHttpClient();

let counter = 0;
const freshName = () => {
  counter += 1;
  return `key_${process.pid}x${counter}`;
};

function makeKey(fields: Partial<ApiKey> = {}): ApiKey {
  const id = freshName();
  return {
    id,
    name: 'a key',
    environment: 'Development',
    permissions: ['chat_completions'],
    excludePermissions: [],
    rateLimit: { requests: 10, period: 'second' },
    ipWhitelist: [],
    allowedModels: [],
    policy: {},
    tags: {},
    state: 'active',
    last4: 'abcd',
    createdAt: new Date(T0 + counter).toISOString(),
    expiresAt: null,
    secretHash: `hash-of-${id}`,
    ...fields,
  };
}

describe.each(availableEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  let url = '';
  let stop = async () => {};
  beforeAll(async () => {
    ({ url, stop } = await engine.start());
  });
  afterAll(async () => {
    await stop();
  });
  /** A client without the functions' short deadlines, so that a busy machine fails no test. */
  const patientClient = () => createDynamoClient(embeddedAccess(url));

  describe('the key store', () => {
    const store = () => new DynamoKeyStore(patientClient(), 'keys');
    /** As administrators change a key: retried on a conflict, and refused once it is revoked. */
    const change = async (id: string, fields: Partial<ApiKey>): Promise<ApiKey | undefined> => {
      for (;;) {
        const read = await store().get(id);
        if (read === undefined || read.key.state === 'revoked') return undefined;
        const changed = { ...read.key, ...fields };
        if (await store().replace(read, changed)) return changed;
      }
    };
    const rotate = (id: string, secretHash: string) => change(id, { secretHash });

    it('returns a key by id and by the hash of its secret, and nothing for any other', async () => {
      const key = makeKey({
        tags: { team: 'é😀' },
        policy: { preset: 'strict' },
        rateLimit: { requests: 1, period: 'day', burst: 3 },
      });
      await store().create(key);
      expect([await store().get(key.id), await store().find([key.secretHash])]).toEqual([{ key, version: 1 }, key]);
      expect(await store().find(['none', key.secretHash])).toEqual(key);
      expect([
        await store().get('key_none'),
        await store().find(['none', 'neither']),
        await store().find([key.id]),
      ]).toEqual([undefined, undefined, undefined]);
    });

    it('loses no concurrent change', async () => {
      const key = makeKey();
      await store().create(key);
      const changes: Partial<ApiKey>[] = [
        { name: 'new' },
        { environment: 'Production' },
        { permissions: ['audio'] },
        { excludePermissions: ['images'] },
        { rateLimit: { requests: 5, period: 'hour' } },
        { ipWhitelist: ['10.0.0.0/8'] },
        { allowedModels: ['gpt-*'] },
        { policy: { preset: 'monitor' } },
        { tags: { a: 'b' } },
        { expiresAt: '2030-01-01T00:00:00.000Z' },
      ];
      await Promise.all(changes.map((fields) => change(key.id, fields)));
      expect((await store().get(key.id))?.key).toEqual(Object.assign({ ...key }, ...changes));
    });

    it('keeps a revoked key revoked, under concurrent and later changes', async () => {
      const key = makeKey();
      await store().create(key);
      const others = Array.from({ length: 8 }, (__, at) =>
        change(key.id, at % 2 === 0 ? { state: 'disabled' } : { secretHash: `${key.secretHash} ${at}` }),
      );
      await Promise.all([...others, change(key.id, { state: 'revoked' })]);
      for (const hash of [key.secretHash, ...[1, 3, 5, 7].map((at) => `${key.secretHash} ${at}`)]) {
        // By any secret that it ever had.
        const found = await store().find([hash]);
        if (found !== undefined) expect(found).toMatchObject({ id: key.id, state: 'revoked' });
      }
      expect(await change(key.id, { state: 'active', name: 'new' })).toBeUndefined();
      expect((await store().get(key.id))?.key).toMatchObject({ state: 'revoked', name: 'a key' });
    });

    it('refuses a change if the key was changed since the read', async () => {
      const key = makeKey();
      await store().create(key);
      const read = await store().get(key.id);
      await change(key.id, { name: 'theirs' });
      for (const mine of [{ name: 'mine' }, { name: 'mine', secretHash: freshName() }]) {
        expect(await store().replace(read as StoredKey, { ...key, ...mine })).toBe(false);
      }
      expect((await store().get(key.id))?.key).toEqual({ ...key, name: 'theirs' });
    });

    it('treats a written change with a lost response as done', async () => {
      const key = makeKey();
      await store().create(key);
      for (const fields of [{ name: 'new' }, { secretHash: freshName() }]) {
        const read = (await store().get(key.id)) as StoredKey;
        const changed = { ...read.key, ...fields };
        for (const _ of ['first', 'repeated']) expect(await store().replace(read, changed)).toBe(true);
        expect(await store().get(key.id)).toEqual({ key: changed, version: read.version + 1 });
      }
    });

    it('finds a rotated key by its new and earlier secrets, everywhere the same', async () => {
      const key = makeKey();
      await store().create(key);
      const hashes = [key.secretHash];
      for (const _ of [1, 2, 3]) {
        const hash = freshName();
        hashes.push(hash);
        await rotate(key.id, hash);
        const expected = { ...key, secretHash: hash };
        for (const known of hashes) expect(await store().find([known])).toEqual(expected);
        expect((await store().get(key.id))?.key).toEqual(expected);
        const { keys } = await store().list(100, undefined);
        expect(keys.filter((listed) => listed.key.id === key.id).map((listed) => listed.key)).toEqual([expected]);
      }
      await change(key.id, { state: 'disabled' });
      for (const known of hashes) expect((await store().find([known]))?.state).toBe('disabled');
    });

    it('serves, lists and changes a key whose move was interrupted', async () => {
      const client = patientClient();
      const key = makeKey();
      const hash = freshName();
      await store().create(key);
      await rotate(key.id, hash);
      // The state after only the signpost was written.
      await client.send(new DeleteCommand({ TableName: 'keys', Key: { pk: `secret#${hash}` } }));
      await client.send(
        new UpdateCommand({
          TableName: 'keys',
          Key: { pk: `key#${key.id}` },
          UpdateExpression: 'SET secretHash = :from',
          ExpressionAttributeValues: { ':from': key.secretHash },
        }),
      );
      const expected = { ...key, secretHash: hash };
      expect(await store().find([key.secretHash])).toEqual(expected);
      const { keys } = await store().list(100, undefined);
      expect(keys.map((listed) => listed.key)).toContainEqual(expected);
      expect((await store().getMany([key.id])).map((one) => one.key)).toEqual([expected]);
      await change(key.id, { state: 'revoked' });
      for (const known of [key.secretHash, hash]) expect((await store().find([known]))?.state).toBe('revoked');
    });

    it('deletes an expired secret at the next rotation', async () => {
      const key = makeKey();
      await store().create(key);
      const retired = (hash: string) => ({ hash, last4: 'abcd', validUntil: new Date(T0).toISOString() });
      const [second, third, fourth] = [freshName(), freshName(), freshName()];
      await change(key.id, { secretHash: second, retiredSecrets: [retired(key.secretHash)] });
      await change(key.id, { secretHash: third, retiredSecrets: [retired(key.secretHash), retired(second)] });
      await change(key.id, { secretHash: fourth, retiredSecrets: [retired(second)] });
      expect(await store().find([key.secretHash])).toBeUndefined();
      expect((await store().find([second]))?.secretHash).toBe(fourth);
    });

    it.each([
      [
        'before its item is written',
        (command: unknown, hash: string) =>
          command instanceof PutCommand && command.input.Item?.pk === `secret#${hash}`,
      ],
      [
        'before its id is moved',
        (command: unknown, _: string, id: string) =>
          command instanceof UpdateCommand && command.input.Key?.pk === `key#${id}`,
      ],
    ])('finds a key by its id after a slow rotation that later ones overtook: %s', async (__, isHeld) => {
      const key = makeKey();
      await store().create(key);
      const [second, third, fourth] = [freshName(), freshName(), freshName()];
      const reached = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      const client = patientClient();
      const send = client.send.bind(client) as (command: unknown) => Promise<never>;
      client.send = async (command: unknown) => {
        if (isHeld(command, second, key.id)) {
          reached.resolve();
          await released.promise;
        }
        return send(command);
      };
      const read = (await store().get(key.id)) as StoredKey;
      const slow = new DynamoKeyStore(client, 'keys').replace(read, { ...key, secretHash: second });
      await reached.promise;
      const retired = { hash: second, last4: 'abcd', validUntil: new Date(T0).toISOString() };
      await change(key.id, { secretHash: third, retiredSecrets: [retired] });
      await change(key.id, { secretHash: fourth, retiredSecrets: [] });
      released.resolve();
      expect(await slow).toBe(true);
      expect((await store().get(key.id))?.key.secretHash).toBe(fourth);
      // Its secret was replaced before a client received it.
      expect(await store().find([second])).toBeUndefined();
      const { keys } = await store().list(100, undefined);
      expect(keys.map((listed) => listed.key.id)).toContain(key.id);
    });

    it('loses no concurrent rotations and changes', async () => {
      const key = makeKey();
      await store().create(key);
      const hashes = Array.from({ length: 5 }, freshName);
      await Promise.all([
        ...hashes.map((hash) => rotate(key.id, hash)),
        change(key.id, { name: 'new' }),
        change(key.id, { tags: { team: 'a' } }),
      ]);
      const now = (await store().get(key.id))?.key as ApiKey;
      expect(now).toMatchObject({ name: 'new', tags: { team: 'a' } });
      expect(hashes).toContain(now.secretHash);
      for (const hash of [key.secretHash, ...hashes]) expect(await store().find([hash])).toEqual(now);
    });

    it('records a use at most once a minute, across functions, and keeps it through every change', async () => {
      const key = makeKey();
      await store().create(key);
      const at = (seconds: number) => new Date(T0 + seconds * 1000).toISOString();
      const lastUsedAt = async () => (await store().get(key.id))?.key.lastUsedAt;
      await Promise.all([1, 2, 3].map((second) => store().noteUse(key, { usedAt: at(second) })));
      const first = await lastUsedAt();
      expect([at(1), at(2), at(3)]).toContain(first);
      await store().noteUse(key, { usedAt: at(60) });
      expect(await lastUsedAt()).toBe(first);
      await store().noteUse(key, { usedAt: at(63), seenHash: 'hash under a new pepper' });
      expect((await store().get(key.id))?.seenHash).toBe('hash under a new pepper');
      await change(key.id, { name: 'new' });
      await rotate(key.id, freshName());
      expect(await lastUsedAt()).toBe(at(63));
      // A signpost takes the note and keeps it to itself.
      await store().noteUse(key, { usedAt: at(200) });
      expect(await store().find([key.secretHash])).toMatchObject({ name: 'new', lastUsedAt: at(63) });
    });

    it('keeps the time of its expiry event through every change', async () => {
      const key = makeKey();
      const end = new Date(T0).toISOString();
      await store().create(key);
      const event = keyEvent('key.expiring', key, T0);
      expect(await store().emitExpiryEvent(key, end, event)).toBe(true);
      expect(await store().emitExpiryEvent(key, end, event)).toBe(false);
      await change(key.id, { name: 'new' });
      await rotate(key.id, freshName());
      expect(await store().get(key.id)).toMatchObject({ key: { name: 'new' }, expiryTold: end });
      expect((await store().get(key.id))?.key).not.toHaveProperty('expiryTold');
      expect(await store().emitExpiryEvent(makeKey(), end, event)).toBe(false);
    });

    it('records no use of an unknown key', async () => {
      const key = makeKey();
      await store().noteUse(key, { usedAt: new Date(T0).toISOString() });
      expect(await store().find([key.secretHash])).toBeUndefined();
    });

    it('does not list a name without a key', async () => {
      const client = patientClient();
      const key = makeKey();
      await new DynamoKeyStore(client, 'keys').create(key);
      await client.send(new DeleteCommand({ TableName: 'keys', Key: { pk: `secret#${key.secretHash}` } }));
      const { keys } = await store().list(100, undefined);
      expect(keys.map((listed) => listed.key.id)).not.toContain(key.id);
      expect(await store().get(key.id)).toBeUndefined();
    });

    it.each([1, 3, 7, 100])('lists every key once, newest first, in pages of %d', async (limit) => {
      const made = Array.from({ length: 7 }, () => makeKey());
      await Promise.all(made.map((key) => store().create(key)));
      const listed: ApiKey[] = [];
      let cursor: string | undefined;
      do {
        const page = await store().list(limit, cursor);
        expect(page.keys.length).toBeLessThanOrEqual(limit);
        listed.push(...page.keys.map(({ key }) => key));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      const ids = listed.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).toEqual(expect.arrayContaining(made.map(({ id }) => id)));
      expect(listed.map(({ createdAt }) => createdAt)).toEqual(
        listed
          .map(({ createdAt }) => createdAt)
          .sort()
          .reverse(),
      );
    });

    const cursorOf = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    it.each([
      ['nothing', ''],
      ['no base64', '!!'],
      ['no JSON', Buffer.from('{').toString('base64url')],
      ['JSON of another form', cursorOf({ pk: 'a' })],
      ['null', cursorOf(null)],
      ['numbers', cursorOf([1, 2])],
      ['empty keys, which the store would refuse', cursorOf(['', ''])],
      ['keys longer than the store takes', cursorOf([`key#${'a'.repeat(5_000)}`, 'b'])],
      ['the pointer of a secret', cursorOf(['secret#a', 'b#a'])],
    ])('refuses a cursor that no list has answered: %s', async (__, cursor) => {
      await expect(store().list(10, cursor)).rejects.toMatchObject({ code: 'invalid_value', param: 'cursor' });
    });
  });

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

    it('include the previous request of the same process, even while it is being written', async () => {
      const [key, sessions] = [freshName(), store()];
      const writing = sessions.update({ keyId: key, name: 's' }, (known) => withTurn(known, 0.7, T0));
      expect(await sessions.read(key, 's')).toMatchObject({ highest: 0.7 });
      await writing;
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
      const client = createDynamoClient({ ...embeddedAccess(url), http: alwaysTooLate });
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

describe('an unavailable store', () => {
  const givenIdsAt = (url: string) => new DynamoIssuedIds(clientFor(url), 'sessions');
  const limitsAt = (url: string) =>
    new DynamoLimitStore(
      { client: clientFor(url), settling: clientFor(url, BACKGROUND_ONCE) },
      'limits',
      new FakeClock(),
    );
  const sessionsAt = (url: string) =>
    new DynamoSessionStore(clientFor(url), 'sessions', new FakeClock(), { idleMs: 1_800_000 });
  const aggregatesAt = (url: string) => new DynamoAggregates(clientFor(url), 'aggregates', new FakeClock());
  const recordSettings = { keptDays: 1, lingerMs: 0, pendingIndex: false };
  const recordsAt = (url: string) =>
    new DynamoRequestRecords(
      { together: clientFor(url, TRY_ONCE), alone: clientFor(url, BACKGROUND_RETRIES) },
      'records',
      recordSettings,
    );
  const calls: [string, (url: string) => Promise<unknown>][] = [
    ['taking from the limits', (url) => limitsAt(url).take('key_a', limitsOf(makeKey()), { needs: [NO_NEED] })],
    [
      'settling',
      (url) => limitsAt(url).settle('key_a', { release: new Map(), used: { tokenPicos: 1n, nanoUsd: new Map() } }),
    ],
    ['the readiness check', (url) => limitsAt(url).check()],
    ['looking up a key', (url) => new DynamoKeyStore(clientFor(url), 'keys').find(['hash'])],
    ['looking up keys by id', (url) => new DynamoKeyStore(clientFor(url), 'keys').getMany(['key_a'])],
    ['listing', (url) => new DynamoKeyStore(clientFor(url), 'keys').list(1, undefined)],
    ['creating', (url) => new DynamoKeyStore(clientFor(url), 'keys').create(makeKey())],
    [
      'changing',
      (url) => new DynamoKeyStore(clientFor(url), 'keys').replace({ key: makeKey(), version: 1 }, makeKey()),
    ],
    [
      'noting a use',
      (url) => new DynamoKeyStore(clientFor(url), 'keys').noteUse(makeKey(), { usedAt: new Date(T0).toISOString() }),
    ],
    ["reading a session's score", (url) => sessionsAt(url).read('key_a', 's')],
    [
      "changing a session's score",
      (url) => sessionsAt(url).update({ keyId: 'key_a', name: 's' }, (known) => withTurn(known, 1, T0)),
    ],
    ['looking up an id', (url) => givenIdsAt(url).find(['a'])],
    ['looking up ids', (url) => givenIdsAt(url).find(['a', 'b'])],
    ['binding ids', (url) => givenIdsAt(url).keep(['a', 'b'], { keyId: 'key_a', score: undefined }, null)],
    ["changing an id's score", (url) => givenIdsAt(url).update('key_a', 'a', (known) => withTurn(known, 1, T0))],
    ["joining an end user's session", (url) => sessionsAt(url).join('key_a', 'ann')],
    ['writing a record', (url) => recordsAt(url).write(recordOf())],
    [
      'listing records',
      (url) =>
        new DynamoRecordReader(clientFor(url), 'records', new FakeClock()).page({ withFindings: false }, 1, undefined),
    ],
    ['reading aggregates', (url) => aggregatesAt(url).read([{ pk: 'a', sk: 'b' }])],
    [
      'adding up',
      (url) => aggregatesAt(url).replace({ key: { pk: 'a', sk: 'b' }, value: {}, expiresAt: 1 }, undefined),
    ],
    ['reading a range', (url) => aggregatesAt(url).range('a', 'b', 'c')],
  ];

  async function failuresOf(url: string): Promise<unknown[]> {
    const results = await Promise.allSettled(calls.map(([, call]) => call(url)));
    return results.map((result) => (result.status === 'rejected' ? result.reason : result.value));
  }

  async function listening(server: Server): Promise<string> {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  it('fails as unavailable: the connection is refused', async () => {
    const server = createServer();
    const url = await listening(server);
    server.close();
    await once(server, 'close');
    for (const failure of await failuresOf(url)) expect(failure).toBeInstanceOf(StoreUnavailable);
  });

  it('fails as unavailable after a few attempts: it accepts connections and never responds', async () => {
    const server = createServer((socket) => void socket.on('error', () => {}));
    const sockets = new Set<{ destroy(): void }>();
    server.on('connection', (socket) => sockets.add(socket));
    // Only their own deadline ends these.
    for (const failure of await failuresOf(await listening(server))) expect(failure).toBeInstanceOf(StoreUnavailable);
    const opened = sockets.size;
    for (const socket of sockets) socket.destroy();
    server.close();
    expect(opened).toBeLessThanOrEqual(MOST_ATTEMPTS * calls.length);
  });

  it('fails as unavailable: it returns errors', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', () =>
        socket.end('HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'),
      );
    });
    for (const failure of await failuresOf(await listening(server))) expect(failure).toBeInstanceOf(StoreUnavailable);
    server.close();
  });
});
