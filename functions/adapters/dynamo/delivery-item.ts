import type { Delivery } from '../../control/webhooks/index.ts';
import type { DeadReason, DeliveryAttempt, DeliveryState } from '../../kernel/model/index.ts';
import type { Item } from './dynamo-calls.ts';
import { LIST_SHARDS, partitionOf } from './sharded-list.ts';

interface DeliveryItem {
  readonly pk: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly type: string;
  readonly state: DeliveryState;
  readonly count?: number;
  readonly digestId?: string;
  readonly createdAt: string;
  /** The due time, then the id. */
  readonly dueSk?: string;
  readonly deadReason?: DeadReason;
  /** Each a DeliveryAttempt as JSON. */
  readonly attempts: readonly string[];
  readonly body?: string;
  readonly since: string;
}

/** Sort key of a delivery's item. The partition of a digest's id also holds the events that it gathers. */
const DELIVERY = 'delivery';

export function deliveryKey(id: string): { pk: string; sk: string } {
  return { pk: id, sk: DELIVERY };
}

/** The list of an endpoint's deliveries in a state, or of all. */
export function listName(webhookId: string, state?: DeliveryState): string {
  return state === undefined ? webhookId : `${webhookId}#${state}`;
}

export function listPartition(id: string, webhookId: string, state?: DeliveryState): string {
  return partitionOf(listName(webhookId, state), shardOf(id));
}

/** The partition of a due delivery in the index `due`; the first is the one of earlier releases. */
export function duePartition(id: string, webhookId: string, shards: number): string {
  return shardPartition(webhookId, Number.parseInt(id.slice(-8), 16) % shards);
}

export function duePartitions(webhookId: string, shards: number): string[] {
  return Array.from({ length: shards }, (_, shard) => shardPartition(webhookId, shard));
}

export function shardPartition(webhookId: string, shard: number): string {
  return shard === 0 ? webhookId : partitionOf(webhookId, shard);
}

/** Sorts by time. */
export function dueKey(atMs: number, id: string): string {
  return `${new Date(atMs).toISOString()}#${id}`;
}

export function toDelivery(item: Item): Delivery {
  const { pk, dueSk, count = null, digestId = null, deadReason = null, ...rest } = item as unknown as DeliveryItem;
  return {
    id: pk,
    object: 'webhook.delivery',
    webhookId: rest.webhookId,
    eventId: rest.eventId,
    type: rest.type,
    state: rest.state,
    count,
    digestId,
    createdAt: rest.createdAt,
    nextAttemptAt: dueSk?.split('#')[0] ?? null,
    deadReason,
    attempts: rest.attempts.map((attempt) => JSON.parse(attempt) as DeliveryAttempt),
    body: rest.body,
    since: rest.since,
  };
}

/** An id ends with random digits, so they spread deliveries evenly. */
function shardOf(id: string): number {
  return Number.parseInt(id.slice(-8), 16) % LIST_SHARDS;
}
