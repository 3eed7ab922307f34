import { createHmac } from 'node:crypto';
import type { WebhookSecret } from '../model/webhook.ts';

const PREFIX = 'whsec_';

/** Those of an endpoint's secrets that sign now, newest first. */
export function liveSecrets(secrets: readonly WebhookSecret[], nowMs: number): readonly string[] {
  return secrets
    .filter(({ validUntil }) => validUntil === undefined || nowMs < Date.parse(validUntil))
    .map(({ secret }) => secret);
}

/**
 * The headers that prove where a body came from: `x-svc-signature` by the newest secret, whose whole text is the key
 * (specification, part 6), and those of Standard Webhooks by every live one, whose key is the decoded part behind `whsec_`:
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
