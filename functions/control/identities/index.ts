/** Callers with tokens of issuers in place of keys: checks of tokens, rules, stored identities and their states. */
export { Identities, type TokenSignatures } from './identities.ts';
export { IdentityStates, type StateAges } from './identity-states.ts';
export type {
  IdentityList,
  IdentityPage,
  IdentityStore,
  SeenIdentity,
  StoredIdentity,
} from './identity-store.ts';
export { invalidToken, type UnverifiedToken } from './token.ts';
