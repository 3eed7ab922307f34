import { inParallel } from '../analytics/in-parallel.ts';
import type { Webhook } from '../model/webhook.ts';
import type { DeliveryStore, NewDelivery } from '../ports/delivery-store.ts';
import type { DigestStore } from '../ports/digest-store.ts';
import { alikeName } from './alike.ts';
import { type DeliveredEvent, deliveryIdOf } from './delivered-event.ts';
import { eventBody } from './event-body.ts';
import { wants } from './wants.ts';

const AT_ONCE = 8;

export interface FanOutDeps {
  readonly deliveries: DeliveryStore;
  readonly digests: DigestStore;
}

/**
 * Puts an event on its way to each endpoint that wants it. It may be done again, in part or whole: an event is delivered to
 * an endpoint once by itself or counted once by a digest, however often it comes.
 * @returns the endpoints for which something may be due now
 */
export async function fanOut(
  event: DeliveredEvent,
  webhooks: readonly Webhook[],
  deps: FanOutDeps,
): Promise<readonly string[]> {
  const wanting = webhooks.filter((webhook) => wants(webhook, event));
  if (wanting.length === 0) return [];
  const body = eventBody(event);
  await inParallel(wanting, AT_ONCE, ({ id }) => sendOrGather(event, toDelivery(event, body, id), deps));
  return wanting.map(({ id }) => id);
}

async function sendOrGather(
  event: DeliveredEvent,
  delivery: NewDelivery,
  { deliveries, digests }: FanOutDeps,
): Promise<void> {
  const alike = alikeName(delivery.webhookId, event);
  if (alike === undefined) {
    await deliveries.create(delivery);
    return;
  }
  const before = await deliveries.get(delivery.id);
  if (before !== undefined) {
    if (before.state === 'gathered') await digests.gatherAgain(before, delivery);
    return;
  }
  const { digest } = await digests.enter(alike, event.id);
  if (digest === undefined) await deliveries.create(delivery);
  else await digests.gather(digest, delivery);
}

function toDelivery(event: DeliveredEvent, body: string, webhookId: string): NewDelivery {
  const { endUserId } = event.data;
  return {
    id: deliveryIdOf(event.id, webhookId),
    webhookId,
    eventId: event.id,
    type: event.type,
    body,
    endUserId: typeof endUserId === 'string' ? endUserId : undefined,
  };
}
