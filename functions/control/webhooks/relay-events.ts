import {
  type EventPublisher,
  FINDINGS_EVENTS,
  type GatewayEvent,
  MAX_EVENT_BYTES,
  newEventId,
  toWebhookView,
  type Webhook,
} from '../../kernel/model/index.ts';
import { inParallel } from '../../kernel/tasks/index.ts';

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

export interface RelayDeps {
  readonly queue: EventPublisher;
  /** Queue that also receives events with findings; undefined if there is none. */
  readonly findings: EventPublisher | undefined;
  readonly outbox: Outbox;
  /** Receives each event that can never be relayed, with its table. */
  readonly onSkipped: (table: string, error: unknown) => void;
}

/**
 * Publishes the events of these items to the queue, those with findings also to a second queue where there is one, and
 * removes them from their items. After an interruption they arrive again, with the same ids. An event that can never be
 * relayed is skipped, since its shard would wait for it. Rejects where a batch has to be delivered again.
 */
export async function relayEvents(items: readonly OutboxItem[], deps: RelayDeps): Promise<void> {
  const { queue, findings, outbox, onSkipped } = deps;
  // One item may be in a batch several times, once for each change.
  const events = new Map<string, unknown>();
  for (const { table, events: texts } of items) {
    for (const text of texts) {
      if (events.has(text)) continue;
      try {
        events.set(text, typeOf(text));
      } catch (error) {
        onSkipped(table, error);
      }
    }
  }
  if (events.size > 0) await queue.publish([...events.keys()]);
  const found = [...events].filter(([, type]) => FINDINGS_EVENTS.some((one) => one === type)).map(([text]) => text);
  if (found.length > 0) await findings?.publish(found);
  await inParallel(items, CLEARED_AT_ONCE, (item) => outbox.clear(item));
}

/** The type of an event. @throws if no queue accepts it */
function typeOf(text: string): unknown {
  if (Buffer.byteLength(text) > MAX_EVENT_BYTES) throw new RangeError('the event is too long');
  const event: unknown = JSON.parse(text);
  if (typeof event !== 'object' || event === null) throw new TypeError('the event is no object');
  return (event as { type?: unknown }).type;
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
