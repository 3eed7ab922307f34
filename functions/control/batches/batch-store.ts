/** A batch. Only `providerBatchId` changes, once. */
export interface StoredBatch {
  /** In the order of creation within a key. */
  readonly id: string;
  readonly keyId: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Null if no line was sent. */
  readonly provider: string | null;
  /** Null until the provider has taken it, too. */
  readonly providerBatchId: string | null;
  /** Lines that were sent, that failed before, and that were responded to without the provider. */
  readonly lines: Readonly<Record<'sent' | 'failed' | 'answered', number>>;
  /** The items that hold its lines. */
  readonly parts: number;
}

export interface BatchPage {
  readonly batches: readonly StoredBatch[];
  readonly hasMore: boolean;
}

/** Batches by key. Throws StoreUnavailable. */
export interface BatchStore {
  /** @param expiresAtMs from then on it is not found */
  create(batch: StoredBatch, expiresAtMs: number): Promise<void>;
  /** Notes that the provider has taken it. */
  taken(batch: Pick<StoredBatch, 'keyId' | 'id' | 'providerBatchId'>): Promise<void>;
  /** Undefined for one of another key, too. */
  find(keyId: string, id: string): Promise<StoredBatch | undefined>;
  /** The newest first; those after (older than) or before (newer than) one. */
  list(keyId: string, limit: number, from: { readonly after?: string; readonly before?: string }): Promise<BatchPage>;
  delete(batch: StoredBatch): Promise<void>;
}
