import type { IdentityRef } from '../../kernel/model/index.ts';

/** A caller that its issuer names, stored from its first request on. */
export interface StoredIdentity extends IdentityRef {
  /** `idn_` and a digest of issuer and subject. */
  readonly id: string;
  readonly state: 'active' | 'disabled';
  /** The rule of its last request, as far as recorded. */
  readonly ruleId: string;
  /** Its team then; null without one. */
  readonly teamId: string | null;
  /** ISO 8601. */
  readonly firstSeenAt: string;
  /** ISO 8601, to the minute; of an unknown request if the identity is disabled. */
  readonly lastSeenAt: string;
}

export interface IdentityPage {
  readonly identities: readonly StoredIdentity[];
  /** Opaque; absent on the last page. */
  readonly nextCursor?: string;
}

/** A caller whose request is recorded. */
export type SeenIdentity = Omit<StoredIdentity, 'state' | 'firstSeenAt'>;

/** Identities by their id. Throws StoreUnavailable when the store does not respond in time. */
export interface IdentityStore {
  get(id: string): Promise<StoredIdentity | undefined>;
  /**
   * Stores one that is not stored yet, and counts it. @returns the stored one; undefined if its issuer or team has had too many new ones on this day:
   * nothing is stored then
   */
  add(seen: SeenIdentity): Promise<StoredIdentity | undefined>;
  /** Records a later request. */
  noteUse(seen: SeenIdentity): Promise<void>;
}

/** Identities for administrators. Throws StoreUnavailable. */
export interface IdentityList extends Pick<IdentityStore, 'get'> {
  /** Newest first, of all teams or of one. An unreadable cursor is a GatewayError `invalid_value`. */
  list(limit: number, cursor: string | undefined, teamId?: string): Promise<IdentityPage>;
  /** @returns the changed one; undefined if it does not exist */
  setState(id: string, state: StoredIdentity['state']): Promise<StoredIdentity | undefined>;
}
