import { describe, expect, test } from '@jest/globals';
import { deliveryIdOf, type SendOutcome } from '../../functions/control/webhooks/index.ts';
import { aWebhook } from '../../functions/control/webhooks/memory-webhooks.fixture.ts';
import type { Webhook } from '../../functions/kernel/model/index.ts';
import { availableEngines } from '../stores/engines.ts';
import { eventually } from '../support/eventually.ts';
import { anEvent, answering, type Deliveries, startDeliveries } from './delivery-setup.ts';

/** Of which a worker makes two attempts at once, at most four, in rounds of five for each. */
const SHARDS = 4;
const HOUR = 3_600_000;

describe.each(availableEngines())('an endpoint with several partitions over $name', (engine) => {
  const setUp = startDeliveries(engine, SHARDS);

  /** Deliveries that are due. @returns the ids of their events */
  async function pending(run: Deliveries, webhook: Webhook, count: number): Promise<string[]> {
    const ids = Array.from({ length: count }, () => anEvent().id);
    for (const eventId of ids) {
      const id = deliveryIdOf(eventId, webhook.id);
      const delivery = { id, webhookId: webhook.id, eventId, type: 'key.created', body: '{}', endUserId: undefined };
      await run.store.create(delivery);
    }
    return ids;
  }

  /** Makes all attempts after the first `count` wait. @returns what lets them go on */
  function hold(run: Deliveries, count: number): () => void {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    run.answer = async () => {
      if (run.posts.length > count) await held;
      return answering(204);
    };
    return release;
  }

  const workersOf = ({ wakes }: Deliveries) => wakes.map(({ worker = 0 }) => worker).sort();
  const sentBy = ({ posts }: Deliveries) => posts.map(({ headers }) => headers['webhook-id'] ?? '');

  test('has one worker for all of them while that has no backlog at its highest pace', async () => {
    const webhook = aWebhook();
    const run = setUp(webhook);
    // The second round does not take as many as it could.
    const ids = await pending(run, webhook, 29);
    await run.take({ wake: webhook.id });
    expect(sentBy(run).sort()).toEqual(ids.sort());
    expect(run.wakes).toEqual([]);
  });

  test('has one for each while there is, which get each event once', async () => {
    const webhook = aWebhook();
    const run = setUp(webhook);
    const ids = await pending(run, webhook, 200);
    // Rounds of 10, 20 and 20.
    const release = hold(run, 50);
    const workers = [run.take({ wake: webhook.id })];
    for (let worker = 1; worker < SHARDS; worker += 1) {
      await eventually(() => workersOf(run).includes(worker));
      run.wakes.splice(0);
      workers.push(run.take({ wake: webhook.id, worker }));
    }
    // More than one may send.
    await eventually(() => run.posts.length === 50 + SHARDS * 4);
    release();
    expect(await Promise.all(workers)).toEqual([[], [], [], []]);
    await run.pass(HOUR);
    expect(sentBy(run).sort()).toEqual(ids.sort());
    expect(run.wakes).toEqual([]);
  });

  test('of which one is busy delays no other endpoint', async () => {
    const [busy, quiet] = [aWebhook({ url: 'https://busy.test/' }), aWebhook({ url: 'https://quiet.test/' })];
    const run = setUp(busy, quiet);
    await pending(run, busy, 200);
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    run.answer = async ({ url }) => {
      if (url === busy.url) await held;
      return answering(204);
    };
    const workers = Array.from({ length: SHARDS }, (_, worker) => run.take({ wake: busy.id, worker }));
    await eventually(() => run.posts.length === 2 + (SHARDS - 1) * 4);
    const [event] = await pending(run, quiet, 1);
    await run.take({ wake: quiet.id });
    expect(await run.delivery(event ?? '', quiet)).toMatchObject({ state: 'delivered' });
    release();
    await Promise.all(workers);
  });

  test('is left to its first worker at the first failure, and paused as a whole', async () => {
    const webhook = aWebhook();
    const run = setUp(webhook);
    const ids = await pending(run, webhook, 200);
    run.answer = () => (run.posts.length === 10 ? answering(429, { retryAfter: '600' }) : answering(200));
    await run.take({ wake: webhook.id, worker: 1 });
    // Besides those that ran at once.
    expect(run.posts.length).toBeLessThan(10 + 4);
    expect(run.webhooks.all.get(webhook.id)?.failingSince).not.toBeNull();
    for (let worker = 0; worker < SHARDS; worker += 1) await run.take({ wake: webhook.id, worker });
    await run.pass(590_000);
    expect(run.posts.length).toBeLessThan(10 + 4);
    await run.pass(HOUR);
    expect([...new Set(sentBy(run))].sort()).toEqual(ids.sort());
    expect(run.posts).toHaveLength(201);
    expect(run.webhooks.all.get(webhook.id)?.failingSince).toBeNull();
  });

  test("is paused by another worker also during its first one's turn", async () => {
    const webhook = aWebhook();
    const run = setUp(webhook);
    await pending(run, webhook, 200);
    const waiting: ((outcome: SendOutcome) => void)[] = [];
    run.answer = () => new Promise((resolve) => waiting.push(resolve));
    const other = run.take({ wake: webhook.id, worker: 2 });
    await eventually(() => waiting.length === 4);
    const first = run.take({ wake: webhook.id });
    await eventually(() => waiting.length === 6);
    for (const answer of waiting.slice(0, 4)) answer(answering(503, { retryAfter: '600' }));
    await other;
    run.answer = () => answering(200);
    for (const answer of waiting.slice(4)) answer(answering(200));
    await first;
    // Its own round of ten goes on.
    expect(run.posts).toHaveLength(4 + 10);
    await run.pass(590_000);
    expect(run.posts).toHaveLength(4 + 10);
    await run.pass(HOUR);
    expect(new Set(sentBy(run)).size).toBe(200);
  });

  test('has at most one worker for a partition: what one has begun, no other sends', async () => {
    const webhook = aWebhook();
    const run = setUp(webhook);
    const ids = await pending(run, webhook, 200);
    const release = hold(run, 0);
    const workers = [run.take({ wake: webhook.id, worker: 1 }), run.take({ wake: webhook.id, worker: 3 })];
    await eventually(() => run.posts.length === 8);
    workers.push(run.take({ wake: webhook.id }));
    await eventually(() => run.posts.length === 10);
    release();
    await Promise.all(workers);
    await run.pass(HOUR);
    expect(sentBy(run).sort()).toEqual(ids.sort());
  });

  test('is buried by its first worker alone', async () => {
    const webhook = aWebhook();
    const run = setUp(webhook);
    await pending(run, webhook, 30);
    run.webhooks.all.delete(webhook.id);
    await run.take({ wake: webhook.id, worker: 3 });
    expect((await run.store.list({ webhookId: webhook.id, state: 'dead', limit: 100 })).deliveries).toEqual([]);
    await run.take({ wake: webhook.id });
    expect((await run.store.list({ webhookId: webhook.id, state: 'dead', limit: 100 })).deliveries).toHaveLength(30);
    expect(run.posts).toEqual([]);
  });
});
