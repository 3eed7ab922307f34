import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from '@jest/globals';
import { DynamoKeyStore } from '../../functions/adapters/dynamo/dynamo-key-store.ts';
import type { StoredKey } from '../../functions/control/keys/index.ts';
import type { ApiKey } from '../../functions/kernel/model/index.ts';
import { availableEngines } from './engines.ts';
import { T0 } from './fake-clock.ts';
import { changesOf, freshName, makeKey, startStores } from './stores-setup.ts';

describe.each(availableEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  const patientClient = startStores(engine);

  describe('the key store', () => {
    const store = () => new DynamoKeyStore(patientClient(), 'keys');
    const { change, rotate } = changesOf(store);

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
  });
});
