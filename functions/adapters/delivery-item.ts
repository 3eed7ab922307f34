import type { DeadReason, Delivery, DeliveryAttempt, DeliveryState } from '../core/model/delivery.ts';
import { type Item, text } from './dynamo-item.ts';
import { LIST_SHARDS, partitionOf } from './sharded-list.ts';

/** A delivery's item stands under its id; a digest's id names what it gathers as well. */
export const DELIVERY = 'delivery';

export function deliveryKey(id: string): { pk: { S: string }; sk: { S: string } } {
  return { pk: text(id), sk: text(DELIVERY) };
}

/** The list of an endpoint's deliveries in a state, of all where absent. */
export function listName(webhookId: string, state?: DeliveryState): string {
  return state === undefined ? webhookId : `${webhookId}#${state}`;
}

export function listPartition(id: string, webhookId: string, state?: DeliveryState): { S: string } {
  return text(partitionOf(listName(webhookId, state), shardOf(id)));
}

/** In the order of time. */
export function dueKey(atMs: number, id: string): { S: string } {
  return text(`${new Date(atMs).toISOString()}#${id}`);
}

export function toDelivery(item: Item): Delivery {
  const count = item.count?.N;
  return {
    id: item.pk?.S ?? '',
    object: 'webhook.delivery',
    webhookId: item.webhookId?.S ?? '',
    eventId: item.eventId?.S ?? '',
    type: item.type?.S ?? '',
    state: item.state?.S as DeliveryState,
    count: count === undefined ? null : Number(count),
    digestId: item.digestId?.S ?? null,
    createdAt: item.createdAt?.S ?? '',
    nextAttemptAt: item.dueSk?.S?.split('#')[0] ?? null,
    deadReason: (item.deadReason?.S as DeadReason | undefined) ?? null,
    attempts: (item.attempts?.L ?? []).map(({ S = '' }) => JSON.parse(S) as DeliveryAttempt),
    body: item.body?.S,
    since: item.since?.S ?? '',
  };
}

/** An id ends in random digits: any of them spread deliveries evenly. */
function shardOf(id: string): number {
  return Number.parseInt(id.slice(-8), 16) % LIST_SHARDS;
}
