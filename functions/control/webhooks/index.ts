/** Webhooks: endpoints, events from the outbox, deliveries with retries, and digests. */
export type { SendFailure, SendOutcome, WebhookPost, WebhookSender } from './attempt.ts';
export { deliveryIdOf, digestOf } from './delivered-event.ts';
export {
  type Delivery,
  type DeliveryPage,
  type DeliveryQuery,
  type DeliveryStore,
  type Digest,
  type DigestStore,
  type EndpointTurns,
  type EndpointWaker,
  type NewDelivery,
  type NextStep,
  type Place,
  type Turn,
  type TurnState,
  toDeliveryView,
} from './delivery-store.ts';
export { type EndpointUrlRules, findUrlFault, isLoopbackAddress, isPublicAddress } from './endpoint-url.ts';
export { receive } from './receive.ts';
export { disabledEvent, type Outbox, type OutboxItem, relayEvents, testEvent } from './relay-events.ts';
export { sweep } from './run-endpoint.ts';
export {
  mintWebhookSecret,
  newWebhookId,
  rotateSecrets,
  type StoredWebhook,
  type WebhookPage,
  type WebhookRegistry,
  type WebhookStore,
} from './webhook-store.ts';
