/** The first request of a name, as it is kept while it runs and after. */
export interface IdempotencyEntry {
  /** Of whoever claimed it. */
  readonly token: string;
  /** What the body's fingerprint and the answer's key are made with. */
  readonly salt: Uint8Array;
  /** Tells the same body from another, and nothing of it. */
  readonly bodyTag: string;
  /** The answer, encrypted; undefined while the request runs. */
  readonly answer: Uint8Array | undefined;
}

/** A name that is to be claimed. */
export interface IdempotencyClaim extends Omit<IdempotencyEntry, 'answer'> {
  readonly nowMs: number;
  /** Until then nobody else runs it. */
  readonly lockedUntilMs: number;
  /** From then on it was never there. */
  readonly expiresAtMs: number;
  /** On whose behalf it was asked, so that all of an end user's data can be found. */
  readonly endUserId: string | null;
}

/** Answers by name. Throws StoreUnavailable when the store cannot be reached in time. */
export interface IdempotencyStore {
  /** Claims a name that is free, or whose claim ran out: exactly one of many wins. @returns the other's entry, or undefined */
  claim(name: string, claim: IdempotencyClaim): Promise<IdempotencyEntry | undefined>;
  /** Keeps the answer of the claim; nothing where somebody else holds the name by now. */
  complete(name: string, claim: IdempotencyClaim, answer: Uint8Array): Promise<void>;
  /** Gives the name free. */
  release(name: string, token: string): Promise<void>;
}
