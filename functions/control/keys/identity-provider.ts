import type { Claims } from '../../kernel/identity/index.ts';

/** Identifies a sign-in attempt when the visitor returns. */
export interface SignInAttempt {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE (RFC 7636). */
  readonly verifier: string;
}

/** A person as the identity provider describes them. */
export interface Person {
  readonly subject: string;
  readonly email: string | null;
  readonly groups: readonly string[];
  /** All claims of the ID token. */
  readonly claims: Claims;
}

/** Authenticates people without keys. Throws StoreUnavailable when the provider is unavailable. */
export interface IdentityProvider {
  /** The name that the sign-in page shows. */
  readonly label: string;
  /** Starts an attempt; `url` is where the visitor is redirected. */
  begin(): Promise<{ readonly attempt: SignInAttempt; readonly url: string }>;
  /** The person who returned with this code. @throws NotVouchedFor */
  finish(code: string, attempt: SignInAttempt): Promise<Person>;
}

/** The provider did not confirm the person's identity. */
export class NotVouchedFor extends Error {}
