import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DynamoAggregates } from '../../functions/adapters/dynamo/dynamo-aggregates.ts';
import { countRecords } from '../../functions/control/analytics/index.ts';
import { recordOf } from '../../functions/control/analytics/record.fixture.ts';
import { watchRollout } from '../../functions/control/rollout/index.ts';
import { type AdminApp, startAdminApp } from '../support/admin-app.ts';

let admin: AdminApp;
beforeAll(async () => {
  admin = await startAdminApp();
});
afterAll(() => admin.stop());

const WATCH = { blockedPoints: 2, minRequests: 10, minutes: 60 };
const ROLLOUT = { percent: 10, watch: WATCH };
const READ = { object: 'policy', createdAt: expect.any(String), createdBy: expect.any(String) };

const get = async (path = '') => (await admin.call('GET', `/policy${path}`)).json;
const put = (body: unknown) => admin.call('PUT', '/policy', { body });
const post = (what: string, version: number) => admin.call('POST', `/policy/${what}`, { body: { version } });
let delivered = 0;
/** Counts requests of a roll-out, as the usage counter does. */
const count = (rollout: number, requests: number, blocked: number) => {
  const time = new Date(admin.clock.time).toISOString();
  const records = Array.from({ length: requests }, (_, at) =>
    recordOf({ rollout, time, shadow: { action: 'allow', threats: {} }, action: at < blocked ? 'block' : 'allow' }),
  );
  const deliveries = records.map((record) => {
    delivered += 1;
    return { position: String(delivered), record };
  });
  const store = new DynamoAggregates(admin.dynamo, 'aggregates', admin.clock);
  return countRecords(
    { source: 'shard', deliveries },
    { store, now: admin.clock.now.bind(admin.clock), aggregateDays: 400, sessionDays: 30 },
  );
};

