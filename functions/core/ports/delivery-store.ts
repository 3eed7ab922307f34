import type { DeadReason, Delivery, DeliveryAttempt, DeliveryState } from '../model/delivery.ts';

/** A delivery before its first attempt. */
export interface NewDelivery {
  readonly id: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly type: string;
  /** The exact text that is sent. */
  readonly body: string;
  /** Whom it names, so that it can be deleted with all else of him. */
  readonly endUserId: string | undefined;
}

/** What follows from an attempt. */
export type NextStep =
  | { readonly state: 'delivered' }
  | { readonly state: 'pending'; readonly nextAttemptAtMs: number }
  | { readonly state: 'dead'; readonly reason: DeadReason };

export interface DeliveryQuery {
  readonly webhookId: string;
  readonly state?: DeliveryState | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface DeliveryPage {
  readonly deliveries: readonly Delivery[];
  readonly nextCursor: string | undefined;
}

/** Deliveries and what became of them. All throw StoreUnavailable when the store is out of reach. */
export interface DeliveryStore {
  /** Puts it on its way, due at once. @returns false where it is there already */
  create(delivery: NewDelivery): Promise<boolean>;
  get(id: string): Promise<Delivery | undefined>;
  /** Newest first; may hold fewer than asked for although more follow. */
  list(query: DeliveryQuery): Promise<DeliveryPage>;
  /** Those of an endpoint that are due, longest due first. One that was just ended may still be among them. */
  due(webhookId: string, limit: number): Promise<readonly string[]>;
  /** When the next one of an endpoint is due, milliseconds since 1970; undefined where none is pending. */
  nextDueAt(webhookId: string): Promise<number | undefined>;
  /** As they stand now; those that are gone are left out. */
  read(ids: readonly string[]): Promise<readonly Delivery[]>;
  /** Notes an attempt before it is made. @returns false where the delivery is not as it was read any more */
  begin(delivery: Delivery): Promise<boolean>;
  /** Notes what came of the attempt that `begin` noted for this delivery, and what follows. What was delivered stays so. */
  end(delivery: Delivery, attempt: DeliveryAttempt, next: NextStep): Promise<void>;
  /** Gives one up that is pending. */
  bury(delivery: Delivery, reason: DeadReason): Promise<void>;
  /** Puts one that was delivered or is dead on its way again; undefined where it is gone, under way, or was gathered. */
  redeliver(id: string): Promise<Delivery | undefined>;
}
