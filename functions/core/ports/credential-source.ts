/** Where the credentials for providers stand; they may be changed while the gateway runs. */
export interface CredentialSource {
  /** Another number once the credentials are others. */
  readonly version: number;
  /**
   * Reads them again for the provider that refused those of `version`, unless they are others already or were just now read
   * for it in vain. Answers whether they are others now. Never throws: what cannot be read has not changed.
   */
  renewedSince(version: number, provider: string): Promise<boolean>;
}
