import { inParallel } from '../base/batches.ts';
import { type EventPublisher, FINDINGS_EVENTS, type GatewayEvent, newEventId } from '../model/events.ts';
import { toWebhookView, type Webhook } from '../model/webhook.ts';

const CLEARED_AT_ONCE = 8;

/** An item that tells of something, as a stream or an index delivers it. */
export interface OutboxItem {
  readonly table: string;
  /** The item's key, as its store has it. */
  readonly key: object;
  /** JSON of each event, oldest first; at least one. */
  readonly events: readonly string[];
}

/** Where events stand until they are relayed. */
export interface Outbox {
  /** Takes the events out of their item, unless more were added meanwhile: those come with all of them. Throws StoreUnavailable. */
  clear(item: OutboxItem): Promise<void>;
}

/**
 * Hands the events of these items to the queue, those with findings then to a queue of their own where there is one, and takes them out of their items. Cut off between the two, they come
 * again, by the same ids. Rejects where a batch has to be delivered again.
 */
export async function relayEvents(
  items: readonly OutboxItem[],
  queue: EventPublisher,
  outbox: Outbox,
  findings?: EventPublisher,
): Promise<void> {
  // One item may come several times in a batch, as it was at each of its changes.
  const events = new Set(items.flatMap((item) => item.events));
  if (events.size > 0) await queue.publish([...events]);
  const found = findings === undefined ? [] : [...events].filter(tellsOfFindings);
  if (found.length > 0) await findings?.publish(found);
  await inParallel(items, CLEARED_AT_ONCE, (item) => outbox.clear(item));
}

function tellsOfFindings(event: string): boolean {
  const { type } = JSON.parse(event) as { type?: unknown };
  return FINDINGS_EVENTS.some((one) => one === type);
}

/** That nothing more is sent to an endpoint. What stands in its address behind `?` may be a secret, and is told as `*`. */
export function disabledEvent(webhook: Webhook, nowMs: number): GatewayEvent {
  const created = new Date(nowMs).toISOString();
  const view = toWebhookView(webhook, nowMs);
  const [address, secret] = view.url.split('?', 2);
  const url = secret === undefined ? view.url : `${address}?*`;
  return { id: newEventId(), type: 'webhook.disabled', created, data: { ...view, url } };
}

/** For one endpoint alone, so that its owner sees something arrive. */
export function testEvent(webhookId: string, nowMs: number): GatewayEvent {
  const created = new Date(nowMs).toISOString();
  return { id: newEventId(), type: 'webhook.test', created, data: { webhookId } };
}
