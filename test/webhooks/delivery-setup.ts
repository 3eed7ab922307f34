import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { createDynamoClient, type DynamoClient } from '../../functions/adapters/aws/clients.ts';
import { DynamoDeliveryStore } from '../../functions/adapters/dynamo/dynamo-delivery-store.ts';
import { DynamoDigestStore } from '../../functions/adapters/dynamo/dynamo-digest-store.ts';
import { DynamoDeliveredEndUsers } from '../../functions/adapters/dynamo/dynamo-end-user-data.ts';
import { DynamoEndpointTurns } from '../../functions/adapters/dynamo/dynamo-endpoint-turns.ts';
import type { DeliveredEvent } from '../../functions/control/webhooks/delivered-event.ts';
import { deliveryIdOf, receive, type SendOutcome, type WebhookPost } from '../../functions/control/webhooks/index.ts';
import { MemoryWebhooks } from '../../functions/control/webhooks/memory-webhooks.fixture.ts';
import type { ReceiveDeps } from '../../functions/control/webhooks/receive.ts';
import type { Webhook } from '../../functions/kernel/model/index.ts';
import { embeddedAccess } from '../../lib/local/create-resources.ts';
import type { Engine } from '../stores/engines.ts';
import { FakeClock } from '../stores/fake-clock.ts';

export type Answer = (post: WebhookPost) => SendOutcome | Promise<SendOutcome>;
export const answering = (status: number, more: { retryAfter?: string; text?: string } = {}): SendOutcome => ({
  answer: { status, text: '', ...more },
});

/** Deliveries over a real table, with time, endpoints and receivers that a test owns. Wakes are run when time comes to them. */
export class Deliveries {
  readonly clock = new FakeClock();
  readonly posts: WebhookPost[] = [];
  readonly wakes: { id: string; at: number; worker?: number }[] = [];
  readonly webhooks: MemoryWebhooks;
  readonly store: DynamoDeliveryStore;
  readonly deps: ReceiveDeps;
  answer: Answer = () => answering(204);
  /** Sends a notice to a topic. */
  publish: (notice: readonly string[]) => void = () => {};
  private readonly client: DynamoClient;

  constructor(dynamodbUrl: string, webhooks: readonly Webhook[], shards = 1) {
    this.client = createDynamoClient(embeddedAccess(dynamodbUrl));
    this.webhooks = new MemoryWebhooks(...webhooks);
    this.store = new DynamoDeliveryStore(this.client, 'deliveries', this.clock, 30, shards);
    this.deps = {
      webhooks: this.webhooks,
      deliveries: this.store,
      digests: new DynamoDigestStore(this.client, 'deliveries', this.clock, this.store),
      turns: new DynamoEndpointTurns(this.client, 'deliveries', this.clock, 30_000),
      waker: {
        wake: async (id, delayMs, worker) =>
          void this.wakes.push({ id, at: this.clock.time + delayMs, ...(worker ? { worker } : {}) }),
      },
      sender: {
        send: async (post) => {
          this.posts.push(post);
          return this.answer(post);
        },
      },
      topics: { publish: async (...notice) => this.publish(notice) },
      clock: this.clock,
      turnMs: 10_000,
      attemptsAtOnce: shards === 1 ? { fewest: 10, most: 100 } : { fewest: 2, most: 4 },
      shards,
      random: () => 0.5,
      onDead: () => {},
    };
  }

  /** Puts events on the queue, as one batch. @returns the ids of those that failed */
  async take(...events: unknown[]): Promise<readonly string[]> {
    const bodies = events.map((event) => (typeof event === 'string' ? event : JSON.stringify(event)));
    const failed = await receive(
      bodies.map((body, at) => ({ id: `m${at}`, body })),
      this.deps,
    );
    return [...failed.keys()];
  }

  /** Lets so much time pass, in which every wake is run when it is due. */
  async pass(ms: number): Promise<void> {
    const until = this.clock.time + ms;
    for (;;) {
      const [next] = this.wakes.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.wakes.splice(this.wakes.indexOf(next), 1);
      this.clock.time = Math.max(this.clock.time, next.at);
      await this.take({ wake: next.id, worker: next.worker });
    }
    this.clock.time = until;
  }

  async delivery(eventId: string, { id }: Webhook) {
    return this.store.get(deliveryIdOf(eventId, id));
  }

  deleteEndUser(id: string): Promise<{ deliveries: number }> {
    return new DynamoDeliveredEndUsers(this.client, 'deliveries').deleteEndUser(id);
  }

  close(): void {}
}

let made = 0;

export function anEvent(change: Partial<DeliveredEvent> = {}): DeliveredEvent {
  made += 1;
  return {
    id: `evt_${made}`,
    type: 'key.created',
    created: '2026-01-01T00:00:00.000Z',
    data: { id: 'key_1' },
    ...change,
  };
}

/** One of many alike. */
export function aThreat(keyId: string): DeliveredEvent {
  return anEvent({
    type: 'threat.detected',
    data: { keyId, threatScore: 0.9, detectedThreats: [{ type: 'jailbreak' }] },
  });
}

/** Starts an engine for the tests of a file. @returns what makes deliveries over it, which end with their test */
export function startDeliveries(engine: Engine, shards = 1): (...webhooks: Webhook[]) => Deliveries {
  let store: Awaited<ReturnType<typeof engine.start>>;
  let all: Deliveries[] = [];
  beforeAll(async () => {
    store = await engine.start();
  });
  afterEach(() => {
    for (const one of all) one.close();
    all = [];
  });
  afterAll(() => store.stop());

  return (...webhooks) => {
    const deliveries = new Deliveries(store.url, webhooks, shards);
    all.push(deliveries);
    return deliveries;
  };
}
