import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from '@jest/globals';
import type { DynamoClient } from '../../functions/adapters/aws/clients.ts';
import { DynamoKeyStore } from '../../functions/adapters/dynamo/dynamo-key-store.ts';
import type { ApiKey } from '../../functions/kernel/model/index.ts';
import { availableEngines } from './engines.ts';
import { T0 } from './fake-clock.ts';
import { changesOf, freshName, makeKey, startStores } from './stores-setup.ts';

describe.each(availableEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  const client = startStores(engine);
  const store = () => new DynamoKeyStore(client(), 'keys');
  const { change, rotate } = changesOf(store);
  const newTeam = () => `team_${freshName()}`;
  const idsOf = async (teamId: string) => (await store().list(100, undefined, teamId)).keys.map(({ key }) => key.id);

  describe('the keys of a team', () => {
    it('are those of its team alone, newest first, in pages, whose cursors name no other key', async () => {
      const [team, other] = [newTeam(), newTeam()];
      const made: ApiKey[] = [];
      for (let at = 0; at < 9; at += 1)
        made.push(makeKey({ teamId: at % 3 === 0 ? team : at % 3 === 1 ? other : null }));
      await Promise.all(made.map((key) => store().create(key)));
      const own = made.filter(({ teamId }) => teamId === team).map(({ id }) => id);
      const listed: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await store().list(1, cursor, team);
        listed.push(...page.keys.map(({ key }) => key.id));
        cursor = page.nextCursor;
        if (cursor) expect(Buffer.from(cursor, 'base64url').toString()).toContain(`key#${listed.at(-1)}`);
      } while (cursor !== undefined);
      expect(listed).toEqual(own.toReversed());
      // A cursor of all keys is a place in the team too.
      const ofAll = store().cursorAfter(made[4] as ApiKey);
      expect((await store().list(9, ofAll, team)).keys.map(({ key }) => key.id)).toEqual([own[1], own[0]]);
    });

    it('follow a key through changes, rotations and moves between teams', async () => {
      const [team, other] = [newTeam(), newTeam()];
      const key = makeKey({ teamId: team });
      await store().create(key);
      await change(key.id, { name: 'new' });
      await rotate(key.id, freshName());
      expect(await idsOf(team)).toEqual([key.id]);
      await change(key.id, { teamId: other });
      expect([await idsOf(team), await idsOf(other)]).toEqual([[], [key.id]]);
      await change(key.id, { teamId: null, secretHash: freshName() });
      expect([await idsOf(team), await idsOf(other)]).toEqual([[], []]);
      await change(key.id, { teamId: team, state: 'revoked' });
      expect(await idsOf(team)).toEqual([key.id]);
    });
  });

  describe('the places of a team', () => {
    const take = (teamId: string, keyId: string, nowMs = T0, keys = store()) =>
      keys.takePlace({ teamId, maxKeys: 5, keyId, nowMs });
    const create = async (key: ApiKey, keys: DynamoKeyStore) => {
      const isIn = await take(key.teamId as string, key.id, T0, keys);
      if (isIn) await keys.create(key);
      return isIn;
    };
    /** An index that has nothing of the last minute. */
    const lagging = (): DynamoClient => {
      const fresh = client();
      const send = (command: unknown) =>
        command instanceof QueryCommand ? Promise.resolve({ Items: [] }) : fresh.send(command as never);
      return { send } as DynamoClient;
    };

    it.each([
      ['of a current index', client],
      ['of an index that lags behind', lagging],
    ])('are never one too many for 20 keys at once, %s', async (__, clientOf) => {
      const teamId = newTeam();
      const keys = Array.from({ length: 20 }, () => makeKey({ teamId }));
      const taken = await Promise.all(keys.map((key) => create(key, new DynamoKeyStore(clientOf(), 'keys'))));
      expect(taken.filter(Boolean)).toHaveLength(5);
      expect(await idsOf(teamId)).toHaveLength(5);
    });

    it('are free again once a key is revoked, and after a minute those of keys that were never stored', async () => {
      const teamId = newTeam();
      const keys = Array.from({ length: 4 }, () => makeKey({ teamId }));
      for (const key of keys) expect(await create(key, store())).toBe(true);
      expect(await take(teamId, 'key_never')).toBe(true);
      expect(await take(teamId, 'key_never')).toBe(true);
      expect(await take(teamId, 'key_more')).toBe(false);
      await change(keys[0]?.id as string, { state: 'revoked' });
      expect(await take(teamId, 'key_more')).toBe(true);
      expect(await take(teamId, 'key_late', T0 + 59_999)).toBe(false);
      expect(await take(teamId, 'key_late', T0 + 60_000)).toBe(true);
    });
  });
});
