import { type GatewayEvent, newEventId } from '../model/events.ts';
import { toWebhookView, type Webhook } from '../model/webhook.ts';

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
