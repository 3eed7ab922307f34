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
