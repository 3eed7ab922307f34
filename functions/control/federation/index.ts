/** Credentials without a stored value: access tokens that a provider gives for an identity token of AWS, cached until they expire. */
export { FederatedTokens } from './federated-tokens.ts';
export {
  type AccessToken,
  completeFederation,
  ExchangeFailure,
  type Federation,
  findFederationFaults,
  isHostOf,
  serviceAccountOf,
  type TokenExchange,
  type TokenSource,
} from './federation.ts';
