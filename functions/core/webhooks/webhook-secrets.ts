import { randomBytes } from 'node:crypto';
import { randomHex } from '../base/crypto.ts';
import type { WebhookSecret } from '../model/webhook.ts';

const SECRET_BYTES = 32;
/** The current one and so many before it: with more in their grace the oldest ends early. */
const MAX_RETIRED = 4;

/** A new secret, as Standard Webhooks writes them. */
export function mintWebhookSecret(nowMs: number): WebhookSecret {
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  return { secret, createdAt: new Date(nowMs).toISOString() };
}

/** The secrets with a new one before them; none of the old ones lives longer than the grace, and those that are over go. */
export function rotateSecrets(
  secrets: readonly WebhookSecret[],
  next: WebhookSecret,
  graceSeconds: number,
  nowMs: number,
): WebhookSecret[] {
  const graceEnd = new Date(nowMs + graceSeconds * 1000).toISOString();
  const retired = secrets
    .map(({ validUntil = graceEnd, ...secret }) => ({
      ...secret,
      validUntil: validUntil < graceEnd ? validUntil : graceEnd,
    }))
    .filter(({ validUntil }) => nowMs < Date.parse(validUntil));
  return [next, ...retired.slice(0, MAX_RETIRED)];
}

const TIME_DIGITS = 12;
const RANDOM_DIGITS = 20;

/** An endpoint's id: its first digits are the time (milliseconds since 1970), so that ids are in the order of making. */
export function newWebhookId(nowMs: number): string {
  const random = randomHex(RANDOM_DIGITS);
  return `wh_${nowMs.toString(16).padStart(TIME_DIGITS, '0')}${random}`;
}
