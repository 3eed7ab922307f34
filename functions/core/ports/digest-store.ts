import type { Delivery } from '../model/delivery.ts';
import type { NewDelivery } from './delivery-store.ts';

/** Where an event of many alike stands: it is the first of its minute, or one of those that the digest tells of. */
export type Place = { readonly digest: undefined } | { readonly digest: Digest };

/** A delivery that tells of many alike. Its id is the same for all of them. */
export interface Digest {
  readonly id: string;
  /** When nothing is added to it any more, milliseconds since 1970. */
  readonly closesAtMs: number;
}

/** Gathers events that are alike. All throw StoreUnavailable when the store is out of reach. */
export interface DigestStore {
  /** The place of an event: the same again when it is asked for again while the minute lasts. */
  enter(alike: string, eventId: string): Promise<Place>;
  /**
   * Adds an event to a digest, which is made where it is the first: `event` is its delivery as it would be sent on its own.
   * @returns false where the digest was closed meanwhile and does not count it: then it is on its own way now
   */
  gather(digest: Digest, event: NewDelivery): Promise<boolean>;
  /** The same for one that was being gathered when it came before. */
  gatherAgain(gathered: Delivery, event: NewDelivery): Promise<boolean>;
  /** Ends the gathering: how many events it tells of, and the first of them as it would have been sent. */
  close(digest: Delivery): Promise<{ count: number; first: string }>;
  /** Gives a digest that was closed what is sent. */
  complete(digest: Delivery, body: string, count: number): Promise<Delivery>;
}
