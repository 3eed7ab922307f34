import type { WebhookView } from '../../api/client.ts';
import { StateTag } from '../../components/tag.tsx';
import { type Delivery, failingNote, stateOf } from './delivery-words.ts';

/** The state of a webhook; that of a failing one has its duration. */
export function WebhookState({ webhook }: { readonly webhook: WebhookView }) {
  const failing = webhook.state === 'disabled' ? undefined : failingNote(webhook, Date.now());
  return failing === undefined ? <StateTag state={webhook.state} /> : <StateTag state={failing} isFault />;
}

/** The state of a delivery in plain words. */
export function DeliveryState({ delivery }: { readonly delivery: Pick<Delivery, 'state' | 'attempts' | 'count'> }) {
  const { name, isFault } = stateOf(delivery);
  return <StateTag state={name} isFault={isFault} />;
}
