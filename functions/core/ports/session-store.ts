import type { SessionScore } from '../session/suspicion.ts';
import type { GatewayEvent } from './event-publisher.ts';

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
