import type { DeploymentPolicy } from '../policies/deployment-policy.ts';

/** One version of the deployment's policy. */
export interface PolicyVersion {
  /** 0 before the first was put, then 1, 2, 3, ... */
  readonly version: number;
  readonly settings: DeploymentPolicy;
  /** ISO 8601; null in version 0. */
  readonly createdAt: string | null;
  /** Id of the key that put it there; null in version 0. */
  readonly createdBy: string | null;
}

export interface PolicyVersionPage {
  readonly versions: readonly PolicyVersion[];
  /** Opaque; absent on the last page. */
  readonly nextCursor?: string;
}

/** Reads the deployment's policy. Throws StoreUnavailable when the store cannot be reached in time. */
export interface PolicyReader {
  current(): Promise<PolicyVersion>;
}

/** The deployment's policy and its past. Throws StoreUnavailable when the store cannot be reached in time. */
export interface PolicyStore extends PolicyReader {
  /**
   * Puts `next` in the place of what was read; the old version stays among the versions.
   * @returns false where somebody else put another meanwhile: nothing is written then.
   */
  replace(read: PolicyVersion, next: PolicyVersion): Promise<boolean>;
  /** Newest first, the current one among them. An unreadable cursor is a GatewayError `invalid_value`. */
  list(limit: number, cursor: string | undefined): Promise<PolicyVersionPage>;
}
