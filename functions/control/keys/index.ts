/** API keys: format, storage, authentication and permissions, new and expiring keys; the port of an identity provider. */
export { isApiKeyForm, isSealedBy, mintApiKey, type Seal } from './api-key-format.ts';
export {
  type Authenticator,
  authenticate,
  authenticateHolder,
  authorize,
  holderOf,
  isStillAuthorized,
  presentedKey,
  presentsKey,
  reauthorize,
} from './authenticate.ts';
export { findKeys, reportExpiringKeys } from './find-keys.ts';
export { type IdentityProvider, NotVouchedFor, type Person, type SignInAttempt } from './identity-provider.ts';
export {
  addImportedSecret,
  endImportedSecrets,
  ImportedSecrets,
  type ImportedSecretsDocument,
} from './imported-secrets.ts';
export { KeyCache, KeyUses } from './key-cache.ts';
export type {
  KeyExpiryStore,
  KeyHasher,
  KeyPage,
  KeyPresence,
  KeyStore,
  KeyUse,
  KeyUseStore,
  StoredKey,
} from './key-store.ts';
export {
  currentHash,
  keyEvent,
  makeFirstAdminKey,
  makeImportedKey,
  makeKey,
  makeSyntheticCheckKey,
  type SecretKeeper,
  SYNTHETIC_CHECK_MODEL,
  storeKey,
} from './make-key.ts';
export { rehashKeys } from './rehash-keys.ts';
export { sortedKeys } from './sort-keys.ts';
