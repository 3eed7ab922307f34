import type { WebhookView } from '../../api/client.ts';
import { StateTag, Tag } from '../../components/tag.tsx';
import { failingNote } from './delivery-words.ts';

/** The state of a webhook; a failing one is red, with its duration. */
export function WebhookState({ webhook }: { readonly webhook: WebhookView }) {
  const failing = webhook.state === 'disabled' ? undefined : failingNote(webhook, Date.now());
  return failing === undefined ? <StateTag state={webhook.state} /> : <Tag tone="block">{failing}</Tag>;
}
