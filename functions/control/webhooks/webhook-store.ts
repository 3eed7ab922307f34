import { randomBytes } from 'node:crypto';
import { randomHex } from '../../kernel/crypto/index.ts';
import type { DisabledReason, GatewayEvent, Webhook, WebhookSecret } from '../../kernel/model/index.ts';

/** Endpoints for delivery. All methods throw StoreUnavailable when the store is unavailable. */
export interface WebhookStore {
  get(id: string): Promise<Webhook | undefined>;
  /** All active ones. */
  listActive(): Promise<readonly Webhook[]>;
  /** Disables an active one. @returns false where it was disabled, deleted or given another URL meanwhile */
  disable(webhook: Webhook, reason: DisabledReason): Promise<boolean>;
  /** Records an endpoint's first failure (ISO 8601), or, with null, a success; once for each change. */
  noteFailing(id: string, since: string | null): Promise<void>;
}

/** An endpoint with the version that a change requires to be still current. */
export interface StoredWebhook {
  readonly webhook: Webhook;
  readonly version: number;
}

export interface WebhookPage {
  readonly webhooks: readonly StoredWebhook[];
  /** Opaque; absent on the last page. */
  readonly nextCursor?: string;
}

/** Endpoints for administration. All methods throw StoreUnavailable when the store is unavailable. */
export interface WebhookRegistry {
  find(id: string): Promise<StoredWebhook | undefined>;
  /** Newest first. An unreadable cursor is a GatewayError `invalid_value`. */
  list(limit: number, cursor: string | undefined): Promise<WebhookPage>;
  create(webhook: Webhook): Promise<void>;
  /**
   * Replaces what was read by `webhook`, and writes the event in the same write.
   * @returns false where it was changed since; nothing is written then
   */
  replace(read: StoredWebhook, webhook: Webhook, event?: GatewayEvent): Promise<boolean>;
  /** @returns false where it was changed since; true also where it is already deleted */
  delete(read: StoredWebhook): Promise<boolean>;
}

const SECRET_BYTES = 32;
/** Old secrets that still sign; a further rotation ends the oldest. */
const MAX_RETIRED = 4;

/** A new secret in the form of Standard Webhooks. */
export function mintWebhookSecret(nowMs: number): WebhookSecret {
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  return { secret, createdAt: new Date(nowMs).toISOString() };
}

/** The secrets with a new first one; old ones live no longer than the grace period, and expired ones are removed. */
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

/** An endpoint's id: its first digits are the time (milliseconds since 1970), so that ids sort by creation. */
export function newWebhookId(nowMs: number): string {
  const random = randomHex(RANDOM_DIGITS);
  return `wh_${nowMs.toString(16).padStart(TIME_DIGITS, '0')}${random}`;
}
