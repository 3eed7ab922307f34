import { inParallel } from '../base/batches.ts';
import { type EventPublisher, FINDINGS_EVENTS, type GatewayEvent, newEventId } from '../model/events.ts';
import { toWebhookView, type Webhook } from '../model/webhook.ts';

const CLEARED_AT_ONCE = 8;

/** An item with events, as a stream or an index delivers it. */
export interface OutboxItem {
  readonly table: string;
  /** The item's key in its store's form. */
  readonly key: object;
  /** JSON of each event, oldest first; at least one. */
  readonly events: readonly string[];
}

/** Where events are stored until they are relayed. */
export interface Outbox {
  /**
   * Removes the events from their item, unless more were added meanwhile: those arrive with all of them. Throws
   * StoreUnavailable.
   */
  clear(item: OutboxItem): Promise<void>;
}

/**
 * Publishes the events of these items to the queue, those with findings also to a second queue where there is one, and
 * removes them from their items. After an interruption they arrive again, with the same ids. Rejects where a batch has
 * to be delivered again.
 */
export async function relayEvents(
  items: readonly OutboxItem[],
  queue: EventPublisher,
  outbox: Outbox,
  findings?: EventPublisher,
): Promise<void> {
  // One item may be in a batch several times, once for each change.
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

/** Reports that a webhook was disabled. The query of its address may be a secret, and becomes `*`. */
export function disabledEvent(webhook: Webhook, nowMs: number): GatewayEvent {
  const created = new Date(nowMs).toISOString();
  const view = toWebhookView(webhook, nowMs);
  const [address, secret] = view.url.split('?', 2);
  const url = secret === undefined ? view.url : `${address}?*`;
  return { id: newEventId(), type: 'webhook.disabled', created, data: { ...view, url } };
}

/** For one endpoint, so that its owner can see it arrive. */
export function testEvent(webhookId: string, nowMs: number): GatewayEvent {
  const created = new Date(nowMs).toISOString();
  return { id: newEventId(), type: 'webhook.test', created, data: { webhookId } };
}
