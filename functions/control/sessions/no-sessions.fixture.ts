import { randomHex } from '../../kernel/crypto/index.ts';
import type { SessionStore } from './session-store.ts';

/** Stores nothing, and opens a session for every request. */
export const noSessions: SessionStore = {
  read: async () => undefined,
  join: async () => ({ sessionId: `ses_${randomHex(32)}`, score: undefined }),
  update: async () => {},
};
