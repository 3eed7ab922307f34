import type { ApiKey } from '../model/api-key.ts';

export interface KeyPage {
  readonly keys: readonly ApiKey[];
  /** Opaque; absent on the last page. */
  readonly nextCursor?: string;
}

/** Keys at rest. Throws StoreUnavailable when the store cannot be reached in time. */
export interface KeyStore {
  findBySecretHash(secretHash: string): Promise<ApiKey | undefined>;
  get(id: string): Promise<ApiKey | undefined>;
  /** Newest first. An unreadable cursor is a GatewayError `invalid_value`. */
  list(limit: number, cursor: string | undefined): Promise<KeyPage>;
  create(key: ApiKey): Promise<void>;
  /**
   * Writes the changed fields of a key that is not revoked.
   * @returns the key after the change; undefined where there is none or it is revoked.
   */
  update(id: string, changes: Partial<Omit<ApiKey, 'id' | 'secretHash' | 'createdAt'>>): Promise<ApiKey | undefined>;
}

/** A store is out of reach, or did not answer in time. */
export class StoreUnavailable extends Error {}
