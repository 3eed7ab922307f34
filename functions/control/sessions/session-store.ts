import type { GatewayEvent, ResponsePiece } from '../../kernel/model/index.ts';
import type { SessionScore, SessionState } from './suspicion.ts';

/** A session that the client names, or one that was opened for an end user. Both belong to one key. */
export type SessionRef =
  | { readonly keyId: string; readonly name: string }
  | { readonly keyId: string; readonly endUserId: string; readonly sessionId: string };

/** The live state of sessions. Throws StoreUnavailable when the store does not respond in time. */
export interface SessionStore {
  /** The state of a session that the client names; undefined where none is stored. */
  read(keyId: string, name: string): Promise<SessionState | undefined>;
  /**
   * Joins the open session of an end user, or opens one where the last request was too long ago. Simultaneous requests
   * join the same one.
   */
  join(
    keyId: string,
    endUserId: string,
  ): Promise<{ readonly sessionId: string; readonly score: SessionState | undefined }>;
  /**
   * Replaces the state by the result of `change`, which is called again where another request came first. Does nothing
   * where the end user has another session by now. The event that `tell` returns is written with the change.
   */
  update(
    ref: SessionRef,
    change: (known: SessionState | undefined) => SessionState,
    tell?: (known: SessionScore | undefined, changed: SessionScore) => GatewayEvent | undefined,
  ): Promise<void>;
}

/** What is stored with an id. */
export interface IssuedId {
  /** The key that received it; null where no key may name it. */
  readonly keyId: string | null;
  /** The accumulated score of the conversation up to it; undefined where it was never suspicious. */
  readonly score: SessionScore | undefined;
  /** The provider and its model that returned it; undefined for ids of earlier versions of the gateway. */
  readonly madeBy?: { readonly provider: string; readonly model: string } | undefined;
  /** A background response that was not returned whole yet: its key may fetch it, but not continue from it. */
  readonly isUnread?: true | undefined;
  /** Calls that were removed from the response: its key may continue from it with their outputs, but not fetch it. */
  readonly unanswered?: NonNullable<ResponsePiece['unanswered']>['calls'] | undefined;
}

/**
 * Ids from provider responses, each bound to the first key that received it. Bindings do not expire: they must outlive
 * what the provider stores. Throws StoreUnavailable.
 */
export interface IssuedIdStore {
  /** The ids that are bound, to any key. */
  find(ids: readonly string[]): Promise<ReadonlyMap<string, IssuedId>>;
  /** Binds the ids that are not bound yet. `endUserId`: the end user of the request. */
  keep(ids: readonly string[], given: IssuedId, endUserId: string | null): Promise<void>;
  /**
   * Replaces the score of a key's id by the result of `change`, which is called again where another request came first.
   */
  update(keyId: string, id: string, change: (known: SessionScore | undefined) => SessionScore): Promise<void>;
  /**
   * Ends the unread state of a key's id. `isWithheld`: its response was blocked, so that no key may name it any more.
   * @returns whether this call ended it
   */
  read(keyId: string, id: string, isWithheld: boolean): Promise<boolean>;
}
