/** A store that keeps something for end users. Throws StoreUnavailable. */
export interface EndUserStore {
  /**
   * Deletes all that it keeps for an end user, whichever key it came by.
   * @returns how many items of each kind there were
   */
  deleteEndUser(endUserId: string): Promise<Readonly<Record<string, number>>>;
}
