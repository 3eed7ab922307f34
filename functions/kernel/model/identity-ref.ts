/** A caller as their issuer names them: the `iss` and `sub` of a token. */
export interface IdentityRef {
  readonly issuer: string;
  readonly subject: string;
}
