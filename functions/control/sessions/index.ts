export type { IssuedId, IssuedIdStore, SessionRef, SessionStore } from './session-store.ts';
export { isRemembered, type SessionScore, suspicionOf, withFlag, withTurn } from './suspicion.ts';
