import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDynamoClient } from '../../functions/adapters/aws/clients.ts';
import { DynamoDeliveryStore } from '../../functions/adapters/dynamo/dynamo-delivery-store.ts';
import { embeddedAccess } from '../../lib/local/create-resources.ts';
import { availableEngines } from '../stores/engines.ts';

const NOW = Date.parse('2026-11-30T12:00:00.000Z');

describe.each(availableEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  let url = '';
  let stop = async () => {};
  beforeAll(async () => {
    ({ url, stop } = await engine.start());
  });
  afterAll(() => stop());

  it('deliveries that are due are found longest due first, in more partitions and from before there were more', async () => {
    const clock = { time: NOW, now: () => clock.time, monotonic: () => clock.time };
    const storeWith = (shards?: number) =>
      new DynamoDeliveryStore(createDynamoClient(embeddedAccess(url)), 'deliveries', clock, 30, shards);
    const webhookId = `wh_${randomBytes(8).toString('hex')}`;
    const ids: string[] = [];
    const create = async (store: DynamoDeliveryStore) => {
      const id = `delivery_${randomBytes(16).toString('hex')}`;
      ids.push(id);
      await store.create({ id, webhookId, eventId: 'evt_1', type: 'key.created', body: '{}', endUserId: undefined });
      clock.time += 1;
    };
    for (let at = 0; at < 10; at += 1) await create(storeWith());
    const store = storeWith(8);
    for (let at = 0; at < 150; at += 1) await create(store);
    expect(await store.due(webhookId, 40)).toEqual(ids.slice(0, 40));
    expect(await store.due(webhookId, 500)).toEqual(ids);
    expect(await store.nextDueAt(webhookId)).toBe(NOW);
    // More than one call returns.
    const all = await store.read(ids);
    expect(all.map(({ id }) => id)).toEqual(ids);
    for (const delivery of all) await store.bury(delivery, 'disabled');
    expect(await store.due(webhookId, 500)).toEqual([]);
    expect(await store.redeliver(ids[20] as string)).toMatchObject({ state: 'pending' });
    expect(await store.due(webhookId, 500)).toEqual([ids[20]]);
  });
});
