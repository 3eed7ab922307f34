/** What an attempt to sign in elsewhere is recognized by when it comes back. */
export interface SignInAttempt {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE (RFC 7636). */
  readonly verifier: string;
}

/** Somebody as an identity provider knows him. */
export interface Person {
  readonly subject: string;
  readonly email: string | null;
  readonly groups: readonly string[];
}

/** Knows people by other means than keys. Throws StoreUnavailable where it cannot be asked. */
export interface IdentityProvider {
  /** What people know it by. */
  readonly label: string;
  /** A new attempt, and where its visitor is sent. */
  begin(): Promise<{ readonly attempt: SignInAttempt; readonly url: string }>;
  /** Who came back with this code. @throws NotVouchedFor */
  finish(code: string, attempt: SignInAttempt): Promise<Person>;
}

/** The provider does not say who somebody is, or not to us. */
export class NotVouchedFor extends Error {}
