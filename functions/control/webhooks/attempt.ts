import { createHmac } from 'node:crypto';
import type { DeliveryAttempt, Webhook, WebhookSecret } from '../../kernel/model/index.ts';
import type { Clock } from '../../kernel/tasks/index.ts';
import type { Delivery } from './delivery-store.ts';
import { bodyFor } from './formats.ts';

export interface AttemptResult {
  readonly attempt: DeliveryAttempt;
  readonly outcome: SendOutcome;
}

/** Sends a delivery to its endpoint once, signed now. Never rejects. */
export async function attempt(
  delivery: Delivery & { readonly body: string },
  webhook: Webhook,
  { sender, clock }: { readonly sender: WebhookSender; readonly clock: Clock },
): Promise<AttemptResult> {
  // At each attempt, so that a corrected routing key helps, and is stored with the webhook alone.
  const body = bodyFor(webhook, delivery.body);
  const startedAt = clock.monotonic();
  const now = clock.now();
  const secrets = liveSecrets(webhook.secrets, now);
  // The event's id is the message's id, also for a digest.
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
  const hidden = [...secrets, ...Object.values(signatures), ...secretPartsOf(webhook)];
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

/** What a receiver may repeat of an address that is a secret. */
function secretPartsOf({ url, routingKey = '', format = 'svc' }: Webhook): readonly string[] {
  if (format === 'svc') return [];
  const { pathname, search } = new URL(url);
  return [url, `${pathname}${search}`, pathname, routingKey].filter((part) => part.length > 1);
}

export function isDelivered({ answer }: SendOutcome): boolean {
  return answer !== undefined && answer.status >= 200 && answer.status < 300;
}

/** One HTTP POST; the sender stores nothing of it. */
export interface WebhookPost {
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Why there was no response: an address that is not allowed, an unknown name, no connection, invalid TLS, the deadline,
 * an interrupted connection, or not HTTP.
 */
export type SendFailure = 'address' | 'dns' | 'connect' | 'tls' | 'timeout' | 'reset' | 'protocol';

export interface WebhookAnswer {
  readonly status: number;
  /** `Retry-After` as received. */
  readonly retryAfter?: string;
  /** The beginning of the body: at most 1,024 bytes, as received. */
  readonly text: string;
}

export type SendOutcome =
  | { readonly answer: WebhookAnswer; readonly failure?: undefined }
  | { readonly answer?: undefined; readonly failure: SendFailure };

/** Sends only to allowed addresses, with a deadline. Never rejects. */
export interface WebhookSender {
  send(post: WebhookPost): Promise<SendOutcome>;
}

const MASK = '***';
/** The form of keys, tokens and signatures: long, without spaces, with letters and digits. */
const TOKEN_LIKE = /[\w+/=.~-]{20,}/g;

/**
 * The beginning of a response as it may be stored: known secrets and what looks like one are masked, control characters
 * become spaces.
 */
export function maskResponse(text: string, secrets: readonly string[]): string {
  let masked = text;
  for (const secret of secrets) masked = masked.replaceAll(secret, MASK);
  return masked
    .replace(TOKEN_LIKE, (token) => (/\d/.test(token) && /[A-Za-z]/.test(token) ? MASK : token))
    .replace(/[\p{Cc}\p{Cs}]/gu, ' ');
}

const PREFIX = 'whsec_';

/** The endpoint's secrets that sign now, newest first. */
export function liveSecrets(secrets: readonly WebhookSecret[], nowMs: number): readonly string[] {
  return secrets
    .filter(({ validUntil }) => validUntil === undefined || nowMs < Date.parse(validUntil))
    .map(({ secret }) => secret);
}

/**
 * The signature headers: `x-svc-signature` by the newest secret, whose whole text is the key (specification, part 6),
 * and those of Standard Webhooks by every valid one, whose key is the decoded part after `whsec_`:
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function signatureHeaders(
  eventId: string,
  body: string,
  secrets: readonly string[],
  nowMs: number,
): Record<string, string> {
  const [newest] = secrets;
  if (newest === undefined) throw new Error('a webhook without a secret that is valid');
  const timestamp = String(Math.floor(nowMs / 1000));
  const signed = `${eventId}.${timestamp}.${body}`;
  const signatures = secrets.map((secret) => `v1,${hmac(standardKey(secret), signed).toString('base64')}`);
  return {
    'x-svc-signature': `sha256=${hmac(newest, body).toString('hex')}`,
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

function standardKey(secret: string): Buffer {
  return Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
