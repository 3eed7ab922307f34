import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from '@jest/globals';
import { DynamoKeyStore } from '../../functions/adapters/dynamo/dynamo-key-store.ts';
import { keyEvent, type StoredKey } from '../../functions/control/keys/index.ts';
import type { ApiKey } from '../../functions/kernel/model/index.ts';
import { availableEngines } from './engines.ts';
import { T0 } from './fake-clock.ts';
import { changesOf, freshName, makeKey, startStores } from './stores-setup.ts';

describe.each(availableEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  const patientClient = startStores(engine);

  describe('the key store', () => {
    const store = () => new DynamoKeyStore(patientClient(), 'keys');
    const { change, rotate } = changesOf(store);

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
});
