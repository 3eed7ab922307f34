import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DynamoIdentityStore } from '../../functions/adapters/dynamo/dynamo-identity-store.ts';
import { identityId } from '../../functions/control/identities/identities.ts';
import { startHttpHost } from '../../functions/server/index.ts';
import { type AdminApp, startAdminApp } from '../support/admin-app.ts';
import { runAdminInProcess } from '../support/run-bin.ts';

let admin: AdminApp;
let host: Awaited<ReturnType<typeof startHttpHost>>;

beforeAll(async () => {
  admin = await startAdminApp();
  host = await startHttpHost(admin.app, { port: 0, host: '127.0.0.1', maxBodyBytes: 100_000 });
});
afterAll(async () => {
  await host.stop(0);
  await admin.stop();
});

/** What a command prints. */
async function run(args: readonly string[], input = ''): Promise<string> {
  const env = { SVC_URL: `${host.url}/v1`, SVC_ADMIN_KEY: admin.admin.secret };
  const { out, error, code } = await runAdminInProcess(args, env, input);
  expect([args, code, code === 0 || error]).toEqual([args, 0, true]);
  return out;
}

describe('commands of teams', () => {
  it('create, list, show, change and delete one, with members from standard input', async () => {
    const team = JSON.parse(
      await run(['teams', 'create', 'Shop', '--rate', '60/minute', '--budget', '5/calendarMonth', '--json']),
    );
    expect(team).toMatchObject({ name: 'Shop', rateLimit: { requests: 60 }, budget: { period: 'calendarMonth' } });
    const members = [{ match: { email: ['a@example.com'] }, role: 'owner' }];
    await run(['teams', 'set', team.id, '--members', '-', '--max-keys', '3'], JSON.stringify(members));
    expect(JSON.parse(await run(['teams', 'show', team.id, '--json']))).toMatchObject({ members, maxKeys: 3 });
    expect(await run(['teams', 'list'])).toMatch(
      new RegExp(`${team.id} +Shop +active +60/minute +5/calendarMonth +1 `),
    );
    await run(['keys', 'create', 'Checkout', '--team', team.id]);
    const [key] = (await admin.call('GET', '/keys?search=Checkout')).json.data;
    expect(key.teamId).toBe(team.id);
    const ofKey = (await admin.events()).filter(({ data }) => (data as { id?: string }).id === key.id);
    expect(ofKey).toMatchObject([{ type: 'key.created', data: { teamId: team.id } }]);
    expect(JSON.parse(await run(['teams', 'usage', team.id, '--json']))).toMatchObject({
      ...{ object: 'team.usage', teamId: team.id, requests: { limit: 60, remaining: 60 }, tokens: null },
      ...{ budget: { usd: 5, remainingUsd: 5 }, concurrent: null },
    });
    await run(['keys', 'update', key.id, '--team', 'none']);
    await run(['teams', 'delete', team.id, '--yes']);
    expect(await run(['teams', 'list', '--json'])).not.toContain(team.id);
  });
});

describe('commands of identities', () => {
  it('list, disable and enable one', async () => {
    const seen = { issuer: 'https://login.example.com', subject: 'ada' };
    const id = identityId(seen);
    const lastSeenAt = new Date(admin.clock.now()).toISOString();
    const store = new DynamoIdentityStore(admin.dynamo, 'keys', admin.clock);
    await store.add({ id, ...seen, ruleId: 'all', teamId: null, lastSeenAt });
    for (const [verb, state] of [
      ['disable', 'disabled'],
      ['enable', 'active'],
    ] as const) {
      await run(['identities', verb, id]);
      expect(await run(['identities', 'list'])).toMatch(new RegExp(`${id}.*${state}`));
    }
  });
});
