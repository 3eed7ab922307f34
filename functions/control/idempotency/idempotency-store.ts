/** The first request with a name, while it runs and after. */
export interface IdempotencyEntry {
  /** The token of the claim. */
  readonly token: string;
  /** Salt of the body's fingerprint and of the response's key. */
  readonly salt: Uint8Array;
  /** Distinguishes bodies without revealing them. */
  readonly bodyTag: string;
  /** The same for the rest of the request; absent in entries of an earlier version, which knew only the body. */
  readonly aroundTag?: string | undefined;
  /** The encrypted response; undefined while the request runs. */
  readonly answer: Uint8Array | undefined;
}

/** A claim to a name. */
export interface IdempotencyClaim extends Omit<IdempotencyEntry, 'answer'> {
  readonly aroundTag: string;
  readonly nowMs: number;
  /** Until then no other request runs under the name. */
  readonly lockedUntilMs: number;
  /** From then on the entry is ignored. */
  readonly expiresAtMs: number;
  /** The end user of the request, so that their data can be found. */
  readonly endUserId: string | null;
}

/** Responses by name. Throws StoreUnavailable when the store does not respond in time. */
export interface IdempotencyStore {
  /**
   * Claims a name that is free or whose claim expired; exactly one of many succeeds. @returns the other's entry, or
   * undefined
   */
  claim(name: string, claim: IdempotencyClaim): Promise<IdempotencyEntry | undefined>;
  /** Stores the response of the claim, unless another claim holds the name by now. */
  complete(name: string, claim: IdempotencyClaim, answer: Uint8Array): Promise<void>;
  /** Releases the name. */
  release(name: string, token: string): Promise<void>;
}
