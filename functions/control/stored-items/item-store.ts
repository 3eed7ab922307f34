/** The output items of one response, encrypted. */
export interface SealedItems {
  readonly name: string;
  readonly salt: Uint8Array;
  readonly bytes: Uint8Array;
}

/** An entry to write. */
export interface NewItems extends SealedItems {
  /** From then on the entry is ignored. */
  readonly expiresAtMs: number;
  /** The end user of the request, so that their data can be found. */
  readonly endUserId: string | null;
}

/** Output items by name. Throws StoreUnavailable when the store does not respond in time. */
export interface ItemStore {
  write(entry: NewItems): Promise<void>;
  /** Deletes the entries of these names that exist. */
  remove(names: readonly string[]): Promise<void>;
  /** The entries of these names, all different, that exist and have not expired. A reader that has enough may stop. */
  read(names: readonly string[], nowMs: number): AsyncIterable<SealedItems>;
}
