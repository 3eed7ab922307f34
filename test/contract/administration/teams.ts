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

    test('have credentials that no key of another team can name, and a policy that their keys cannot weaken', async () => {
      const teamId = await newTeam({ policy: { preset: 'strict' } });
      const other = await newTeam({ name: 'Search' });
      const stored = { name: 'Account', provider: 'openai', value: `sk-of-team-${'m3Vx7'.repeat(4)}`, skipTest: true };
      const { id: credentialId } = (await contract.admin('POST', '/credentials', { ...stored, teamId })).json;
      const make = (fields: object) => contract.admin('POST', '/keys', { name: 'Key', ...fields });
      for (const fields of [{ credentialId }, { credentialId, teamId: other }]) {
        const refused = await make(fields);
        expect([refused.status, refused.json.error.param]).toEqual([400, 'credentialId']);
      }
      const own = await make({ credentialId, teamId });
      expect([own.status, (await ask(own.json.key)).status]).toEqual([201, 200]);
      expect(contract.sent.headers.authorization).toBe(`Bearer ${stored.value}`);
      const moved = await contract.admin('PATCH', `/keys/${own.json.id}`, { teamId: other });
      expect([moved.status, moved.json.error.param]).toEqual([400, 'credentialId']);
      const weaker = await make({ teamId, policy: { preset: 'monitor' } });
      expect([weaker.status, weaker.json.error.param]).toEqual([400, 'policy.preset']);
      const changed = await contract.admin('PATCH', `/keys/${own.json.id}`, { policy: { preset: 'monitor' } });
      expect([changed.status, changed.json.error.param]).toEqual([400, 'policy.preset']);
    });

    test('have a usage, which is in that of their keys too', async () => {
      const teamId = await newTeam({ rateLimit: { requests: 5, period: 'day' }, maxConcurrent: 7 });
      const [one, two] = [await contract.createKey({ teamId }), await contract.createKey({ teamId })];
      expect([(await ask(one.key)).status, (await ask(two.key)).status]).toEqual([200, 200]);
      const usage = () => contract.admin('GET', `/keys/${two.id}/usage`);
      const { json } = await contract.settled(usage, (reply) => reply.json.shared[0]?.requests?.remaining === 3);
      expect(json.shared).toMatchObject([
        { source: 'team', name: 'Shop', requests: { limit: 5 }, concurrent: { limit: 7 }, budget: null },
      ]);
      expect((await contract.admin('GET', `/teams/${teamId}/usage`)).json).toMatchObject({
        ...{ object: 'team.usage', teamId, requests: { limit: 5, remaining: 3 }, tokens: null, budget: null },
        concurrent: { limit: 7, remaining: 7 },
      });
      expect((await contract.admin('GET', `/teams/team_${'0'.repeat(32)}/usage`)).status).toBe(404);
    });

    test('that are disabled are refused with their keys, and again let in', async () => {
      const teamId = await newTeam({});
      const key = await contract.newKey({ teamId });
      expect((await ask(key)).status).toBe(200);
      expect((await contract.admin('PATCH', `/teams/${teamId}`, { state: 'disabled' })).json.state).toBe('disabled');
      const refused = await contract.everywhere(
        () => ask(key),
        ({ status }) => status === 403,
      );
      expect(refused.json.error.message).toBe('The team of this API key is disabled.');
      await contract.admin('PATCH', `/teams/${teamId}`, { state: 'active' });
      await contract.everywhere(
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
