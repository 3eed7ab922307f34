/** Sessions: the score of a conversation, and ids that providers issued to a key. */
export type { IssuedId, IssuedIdStore, SessionRef, SessionStore } from './session-store.ts';
export { isRemembered, type SessionScore, suspicionOf, withFlag, withTurn } from './suspicion.ts';
