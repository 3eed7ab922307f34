import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DynamoKeyStore } from '../../functions/adapters/dynamo/dynamo-key-store.ts';
import { reportExpiringKeys } from '../../functions/control/keys/index.ts';
import type { GatewayEvent } from '../../functions/kernel/model/index.ts';
import { type AdminApp, startAdminApp } from '../support/admin-app.ts';

const DAY_MS = 86_400_000;
let admin: AdminApp;
beforeAll(async () => {
  admin = await startAdminApp();
});
afterAll(() => admin.stop());

const inDays = (days: number) => new Date(admin.clock.time + days * DAY_MS).toISOString();
const make = async (fields: object) =>
  (await admin.call('POST', '/keys', { body: { name: 'app', ...fields } })).json as { id: string; key: string };
/** Checks all keys, as the schedule does. @returns the new events */
const look = async () => {
  const before = (await expiring()).map(({ id }) => id);
  const count = await reportExpiringKeys({ keys: new DynamoKeyStore(admin.dynamo, 'keys'), clock: admin.clock });
  const reported = (await expiring()).filter(({ id }) => !before.includes(id));
  expect(reported).toHaveLength(count);
  return reported;
};
const expiring = async () => (await admin.events()).filter(({ type }) => type === 'key.expiring');
const idsOf = (events: readonly GatewayEvent[]) => events.map(({ data }) => 'id' in data && data.id);

describe('a key that expires within a week', () => {
  it('causes one event without its secret, and other keys cause none', async () => {
    await make({});
    await make({ expiresAt: inDays(7.01) });
    const { id: disabled } = await make({ expiresAt: inDays(1) });
    await admin.call('PATCH', `/keys/${disabled}`, { body: { state: 'disabled' } });
    const { id: revoked } = await make({ expiresAt: inDays(1) });
    await admin.call('DELETE', `/keys/${revoked}`);
    await make({ expiresAt: inDays(-1) });
    const { id, key } = await make({ expiresAt: inDays(7) });
    const [event, ...others] = await look();
    expect(others).toEqual([]);
    expect(event).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      type: 'key.expiring',
      created: new Date(admin.clock.time).toISOString(),
      data: (await admin.call('GET', `/keys/${id}`)).json,
    });
    for (const hidden of [key, 'secretHash', 'svc_sk_']) expect(JSON.stringify(event)).not.toContain(hidden);
    expect(await look()).toEqual([]);
    // Its time is not over: another one's has come meanwhile.
    admin.clock.time += 0.01 * DAY_MS;
    expect(idsOf(await look())).not.toContain(id);
  });

  it('causes another event after its expiry changed, but not after a rotation', async () => {
    const { id } = await make({ expiresAt: inDays(2) });
    const [first] = await look();
    await admin.call('POST', `/keys/${id}/rotate`, { body: {} });
    await admin.call('PATCH', `/keys/${id}`, { body: { name: 'renamed' } });
    expect(await look()).toEqual([]);
    await admin.call('PATCH', `/keys/${id}`, { body: { expiresAt: inDays(3) } });
    const [second] = await look();
    expect(idsOf([second as GatewayEvent])).toEqual([id]);
    expect(second?.id).not.toBe(first?.id);
    expect(await look()).toEqual([]);
  });

  it('causes one event if two runs check at the same time', async () => {
    const { id } = await make({ expiresAt: inDays(4) });
    const keys = new DynamoKeyStore(admin.dynamo, 'keys');
    const counts = await Promise.all([1, 2].map(() => reportExpiringKeys({ keys, clock: admin.clock })));
    expect(counts.sort()).toEqual([0, 1]);
    expect(idsOf(await expiring()).filter((reported) => reported === id)).toHaveLength(1);
  });

  it('is found after many pages', async () => {
    const { id } = await make({ expiresAt: inDays(5) });
    for (let at = 0; at < 101; at += 1) await make({ name: `filler ${at}` });
    expect(idsOf(await look())).toEqual([id]);
  });
});
