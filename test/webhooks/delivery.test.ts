import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { deliveryIdOf, sweep } from '../../functions/control/webhooks/index.ts';
import { aWebhook } from '../../functions/control/webhooks/memory-webhooks.fixture.ts';
import { runEndpoint } from '../../functions/control/webhooks/run-endpoint.ts';
import { StoreUnavailable } from '../../functions/kernel/errors/index.ts';
import { availableEngines } from '../stores/engines.ts';
import { eventually } from '../support/eventually.ts';
import { anEvent, answering, aThreat, startDeliveries } from './delivery-setup.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe.each(availableEngines())('deliveries over $name', (engine) => {
  const setUp = startDeliveries(engine);

  describe('an event', () => {
    test('is sent, signed, to each subscribed endpoint, and is then done', async () => {
      const [one, other, deaf] = [aWebhook(), aWebhook(), aWebhook({ events: ['budget.exceeded'] })];
      const run = setUp(one, other, deaf);
      const event = anEvent();
      expect(await run.take(event)).toEqual([]);
      await run.pass(1_000);
      expect(run.posts).toHaveLength(2);
      for (const { headers, body } of run.posts) {
        expect(JSON.parse(body)).toEqual(event);
        const delivered = headers['x-svc-delivery-id'] === deliveryIdOf(event.id, one.id) ? one : other;
        const signed = createHmac('sha256', delivered.secrets[0]?.secret ?? '')
          .update(body)
          .digest('hex');
        expect(headers).toMatchObject({
          'x-svc-signature': `sha256=${signed}`,
          'webhook-id': event.id,
          'x-svc-attempt': '1',
        });
      }
      expect(await run.delivery(event.id, one)).toMatchObject({
        state: 'delivered',
        count: 1,
        nextAttemptAt: null,
        attempts: [{ status: 204, failure: null, response: '' }],
      });
      expect(await run.delivery(event.id, deaf)).toBeUndefined();
    });

    test('of an alert is published to the topics that it names, and again if one of them does not take it', async () => {
      const [topic, other] = ['arn:aws:sns:eu-central-1:123456789012:a', 'arn:aws:sns:eu-central-1:123456789012:b'];
      const rule = { metric: 'errorRate', compare: 'above', threshold: 0.05, minutes: 5, scope: { teamId: 'team_1' } };
      const alert = {
        alertId: 'alert_1',
        name: 'Errors',
        state: 'firing',
        since: null,
        rule,
        value: 0.5,
        requests: 40,
      };
      const fired = anEvent({ type: 'alert.fired', data: { ...alert, webhookIds: [], topicArns: [topic, other] } });
      const webhook = aWebhook({ events: ['alert.fired'] });
      const run = setUp(webhook);
      const published: (readonly string[])[] = [];
      run.publish = (notice) => {
        published.push(notice);
        if (notice[0] === topic && published.length < 3) throw new StoreUnavailable('alert topic');
      };
      expect(await run.take(fired)).toEqual(['m0']);
      expect(await run.take(fired)).toEqual([]);
      const text = [
        ...['Firing: Errors.', 'Error rate: 50 % over 5 minutes, 40 requests. It fires above 5 %.', ''],
        ...['Team: team_1', 'Alert: alert_1'],
      ].join('\n');
      expect(published).toEqual([topic, other, topic, other].map((arn) => [arn, 'Firing: Errors', text]));
      await run.pass(1_000);
      expect(run.posts).toHaveLength(1);
      expect(await run.take(anEvent({ data: { topicArns: [topic] } }))).toEqual([]);
      expect(published).toHaveLength(4);
    });

    test('of a month that is over is published to the topics of the deployment', async () => {
      const topic = 'arn:aws:sns:eu-central-1:123456789012:llm-spend';
      const data = { month: '2026-11', timeZone: 'UTC', requests: 2, costUsd: 1.5, previousUsd: null };
      const run = setUp(aWebhook({ events: ['key.created'] }));
      const published: (readonly string[])[] = [];
      run.publish = (notice) => void published.push(notice);
      expect(await run.take(anEvent({ type: 'spend.report', data: { ...data, topicArns: [topic] } }))).toEqual([]);
      const text = 'Spend of 2026-11: $1.50.\n2 requests. Time zone: UTC.\n';
      expect(published).toEqual([[topic, 'Spend of 2026-11: $1.50', text]]);
    });

    test("of an identity's request names the team, and is never sent once the identity is deleted", async () => {
      const webhook = aWebhook({ events: ['request.blocked'] });
      const run = setUp(webhook);
      run.answer = () => answering(500);
      const identity = { issuer: 'https://login.example.com', subject: 'sue' };
      const [sue, ben] = ['a', 'b'].map((digit) => `idn_${digit.repeat(32)}`) as [string, string];
      const ofOne = (keyId: string) =>
        anEvent({ type: 'request.blocked', data: { keyId, teamId: 'team_1', identity, requestId: 'req_1' } });
      const [first, other] = [ofOne(sue), ofOne(ben)];
      await run.take(first, other);
      await run.pass(1_000);
      expect(run.posts.map(({ body }) => JSON.parse(body).data.teamId)).toEqual(['team_1', 'team_1']);
      expect(await run.deleteEndUser(sue)).toEqual({ deliveries: 1 });
      run.posts.length = 0;
      run.answer = () => answering(204);
      await run.pass(HOUR);
      expect(run.posts.map(({ body }) => JSON.parse(body).data.keyId)).toEqual([ben]);
      expect(await run.delivery(first.id, webhook)).toBeUndefined();
    });

    test.each([[[0]], [[15]], [[29]], [[0, 1, 14, 15, 29]]])(
      'whose delivery cannot be handled, at %j of thirty, fails its turn and delays no other',
      async (places) => {
        const webhook = aWebhook();
        const run = setUp(webhook);
        const events = Array.from({ length: 30 }, () => anEvent());
        const poison = new Set(places.map((at) => deliveryIdOf(events[at]?.id ?? '', webhook.id)));
        const begin = run.store.begin.bind(run.store);
        run.store.begin = async (delivery) => {
          if (poison.has(delivery.id)) throw new SyntaxError('planted');
          return begin(delivery);
        };
        for (let at = 0; at < 30; at += 10) await run.take(...events.slice(at, at + 10));
        run.wakes.splice(0);
        expect(await run.take({ wake: webhook.id })).toEqual(['m0']);
        expect(run.posts).toHaveLength(30 - places.length);
      },
    );

    test('that comes twice is delivered once', async () => {
      const run = setUp(aWebhook());
      const event = anEvent();
      await run.take(event, event);
      await run.take(event);
      await run.pass(DAY);
      expect(run.posts).toHaveLength(1);
    });

    test('that cannot be parsed is retried alone, and delays no other', async () => {
      const run = setUp(aWebhook());
      expect(await run.take('no JSON', anEvent(), { id: 'other', type: 'x' })).toEqual(['m0', 'm2']);
      await run.pass(1_000);
      expect(run.posts).toHaveLength(1);
    });

    test('is retried if its endpoints cannot be woken', async () => {
      const run = setUp(aWebhook());
      const waker = { wake: () => Promise.reject(new Error('away')) };
      const failing = { ...run.deps, waker };
      const { receive } = await import('../../functions/control/webhooks/receive.ts');
      const messages = [anEvent(), anEvent()].map((event, at) => ({ id: `m${at}`, body: JSON.stringify(event) }));
      expect([...(await receive(messages, failing)).keys()].sort()).toEqual(['m0', 'm1']);
    });
  });

  describe('a process that dies', () => {
    test('before it recorded a response leaves that attempt in the log, and it is retried', async () => {
      const webhook = aWebhook();
      const run = setUp(webhook);
      const event = anEvent();
      await run.take(event);
      // As after a kill: its turn is taken, and nothing of it ends.
      run.answer = () => new Promise(() => {});
      void runEndpoint(webhook.id, run.deps);
      await eventually(() => run.posts.length > 0);
      run.answer = () => answering(200);
      run.wakes.splice(0);
      await runEndpoint(webhook.id, run.deps);
      expect(run.posts).toHaveLength(1);
      run.clock.time += 31_000;
      await sweep(run.deps);
      expect(run.wakes).toHaveLength(1);
      await run.pass(1_000);
      const { state, attempts } = (await run.delivery(event.id, webhook)) ?? {};
      expect([state, attempts?.map(({ failure }) => failure)]).toEqual(['delivered', ['unknown', null]]);
    });

    test('sends one wake message for all pending deliveries, with any number of turns', async () => {
      const webhook = aWebhook();
      const run = setUp(webhook);
      run.answer = () => answering(500);
      await run.take(anEvent());
      await run.pass(1_000);
      expect(run.wakes).toHaveLength(1);
      for (let turn = 0; turn < 5; turn += 1) await runEndpoint(webhook.id, run.deps);
      expect(run.wakes).toHaveLength(1);
    });

    test('loses no event with a lost wake message: due deliveries are found by a scan', async () => {
      const [one, idle] = [aWebhook(), aWebhook({ events: [] })];
      const run = setUp(one, idle);
      await run.take(anEvent());
      run.wakes.splice(0);
      await sweep(run.deps);
      expect(run.wakes.map(({ id }) => id)).toEqual([one.id]);
      await run.pass(1_000);
      expect(run.posts).toHaveLength(1);
      await sweep(run.deps);
      expect(run.wakes).toEqual([]);
    });
  });

  test("a wake message during an endpoint's turn is not lost", async () => {
    const webhook = aWebhook();
    const run = setUp(webhook);
    let release = () => {};
    run.answer = () => new Promise((resolve) => (release = () => resolve(answering(200))));
    await run.take(anEvent());
    const running = runEndpoint(webhook.id, run.deps);
    await eventually(() => run.posts.length > 0);
    run.wakes.splice(0);
    await runEndpoint(webhook.id, run.deps);
    release();
    await running;
    expect(run.wakes).toEqual([{ id: webhook.id, at: run.clock.time + 1_000 }]);
  });

  describe('of many similar events', () => {
    test('the first is sent at once, the others of its minute in a digest, and the log lists each', async () => {
      const webhook = aWebhook();
      const run = setUp(webhook);
      const events = Array.from({ length: 12 }, () => aThreat('key_1'));
      await run.take(...events.slice(0, 10));
      await run.take(...events.slice(5));
      await run.pass(30_000);
      expect(run.posts).toHaveLength(1);
      const first = JSON.parse(run.posts[0]?.body ?? '');
      expect(first.data.count).toBeUndefined();

      await run.pass(60_000);
      expect(run.posts).toHaveLength(2);
      const digest = JSON.parse(run.posts[1]?.body ?? '');
      expect(digest).toMatchObject({ type: 'threat.detected', data: { keyId: 'key_1', count: 11 } });
      expect(events.map(({ id }) => id)).not.toContain(digest.id);
      const { deliveries } = await run.store.list({ webhookId: webhook.id, limit: 100 });
      const digestId = run.posts[1]?.headers['x-svc-delivery-id'];
      const gathered = deliveries.filter((delivery) => delivery.digestId === digestId);
      expect(gathered.map(({ eventId }) => eventId).sort()).toEqual(
        events
          .map(({ id }) => id)
          .filter((id) => id !== first.id)
          .sort(),
      );
      expect(gathered.every(({ state, attempts }) => state === 'gathered' && attempts.length === 0)).toBe(true);
      expect(deliveries.find(({ id }) => id === digestId)).toMatchObject({ state: 'delivered', count: 11 });

      // The next minute starts with a separate delivery.
      await run.take(aThreat('key_1'));
      await run.pass(1_000);
      expect(run.posts).toHaveLength(3);
    });

    test('those of another key, another endpoint or another type are sent separately', async () => {
      const run = setUp(aWebhook(), aWebhook());
      await run.take(
        aThreat('key_1'),
        aThreat('key_2'),
        { ...aThreat('key_1'), type: 'request.blocked' },
        anEvent(),
        anEvent(),
      );
      await run.pass(1_000);
      expect(run.posts).toHaveLength(10);
    });

    test('a single one makes no digest', async () => {
      const run = setUp(aWebhook());
      await run.take(aThreat('key_1'));
      await run.pass(HOUR);
      expect(run.posts).toHaveLength(1);
      expect(run.wakes).toEqual([]);
    });

    test('one that is repeated while its digest is in progress is counted once', async () => {
      const run = setUp(aWebhook());
      const [first, second, third] = [aThreat('key_1'), aThreat('key_1'), aThreat('key_1')];
      await run.take(first);
      await run.take(second, third);
      await run.take(second);
      await run.pass(2 * 60_000);
      await run.take(second, third, first);
      await run.pass(HOUR);
      expect(run.posts.map(({ body }) => JSON.parse(body).data.count)).toEqual([undefined, 2]);
    });

    test('one whose writer was delayed until its digest was closed is sent separately', async () => {
      const webhook = aWebhook();
      const run = setUp(webhook);
      const [first, second, late] = [aThreat('key_1'), aThreat('key_1'), aThreat('key_1')];
      await run.take(first);
      await run.take(second);
      // It was recorded as gathered, and then nothing for two minutes.
      const digestId = (await run.delivery(second.id, webhook))?.digestId as string;
      const body = JSON.stringify(late);
      const noted = {
        id: deliveryIdOf(late.id, webhook.id),
        webhookId: webhook.id,
        eventId: late.id,
        type: late.type,
        body,
        endUserId: undefined,
      };
      await run.store.createGathered(noted, digestId);
      await run.pass(2 * 60_000);
      expect(run.posts.map((post) => JSON.parse(post.body).data.count)).toEqual([undefined, 1]);
      await run.take(late);
      await run.pass(1_000);
      expect(JSON.parse(run.posts[2]?.body ?? '').id).toBe(late.id);
      expect(await run.delivery(late.id, webhook)).toMatchObject({ state: 'delivered', digestId: null });
    });
  });

  test('the log is paged, newest first, also by state', async () => {
    const webhook = aWebhook();
    const run = setUp(webhook);
    const ids: string[] = [];
    for (let at = 0; at < 7; at += 1) {
      const event = anEvent();
      run.answer = () => answering(at % 2 === 0 ? 200 : 410);
      run.webhooks.all.set(webhook.id, webhook);
      await run.take(event);
      await run.pass(1_000);
      ids.unshift(deliveryIdOf(event.id, webhook.id));
    }
    const read = async (state?: 'delivered' | 'dead') => {
      const pages: string[][] = [];
      let cursor: string | undefined;
      do {
        const page = await run.store.list({ webhookId: webhook.id, state, limit: 3, cursor });
        pages.push(page.deliveries.map(({ id }) => id));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return pages;
    };
    expect((await read()).flat()).toEqual(ids);
    expect((await read())[0]).toHaveLength(3);
    expect((await read('dead')).flat()).toEqual(ids.filter((_, at) => at % 2 === 1));
    await expect(run.store.list({ webhookId: webhook.id, limit: 3, cursor: 'x' })).rejects.toThrow('cursor');
  });
});
