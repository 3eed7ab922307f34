import { describe, expect, test } from '@jest/globals';
import { sweep } from '../../functions/control/webhooks/index.ts';
import { aWebhook } from '../../functions/control/webhooks/memory-webhooks.fixture.ts';
import { runEndpoint } from '../../functions/control/webhooks/run-endpoint.ts';
import { availableEngines } from '../stores/engines.ts';
import { anEvent, answering, startDeliveries } from './delivery-setup.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe.each(availableEngines())('deliveries over $name', (engine) => {
  const setUp = startDeliveries(engine);

  describe('an attempt that fails', () => {
    test('is retried with growing delays until the receiver accepts it; each attempt is in the log', async () => {
      const webhook = aWebhook();
      const run = setUp(webhook);
      run.answer = () => (run.posts.length < 4 ? answering(500, { text: 'Oh no' }) : answering(200));
      const event = anEvent();
      await run.take(event);
      await run.pass(HOUR);
      const delivery = await run.delivery(event.id, webhook);
      expect(delivery?.attempts.map(({ status, failure, response }) => [status, failure, response])).toEqual([
        [500, 'status', 'Oh no'],
        [500, 'status', 'Oh no'],
        [500, 'status', 'Oh no'],
        [200, null, ''],
      ]);
      const times = delivery?.attempts.map(({ at }) => Date.parse(at)) ?? [];
      const waits = times.slice(1).map((time, at) => time - (times[at] as number));
      // Half of 5, 10 and 20 s.
      expect(waits.map((wait) => Math.round(wait / 500) * 500)).toEqual([2_500, 5_000, 10_000]);
      expect(run.posts.map(({ headers }) => [headers['x-svc-attempt'], headers['webhook-id']])).toEqual(
        ['1', '2', '3', '4'].map((attempt) => [attempt, event.id]),
      );
    });

    test('waits for Retry-After, as do all others for a busy endpoint', async () => {
      const webhook = aWebhook();
      const run = setUp(webhook);
      run.answer = () => (run.posts.length === 1 ? answering(429, { retryAfter: '600' }) : answering(200));
      await run.take(anEvent());
      await run.pass(1_000);
      await run.take(anEvent());
      await run.pass(590_000);
      expect(run.posts).toHaveLength(1);
      await run.pass(20_000);
      expect(run.posts).toHaveLength(3);
    });

    test('with Retry-After pauses the endpoint also where others succeed at that moment', async () => {
      const run = setUp(aWebhook());
      run.answer = () => (run.posts.length === 1 ? answering(429, { retryAfter: '600' }) : answering(200));
      await run.take(...Array.from({ length: 10 }, () => anEvent()));
      await run.pass(1_000);
      const sent = run.posts.length;
      await run.take(anEvent());
      await run.pass(590_000);
      expect(run.posts).toHaveLength(sent);
      await run.pass(20_000);
      expect(run.posts).toHaveLength(12);
    });

    test('is repeated for at least a day, then the delivery is dead and can be redelivered', async () => {
      const webhook = aWebhook();
      const run = setUp(webhook);
      run.answer = () => ({ failure: 'connect' });
      const event = anEvent();
      const began = run.clock.time;
      await run.take(event);
      await run.pass(26 * HOUR);
      const dead = await run.delivery(event.id, webhook);
      expect(dead).toMatchObject({ state: 'dead', deadReason: 'exhausted', nextAttemptAt: null });
      expect(Date.parse(dead?.attempts.at(-1)?.at ?? '') - began).toBeGreaterThanOrEqual(DAY);
      expect(dead?.attempts.every(({ failure, status }) => failure === 'connect' && status === null)).toBe(true);
      expect(run.wakes).toEqual([]);

      run.answer = () => answering(200);
      expect((await run.store.redeliver(dead?.id ?? ''))?.state).toBe('pending');
      expect(await run.store.redeliver(dead?.id ?? '')).toBeUndefined();
      await run.deps.waker.wake(webhook.id, 0);
      await run.pass(HOUR);
      expect(await run.delivery(event.id, webhook)).toMatchObject({ state: 'delivered', deadReason: null });
    });

    test('causes few attempts at an endpoint that fails, with any number of pending deliveries', async () => {
      const webhook = aWebhook();
      const run = setUp(webhook);
      run.answer = () => ({ failure: 'timeout' });
      for (let batch = 0; batch < 10; batch += 1) await run.take(...Array.from({ length: 10 }, () => anEvent()));
      await run.pass(10 * 60_000);
      // Each of the hundred on its own would have been tried some seven times.
      expect(run.posts.length).toBeLessThan(40);
      run.answer = () => answering(200);
      await run.pass(HOUR);
      expect((await run.store.list({ webhookId: webhook.id, state: 'delivered', limit: 100 })).deliveries).toHaveLength(
        100,
      );
    });
  });

  describe('an endpoint', () => {
    test('that returns 410 is disabled at once, and nothing more is sent to it', async () => {
      const webhook = aWebhook();
      const run = setUp(webhook);
      run.answer = () => answering(410);
      const events = Array.from({ length: 30 }, () => anEvent());
      await run.take(...events);
      await run.pass(DAY);
      expect(run.webhooks.disabled).toEqual([[webhook.id, 'gone']]);
      // Those that ran at once.
      expect(run.posts.length).toBeLessThanOrEqual(10);
      const { deliveries } = await run.store.list({ webhookId: webhook.id, state: 'dead', limit: 100 });
      expect(deliveries).toHaveLength(30);
      expect(new Set(deliveries.map(({ deadReason }) => deadReason))).toEqual(new Set(['gone', 'disabled']));
    });

    test('that fails for five days is disabled, and not before', async () => {
      const run = setUp();
      const failingSince = new Date(run.clock.time - 5 * DAY + HOUR).toISOString();
      const webhook = aWebhook({ failingSince });
      run.webhooks.all.set(webhook.id, webhook);
      run.answer = () => answering(503);
      await run.take(anEvent());
      await run.pass(HOUR - 60_000);
      expect(run.posts.length).toBeGreaterThan(3);
      expect(run.webhooks.disabled).toEqual([]);
      await run.pass(2 * HOUR);
      expect(run.webhooks.disabled).toEqual([[webhook.id, 'failing']]);
    });

    test('is failing until its next success', async () => {
      const webhook = aWebhook();
      const run = setUp(webhook);
      run.answer = () => answering(500);
      await run.take(anEvent());
      await run.pass(1_000);
      expect(run.webhooks.all.get(webhook.id)?.failingSince).toBe(new Date(run.clock.time - 1_000).toISOString());
      run.answer = () => answering(200);
      await run.pass(HOUR);
      expect(run.webhooks.all.get(webhook.id)?.failingSince).toBeNull();
    });

    test('that is paused is tried at once after an administrator reset its failures', async () => {
      const webhook = aWebhook();
      const run = setUp(webhook);
      run.answer = () => answering(503, { retryAfter: '3000' });
      await run.take(anEvent());
      await run.pass(60_000);
      expect(run.posts).toHaveLength(1);
      run.answer = () => answering(204);
      await run.take(anEvent());
      await run.pass(60_000);
      expect(run.posts).toHaveLength(1);
      run.webhooks.all.set(webhook.id, webhook);
      await sweep(run.deps);
      await run.pass(1_000);
      expect(run.posts).toHaveLength(2);
    });

    test('that was deleted or disabled gets nothing, and its pending deliveries stay visible', async () => {
      const webhook = aWebhook();
      const run = setUp(webhook);
      const event = anEvent();
      await run.take(event);
      run.webhooks.all.delete(webhook.id);
      await run.pass(HOUR);
      expect(run.posts).toEqual([]);
      expect(await run.delivery(event.id, webhook)).toMatchObject({
        state: 'dead',
        deadReason: 'disabled',
        attempts: [],
      });
    });

    test('gets at most ten concurrent attempts, and delays no other endpoint', async () => {
      const [slow, fast] = [aWebhook({ url: 'https://slow.test/' }), aWebhook({ url: 'https://fast.test/' })];
      const run = setUp(slow, fast);
      await run.take(...Array.from({ length: 25 }, () => anEvent()));
      let running = 0;
      let most = 0;
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      run.answer = async ({ url }) => {
        if (url.startsWith('https://fast')) return answering(200);
        running += 1;
        most = Math.max(most, running);
        await held;
        running -= 1;
        return answering(200);
      };
      const slowly = [0, 1, 2].map(() => runEndpoint(slow.id, run.deps));
      await runEndpoint(fast.id, run.deps);
      expect((await run.store.list({ webhookId: fast.id, state: 'delivered', limit: 100 })).deliveries).toHaveLength(
        25,
      );
      release();
      await Promise.all(slowly);
      expect(most).toBe(10);
      expect(run.posts.filter(({ url }) => url.startsWith('https://slow'))).toHaveLength(25);
    });
  });
});
