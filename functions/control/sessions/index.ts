/** Sessions: the score and memory of a conversation, and ids that providers issued to a key. */
export { SessionMemory } from './session-memory.ts';
export type { IssuedId, IssuedIdStore, SessionRef, SessionStore } from './session-store.ts';
export { isRemembered, type SessionScore, suspicionOf, withTurn } from './suspicion.ts';
