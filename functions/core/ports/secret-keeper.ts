/** Where a text is put that an operator reads. */
export interface SecretKeeper {
  /**
   * Keeps `text` under `token` (32 to 64 characters), unless something was kept under it before. Throws StoreUnavailable.
   * @returns what is kept under the token: `text`, or what stood there
   */
  keep(token: string, text: string): Promise<string>;
}
