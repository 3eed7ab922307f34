import { randomBytes } from 'node:crypto';
import { randomHex } from '../base/crypto.ts';
import type { GatewayEvent } from '../model/events.ts';
import type { DisabledReason, Webhook, WebhookSecret } from '../model/webhook.ts';

/** The endpoints, for those who deliver. All throw StoreUnavailable when the store is out of reach. */
export interface WebhookStore {
  get(id: string): Promise<Webhook | undefined>;
  /** All that are active. */
  listActive(): Promise<readonly Webhook[]>;
  /** Disables one that is still active. @returns false where it was disabled, changed to another URL or deleted meanwhile */
  disable(webhook: Webhook, reason: DisabledReason): Promise<boolean>;
  /** Takes note of an endpoint's first failure (ISO 8601), or, with null, of a success; once for each change. */
  noteFailing(id: string, since: string | null): Promise<void>;
}

/** An endpoint as somebody read it: a change demands that it still stands so. */
export interface StoredWebhook {
  readonly webhook: Webhook;
  readonly version: number;
}

export interface WebhookPage {
  readonly webhooks: readonly StoredWebhook[];
  /** Opaque; absent on the last page. */
  readonly nextCursor?: string;
}

/** The endpoints, for those who administer them. All throw StoreUnavailable when the store is out of reach. */
export interface WebhookRegistry {
  find(id: string): Promise<StoredWebhook | undefined>;
  /** Newest first. An unreadable cursor is a GatewayError `invalid_value`. */
  list(limit: number, cursor: string | undefined): Promise<WebhookPage>;
  create(webhook: Webhook): Promise<void>;
  /**
   * Puts `webhook` in the place of what was read, and in the same write what is told of that.
   * @returns false where somebody else changed it meanwhile: nothing is written then.
   */
  replace(read: StoredWebhook, webhook: Webhook, event?: GatewayEvent): Promise<boolean>;
  /** @returns false where somebody else changed it meanwhile; true also where it is gone */
  delete(read: StoredWebhook): Promise<boolean>;
}

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
