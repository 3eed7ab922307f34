import type { Delivery, DeliveryAttempt } from '../model/delivery.ts';
import type { Webhook } from '../model/webhook.ts';
import type { Clock } from '../ports/clock.ts';
import type { SendOutcome, WebhookSender } from '../ports/webhook-sender.ts';
import { maskResponse } from './mask-response.ts';
import { liveSecrets, signatureHeaders } from './signature.ts';

export interface AttemptResult {
  readonly attempt: DeliveryAttempt;
  readonly outcome: SendOutcome;
}

/** Sends a delivery to its endpoint once, signed as of now. Never rejects. */
export async function attempt(
  delivery: Delivery & { readonly body: string },
  webhook: Webhook,
  { sender, clock }: { readonly sender: WebhookSender; readonly clock: Clock },
): Promise<AttemptResult> {
  const { body } = delivery;
  const startedAt = clock.monotonic();
  const now = clock.now();
  const secrets = liveSecrets(webhook.secrets, now);
  // The event's id is the message's: a digest has one of its own.
  const signatures = signatureHeaders(delivery.eventId, body, secrets, now);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'svc-webhooks/1',
    'x-svc-delivery-id': delivery.id,
    'x-svc-attempt': String(delivery.attempts.length + 1),
    ...signatures,
  };
  const outcome = await sender.send({ url: webhook.url, headers, body });
  const { answer, failure } = outcome;
  const hidden = [...secrets, ...Object.values(signatures)];
  return {
    outcome,
    attempt: {
      at: new Date(now).toISOString(),
      durationMs: Math.round(clock.monotonic() - startedAt),
      status: answer?.status ?? null,
      failure: failure ?? (isDelivered(outcome) ? null : 'status'),
      response: answer === undefined ? null : maskResponse(answer.text, hidden),
    },
  };
}

export function isDelivered({ answer }: SendOutcome): boolean {
  return answer !== undefined && answer.status >= 200 && answer.status < 300;
}
