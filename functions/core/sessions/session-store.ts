import type { GatewayEvent } from '../model/events.ts';
import type { SessionScore } from './suspicion.ts';

/** Which session: one that its caller names, or one that was opened for an end user. Both belong to one key. */
export type SessionRef =
  | { readonly keyId: string; readonly name: string }
  | { readonly keyId: string; readonly endUserId: string; readonly sessionId: string };

/** The live state of sessions. Throws StoreUnavailable when not answered in time. */
export interface SessionStore {
  /** The score of a session that its caller names; undefined where nothing is remembered of it. */
  read(keyId: string, name: string): Promise<SessionScore | undefined>;
  /**
   * Joins the open session of an end user, or opens one where the last request was too long ago. Those who come at the same
   * moment join one and the same.
   */
  join(
    keyId: string,
    endUserId: string,
  ): Promise<{ readonly sessionId: string; readonly score: SessionScore | undefined }>;
  /**
   * Puts what `change` makes of the score in its place; asks it again where another request came between. Does nothing
   * where the end user has another session by now. What `tell` gives for the two is written with the change.
   */
  update(
    ref: SessionRef,
    change: (known: SessionScore | undefined) => SessionScore,
    tell?: (known: SessionScore | undefined, changed: SessionScore) => GatewayEvent | undefined,
  ): Promise<void>;
}

/** What is kept with an id. */
export interface IssuedId {
  /** The key that it was given to; null where no key may name it. */
  readonly keyId: string | null;
  /** What the conversation up to it adds up to; undefined where it was never suspicious. */
  readonly score: SessionScore | undefined;
}

/**
 * Ids that providers gave in their answers, each bound to the first key that got it. A binding has no end: it must outlive what the
 * provider keeps. Throws StoreUnavailable.
 */
export interface IssuedIdStore {
  /** Those of the ids that are bound, whichever key they are bound to. */
  find(ids: readonly string[]): Promise<ReadonlyMap<string, IssuedId>>;
  /** Binds those of the ids that are not bound to another. `endUserId`: on whose behalf they were got. */
  keep(ids: readonly string[], given: IssuedId, endUserId: string | null): Promise<void>;
  /** Puts what `change` makes of the score of a key's id in its place; asks it again where another request came between. */
  update(keyId: string, id: string, change: (known: SessionScore | undefined) => SessionScore): Promise<void>;
}