describe('a roll-out of a policy', () => {
  it('has the policy in force, and that of the body as candidate', async () => {
    await put({ preset: 'strict' });
    const { status, json } = await put({ preset: 'monitor', canary: true, rollout: ROLLOUT });
    const rollout = { ...ROLLOUT, policy: { preset: 'monitor', canary: true } };
    expect([status, json]).toEqual([200, { ...READ, version: 2, preset: 'strict', rollout }]);
    expect(await get()).toEqual(json);
    expect((await get('?effective=true')).preset).toEqual({ value: 'strict', source: 'deployment' });
    expect(await get('/rollout')).toMatchObject({
      version: 2,
      rollout: ROLLOUT,
      total: { requests: 0, risePoints: 0 },
    });
  });

  it('is shown to who reads analytics, without the keys that it takes and the policies', async () => {
    const { createdAt } = await get();
    const { json } = await admin.callAt('GET', '/v1/analytics/status');
    expect(json.rollout).toEqual({ percent: 10, since: createdAt });
  });

  it('is stored beside the policy in force, which releases without roll-outs apply', async () => {
    const Key = { pk: 'current' };
    const { Item } = await admin.dynamo.send(new GetCommand({ TableName: 'policies', Key }));
    const { rollout, ...inForce } = JSON.parse(Item?.settings);
    expect([inForce, rollout.policy]).toEqual([{ preset: 'strict' }, { preset: 'monitor', canary: true }]);
  });

  it('is unchanged when what was read is written back', async () => {
    const read = await get();
    expect((await put(read)).json).toEqual({ ...read, version: 3, createdAt: expect.any(String) });
  });

  it('is widened over the same policy in force', async () => {
    const { json } = await put({ preset: 'monitor', rollout: { ...ROLLOUT, percent: 50, tags: { team: 'shop' } } });
    expect(json).toMatchObject({
      version: 4,
      preset: 'strict',
      rollout: { percent: 50, policy: { preset: 'monitor' } },
    });
  });

  it('is promoted only in its version', async () => {
    expect((await post('promote', 3)).json.error).toMatchObject({ code: 'version_conflict', param: 'version' });
    expect((await post('promote', 4)).json).toEqual({ ...READ, version: 5, preset: 'monitor' });
    expect((await admin.call('GET', '/audit?limit=1')).json.data[0]).toMatchObject({
      action: 'policy.promoted',
      target: { id: '5' },
      after: { preset: 'monitor' },
    });
    for (const what of ['promote', 'withdraw'] as const) expect((await post(what, 5)).json.error.code).toBe('conflict');
    expect(await get('/rollout')).toMatchObject({ version: 5, rollout: null, since: null, total: null, watched: null });
  });

  it('is withdrawn, with an event', async () => {
    await put({ preset: 'strict', rollout: ROLLOUT });
    expect((await post('withdraw', 6)).json).toEqual({ ...READ, version: 7, preset: 'monitor' });
    expect((await admin.call('GET', '/audit?limit=1')).json.data[0].action).toBe('policy.withdrawn');
    expect((await admin.events()).at(-1)).toMatchObject({
      type: 'policy.withdrawn',
      data: { version: 6, replacedBy: 7, reason: 'administrator', counts: null },
    });
  });

  it('ends with a policy that is put or rolled back while it runs, which is in force for all', async () => {
    await put({ preset: 'strict', rollout: ROLLOUT });
    expect((await put({ canary: true })).json).toEqual({ ...READ, version: 9, canary: true });
    await put({ preset: 'strict', rollout: ROLLOUT });
    const { json } = await admin.call('POST', '/policy/rollback', { body: { version: 1 } });
    expect(json).toEqual({ ...READ, version: 11, preset: 'strict' });
    // That version had a roll-out.
    const again = await admin.call('POST', '/policy/rollback', { body: { version: 10 } });
    expect(again.json).toEqual({ ...READ, version: 12, canary: true });
  });

  it('is refused with the field at fault', async () => {
    const before = await get();
    for (const [body, param] of [
      [{ rollout: { percent: 10 } }, 'rollout.watch'],
      [{ rollout: { ...ROLLOUT, percent: 101 } }, 'rollout.percent'],
      [{ rollout: { ...ROLLOUT, watch: { blockedPoints: 1, minutes: 0 } } }, 'rollout.watch.minutes'],
      [{ rollout: { ...ROLLOUT, environments: ['Moon'] } }, 'rollout.environments[0]'],
      [{ rollout: { ...ROLLOUT, headers: {} } }, 'rollout.headers'],
      [{ preset: 'strict', rollout: { ...ROLLOUT, policy: { preset: 'lax' } } }, 'rollout.policy.preset'],
      [{ rules: [{ id: 'x', pattern: '(', action: 'flag' }], rollout: ROLLOUT }, 'rules[0].pattern'],
      [
        { rollout: { ...ROLLOUT, policy: { rules: [{ id: 'x', pattern: '(', action: 'flag' }] } } },
        'rollout.policy.rules[0].pattern',
      ],
    ] as const) {
      const { status, json } = await put(body);
      expect([status, json.error.param]).toEqual([400, param]);
    }
    expect(await get()).toEqual(before);
  });

  it('is started, promoted and withdrawn by administrators alone', async () => {
    const { key } = (await admin.call('POST', '/keys', { body: { name: 'app', permissions: ['analytics'] } })).json;
    for (const path of ['/policy/promote', '/policy/withdraw']) {
      expect((await admin.call('POST', path, { key, body: { version: 1 } })).status).toBe(403);
    }
    expect((await admin.call('PUT', '/policy', { key, body: { rollout: ROLLOUT } })).status).toBe(403);
    expect((await admin.call('GET', '/policy/rollout', { key })).status).toBe(403);
  });
});

describe('the watch of a roll-out', () => {
  it('withdraws it by what the usage counter has counted, once, and not before enough requests', async () => {
    const { version } = (await put({ preset: 'strict', rollout: ROLLOUT })).json;
    await count(version, 9, 9);
    expect(await watchRollout(admin.deps)).toBe(false);
    const counts = { requests: 9, blocked: 9, flagged: 0, blockedBefore: 0, flaggedBefore: 0, risePoints: 100 };
    expect(await get('/rollout')).toMatchObject({ total: counts, watched: counts });
    await count(version, 1, 0);
    const runs = await Promise.all([watchRollout(admin.deps), watchRollout(admin.deps)]);
    expect(runs.filter((isWithdrawn) => isWithdrawn)).toHaveLength(1);
    expect(await get()).toMatchObject({ version: version + 1, canary: true, createdBy: null });
    expect((await get()).rollout).toBeUndefined();
    const events = (await admin.events()).filter(({ type }) => type === 'policy.withdrawn');
    expect(events.at(-1)?.data).toMatchObject({ version, reason: 'watch', counts: { requests: 10, blocked: 9 } });
    const { data } = (await admin.call('GET', '/audit?limit=5')).json;
    expect(data).toContainEqual(
      expect.objectContaining({ action: 'policy.withdrawn', actor: { type: 'system' }, from: null }),
    );
  });

  it('does not count what happened before its last minutes', async () => {
    const { version } = (await put({ preset: 'strict', rollout: ROLLOUT })).json;
    await count(version, 20, 20);
    admin.clock.time += 62 * 60_000;
    expect(await watchRollout(admin.deps)).toBe(false);
    expect(await get('/rollout')).toMatchObject({ total: { requests: 20 }, watched: { requests: 0 } });
  });
});
