import { describe, expect, test } from '@jest/globals';
import { type Contract, saying } from '../contract.ts';
import type { Reply } from '../reply.ts';

export function teamsContract(contract: Contract): void {
  describe('teams', () => {
    const newTeam = async (fields: object): Promise<string> => {
      const made = await contract.admin('POST', '/teams', { name: 'Shop', ...fields });
      expect(made.status).toBe(201);
      return made.json.id;
    };
    const ask = (key: string, more: object = {}) => contract.chat({ ...saying('Hi', 'gpt-4o-mini'), ...more }, { key });
    const statuses = (replies: readonly Reply[]) => replies.map(({ status }) => status).sort();

    test('bound their keys together: a rate and a budget are never exceeded, and refusals name the team', async () => {
      const teamId = await newTeam({ rateLimit: { requests: 5, period: 'day' }, budget: { usd: 10, period: 'day' } });
      const keys = await Promise.all([1, 2, 3].map(() => contract.newKey({ teamId })));
      const replies = await Promise.all(
        Array.from({ length: 12 }, (_, at) => ask(keys[at % 3] as string, { max_tokens: 5 })),
      );
      expect(statuses(replies)).toEqual([...Array(5).fill(200), ...Array(7).fill(429)]);
      const refused = replies.find(({ status }) => status === 429) as Reply;
      expect(refused.json.error.message).toMatch(/^Rate limit of 5 requests per day of the team 'Shop' exceeded/);
      expect(refused.json.error.details ?? refused.json.details).toMatchObject({ limit: 5, remaining: 0 });
      // Another team's key, and one without a team, are not concerned.
      const other = await contract.newKey({
        teamId: await newTeam({ name: 'Search', rateLimit: { requests: 1, period: 'day' } }),
      });
      expect([(await ask(other)).status, (await ask(contract.key)).status]).toEqual([200, 200]);
    });

    test('allow a model only if the key does too, and list no other', async () => {
      const teamId = await newTeam({ allowedModels: ['gpt-4o*'] });
      const key = await contract.newKey({ teamId, allowedModels: ['*-mini'] });
      expect((await ask(key)).status).toBe(200);
      for (const model of ['gpt-4o', 'gpt-4.1-mini']) expect((await ask(key, { model })).status).toBe(403);
      const { json } = await contract.call('/models', undefined, { key });
      for (const { id } of json.data) expect(id).toMatch(/^(?:openai\/)?gpt-4o.*-mini$/);
    });

    test('that are disabled are refused with their keys, and again let in', async () => {
      const teamId = await newTeam({});
      const key = await contract.newKey({ teamId });
      expect((await ask(key)).status).toBe(200);
      expect((await contract.admin('PATCH', `/teams/${teamId}`, { state: 'disabled' })).json.state).toBe('disabled');
      const refused = await contract.settled(
        () => ask(key),
        ({ status }) => status === 403,
      );
      expect(refused.json.error.message).toBe('The team of this API key is disabled.');
      await contract.admin('PATCH', `/teams/${teamId}`, { state: 'active' });
      await contract.settled(
        () => ask(key),
        ({ status }) => status === 200,
      );
    });

    test('are deleted once they have no keys, and exist for administrators only', async () => {
      const teamId = await newTeam({ maxKeys: 1 });
      const made = await contract.createKey({ teamId });
      expect(made.teamId).toBe(teamId);
      const second = await contract.admin('POST', '/keys', { name: 'Second', teamId });
      expect([second.status, second.json.error.param]).toEqual([409, 'teamId']);
      const unknown = await contract.admin('POST', '/keys', { name: 'No team', teamId: `team_${'0'.repeat(32)}` });
      expect([unknown.status, unknown.json.error.param]).toEqual([400, 'teamId']);
      for (const path of ['/admin/teams', `/admin/teams/${teamId}`])
        expect((await contract.call(path, undefined, { key: made.key })).status).toBe(403);
      expect((await contract.admin('DELETE', `/teams/${teamId}`)).status).toBe(409);
      await contract.admin('DELETE', `/keys/${made.id}`);
      expect((await contract.admin('DELETE', `/teams/${teamId}`)).json).toMatchObject({ id: teamId, deleted: true });
      expect((await contract.admin('GET', `/teams/${teamId}`)).status).toBe(404);
      const actions = (await contract.admin('GET', '/audit')).json.data.filter(
        ({ target }: { target: { id: string } }) => target.id === teamId,
      );
      expect(actions.map(({ action }: { action: string }) => action)).toEqual(['team.deleted', 'team.created']);
    });
  });
}
