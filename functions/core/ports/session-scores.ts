import type { SessionScore } from '../session/suspicion.ts';

/** Scores of sessions, each named by its caller and belonging to one key. Throws StoreUnavailable when not answered in time. */
export interface SessionScores {
  read(keyId: string, sessionId: string): Promise<SessionScore | undefined>;
  /** Puts what `change` makes of the score in its place; asks it again where another request came between. */
  update(keyId: string, sessionId: string, change: (known: SessionScore | undefined) => SessionScore): Promise<void>;
}
