import type { GatewayEvent } from '../model/events.ts';
import type { DisabledReason, Webhook } from '../model/webhook.ts';

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
