/** Credentials of providers that the gateway keeps: their stored form, and which one a call uses. */
export {
  type CredentialsDocument,
  type CredentialUseStore,
  newCredentialId,
  rotated,
  type StoredCredential,
  sealName,
  sealValue,
  toCredentialView,
  type ValueSealer,
  withoutExpired,
} from './credential.ts';
export {
  LiveCredentials,
  memberOf,
  type OutsideSecret,
  referenceTo,
  type UsedCredential,
} from './live-credentials.ts';
