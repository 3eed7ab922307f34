import type { ApiKey, GatewayEvent } from '../../kernel/model/index.ts';

/** A key with the version that a change requires to be still current. */
export interface StoredKey {
  readonly key: ApiKey;
  readonly version: number;
  /** The hash under a newer pepper with which the secret was last presented; absent where that is `secretHash`. */
  readonly seenHash?: string;
  /** The `expiresAt` that was reported last. */
  readonly expiryTold?: string;
}

export interface KeyPage {
  readonly keys: readonly StoredKey[];
  /** Opaque; absent on the last page. */
  readonly nextCursor?: string;
}

/** A key's place among those of a team. */
interface TeamPlace {
  readonly teamId: string;
  /** The team may have this many keys that are not revoked. */
  readonly maxKeys: number;
  /** Of a new key, or of one that moves into the team. */
  readonly keyId: string;
  readonly nowMs: number;
}

/** When a key was used, and the hash that its secret should have now. */
export interface KeyUse {
  /** ISO 8601. */
  readonly usedAt: string;
  readonly seenHash?: string;
}

/** Finds keys by the secrets that clients present. Throws StoreUnavailable when the store does not respond in time. */
export interface KeyFinder {
  /** The key that has or had one of these hashes, in any state. */
  find(secretHashes: readonly string[]): Promise<ApiKey | undefined>;
}

/** Stores keys. Throws StoreUnavailable when the store does not respond in time. */
export interface KeyStore extends KeyFinder {
  get(id: string): Promise<StoredKey | undefined>;
  /** The keys that exist of at most 100 different ids, in any state. */
  getMany(ids: readonly string[]): Promise<readonly StoredKey[]>;
  /** Newest first, of all teams or of one. An unreadable cursor is a GatewayError `invalid_value`. */
  list(limit: number, cursor: string | undefined, teamId?: string): Promise<KeyPage>;
  /** The cursor of a list that continues after this key. */
  cursorAfter(key: Pick<ApiKey, 'id' | 'createdAt'>): string;
  /** Takes a place in a team for a key that is stored later. @returns false if the team has as many keys as it may have */
  takePlace(place: TeamPlace): Promise<boolean>;
  /** Writes the key and its event in one write. */
  create(key: ApiKey, event?: GatewayEvent): Promise<void>;
  /**
   * Replaces what was read by `key`, including its secret's hash, and writes the event in the same write.
   * @returns false where it was changed since; nothing is written then
   */
  replace(read: StoredKey, key: ApiKey, event?: GatewayEvent): Promise<boolean>;
}

/** Returns whether there are keys. Throws StoreUnavailable. */
export interface KeyPresence {
  /** Whether there is any key, in any state; one created a moment ago may be missed. */
  any(): Promise<boolean>;
}

/** Records uses of keys. Throws StoreUnavailable. */
export interface KeyUseStore {
  noteUse(key: ApiKey, use: KeyUse): Promise<void>;
}

/** Records which expiries were reported. Throws StoreUnavailable. */
export interface KeyExpiryStore {
  /**
   * Records that this `expiresAt` was reported, and writes the event in the same write. @returns false where it was
   * recorded before
   */
  emitExpiryEvent(key: ApiKey, expiresAt: string, event: GatewayEvent): Promise<boolean>;
}

/** Creates secrets, and identifies them without storing them. All methods throw StoreUnavailable without a pepper. */
export interface KeyHasher {
  /**
   * A secret's HMAC-SHA-256 under each pepper, the current one first: `<pepper's id>.<HMAC in hex>`. There are several
   * only while the pepper is being changed.
   */
  hashes(secret: string): Promise<readonly [string, ...string[]]>;
  /** The prefix of hashes under the current pepper. */
  pepperId(): Promise<string>;
  /** A stable name for an end user in long-lived records, which does not reveal who they are. */
  pseudonym(endUserId: string): Promise<string>;
  /** A new secret, sealed with the current pepper. */
  mint(): Promise<string>;
  /** Whether one of the peppers sealed the secret; without a pepper no seal can be made (api-key-format.ts). */
  isSealed(secret: string): Promise<boolean>;
}
