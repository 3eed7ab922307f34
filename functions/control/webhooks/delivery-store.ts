import type { DeadReason, DeliveryAttempt, DeliveryState, DeliveryView } from '../../kernel/model/index.ts';

/** A delivery before its first attempt. */
export interface NewDelivery {
  readonly id: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly type: string;
  /** The exact text that is sent. */
  readonly body: string;
  /** The end user in the event, so that it can be deleted with their data. */
  /** Without one, the id of the identity that made the request. */
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

/** Deliveries and their outcomes. All methods throw StoreUnavailable when the store is unavailable. */
export interface DeliveryStore {
  /** Adds a delivery, due at once. @returns false where it exists already */
  create(delivery: NewDelivery): Promise<boolean>;
  get(id: string): Promise<Delivery | undefined>;
  /** Newest first; may return fewer than requested although more follow. */
  list(query: DeliveryQuery): Promise<DeliveryPage>;
  /**
   * The deliveries of an endpoint that are due, of all its partitions or of these, longest due first. One that just ended may still be
   * included.
   */
  due(webhookId: string, limit: number, partitions?: readonly number[]): Promise<readonly string[]>;
  /** When the next delivery of an endpoint is due, milliseconds since 1970; undefined where none is pending. */
  nextDueAt(webhookId: string): Promise<number | undefined>;
  /** The current deliveries; deleted ones are left out. */
  read(ids: readonly string[]): Promise<readonly Delivery[]>;
  /** Records an attempt before it is made. @returns false where the delivery changed since it was read */
  begin(delivery: Delivery): Promise<boolean>;
  /** Records the outcome of the attempt that `begin` recorded, and the next step. A delivered one stays delivered. */
  end(delivery: Delivery, attempt: DeliveryAttempt, next: NextStep): Promise<void>;
  /** Gives up a pending delivery. */
  bury(delivery: Delivery, reason: DeadReason): Promise<void>;
  /** Makes a delivered or dead delivery pending again; undefined where it is deleted, pending or gathered. */
  redeliver(id: string): Promise<Delivery | undefined>;
}

/** Where a similar event belongs: it is the first of its minute, or belongs to the digest. */
export type Place = { readonly digest: undefined } | { readonly digest: Digest };

/** A delivery that combines similar events; its id is the same for all of them. */
export interface Digest {
  readonly id: string;
  /** No event is added after this, milliseconds since 1970. */
  readonly closesAtMs: number;
}

/** Combines similar events. All methods throw StoreUnavailable when the store is unavailable. */
export interface DigestStore {
  /** The place of an event; the same for a repeated call within the minute. */
  enter(alike: string, eventId: string): Promise<Place>;
  /**
   * Adds an event to a digest, which is created for the first one: `event` is its own delivery.
   * @returns false where the digest was closed and does not count it: then it is delivered by itself
   */
  gather(digest: Digest, event: NewDelivery): Promise<boolean>;
  /** The same for an event that was already gathered when it arrived first. */
  gatherAgain(gathered: Delivery, event: NewDelivery): Promise<boolean>;
  /** Closes a digest: its count, and the body of its first event. */
  close(digest: Delivery): Promise<{ count: number; first: string }>;
  /** Stores the body of a closed digest. */
  complete(digest: Delivery, body: string, count: number): Promise<Delivery>;
}

/** The state of an endpoint between turns. */
export interface TurnState {
  /** Failed attempts since the last success. */
  readonly failures: number;
  /** Nothing is sent before, milliseconds since 1970. */
  readonly pausedUntilMs: number;
  /** When the next wake-up is due; in the past where none is planned. */
  readonly wakeAtMs: number;
}

/** The right to deliver to an endpoint as one of its workers, for one process at a time. It expires when its holder dies. */
export interface Turn {
  readonly state: TurnState;
  /** @returns whether another process requested the turn meanwhile */
  end(state: TurnState): Promise<boolean>;
}

/** All methods throw StoreUnavailable when the store is unavailable. */
export interface EndpointTurns {
  /** @returns undefined where another process has the turn, which then learns of the request */
  take(webhookId: string, worker: number): Promise<Turn | undefined>;
  /** The endpoint's state: what the last turn of worker 0 left, and later pauses. */
  read(webhookId: string): Promise<TurnState>;
  /** Pauses the endpoint at least until then, also where worker 0 has its turn. */
  pause(webhookId: string, untilMs: number): Promise<void>;
}

/** Wakes a process to look for due deliveries of an endpoint, as its first worker or another, at most 15 minutes from now. */
export interface EndpointWaker {
  wake(webhookId: string, delayMs: number, worker?: number): Promise<void>;
}

/** A delivery in the form that the sender uses. */
export interface Delivery extends DeliveryView {
  /** The exact text that is sent; undefined while a digest is open, and for gathered events. */
  readonly body: string | undefined;
  /** ISO 8601; the start of the 24 hours: when it was created or sent again. */
  readonly since: string;
}

export function toDeliveryView({ body: _body, since: _since, ...view }: Delivery): DeliveryView {
  return view;
}
