/** What makes secrets of keys and tells them apart without keeping them. All throw StoreUnavailable without a pepper. */
export interface KeyHasher {
  /**
   * A secret's HMAC-SHA-256 under each of the deployment's peppers, the current one first: `<pepper's id>.<HMAC in hex>`.
   * There are several only while the pepper is being changed.
   */
  hashes(secret: string): Promise<readonly [string, ...string[]]>;
  /** How hashes under the current pepper begin. */
  pepperId(): Promise<string>;
  /** A name that tells end users apart in what is kept for long, and nobody who does not know him who he is. */
  pseudonym(endUserId: string): Promise<string>;
  /** A new secret, sealed with the current pepper. */
  mint(): Promise<string>;
  /** Whether one of the peppers sealed the secret: nobody else can make such a one (api-key-format.ts). */
  isSealed(secret: string): Promise<boolean>;
}
