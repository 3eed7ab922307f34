import type { ApiKey } from '../model/api-key.ts';
import type { GatewayEvent } from '../model/events.ts';

/** A key as somebody read it: a change demands that it still stands so. */
export interface StoredKey {
  readonly key: ApiKey;
  readonly version: number;
  /** The hash under a newer pepper that its secret was last presented with; absent where it is `secretHash` already. */
  readonly seenHash?: string;
  /** Of which end (`expiresAt`) it was told that it comes soon. */
  readonly expiryTold?: string;
}

export interface KeyPage {
  readonly keys: readonly StoredKey[];
  /** Opaque; absent on the last page. */
  readonly nextCursor?: string;
}

/** When a key was used, and the hash that its secret should have by now. */
export interface KeyUse {
  /** ISO 8601. */
  readonly usedAt: string;
  readonly seenHash?: string;
}

/** Reads keys by what callers present. Throws StoreUnavailable when the store cannot be reached in time. */
export interface KeyFinder {
  /** The key that one of a secret's hashes belongs to, or belonged to before the key was rotated; whatever its state. */
  find(secretHashes: readonly string[]): Promise<ApiKey | undefined>;
}

/** Keys at rest. Throws StoreUnavailable when the store cannot be reached in time. */
export interface KeyStore extends KeyFinder {
  get(id: string): Promise<StoredKey | undefined>;
  /** Newest first. An unreadable cursor is a GatewayError `invalid_value`. */
  list(limit: number, cursor: string | undefined): Promise<KeyPage>;
  /** The cursor of a list that goes on after this key. */
  cursorAfter(key: Pick<ApiKey, 'id' | 'createdAt'>): string;
  /** The event that tells of it is written with it. */
  create(key: ApiKey, event?: GatewayEvent): Promise<void>;
  /**
   * Puts `key` in the place of what was read, its secret's hash too, and in the same write the event that tells of it.
   * @returns false where somebody else changed it meanwhile: nothing is written then.
   */
  replace(read: StoredKey, key: ApiKey, event?: GatewayEvent): Promise<boolean>;
}

/** Tells whether there are keys. Throws StoreUnavailable. */
export interface KeyPresence {
  /** Whether there is any key, whatever its state; one of the last moment may be missed. */
  any(): Promise<boolean>;
}

/** Takes notes of use. Throws StoreUnavailable. */
export interface KeyUseStore {
  noteUse(key: ApiKey, use: KeyUse): Promise<void>;
}

/** Takes notes of what was told of a key's end. Throws StoreUnavailable. */
export interface KeyExpiryStore {
  /** Notes of which end (`expiresAt`) it is told, and in the same write the event. @returns false where it was noted before */
  tellExpiry(key: ApiKey, expiresAt: string, event: GatewayEvent): Promise<boolean>;
}

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
