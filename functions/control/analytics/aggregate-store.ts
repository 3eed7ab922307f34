export interface AggregateKey {
  readonly pk: string;
  readonly sk: string;
}

/** Totals or a session, in stored form. */
export interface Aggregate {
  readonly key: AggregateKey;
  /** Serializable as JSON. */
  readonly value: object;
  /** Seconds since 1970; readers ignore it from then on. */
  readonly expiresAt: number;
  /** How lists find it. */
  readonly listed?: {
    readonly key: string;
    readonly endUser?: string;
    readonly team?: string;
    readonly sort: string;
  };
}

export interface VersionedAggregate {
  readonly value: object;
  readonly version: number;
  readonly expiresAt: number;
}

/** Stores aggregates; a write requires the current version. Throws StoreUnavailable. */
export interface AggregateStore {
  /** The current aggregates in the requested order, expired ones included; undefined where there is none. */
  read(keys: readonly AggregateKey[]): Promise<(VersionedAggregate | undefined)[]>;
  /** @returns false where the stored version differs; undefined requires that nothing is stored */
  replace(aggregate: Aggregate, version: number | undefined): Promise<boolean>;
}

export interface AggregateRow {
  readonly sk: string;
  readonly value: object;
}

/** Which sessions to list: of a team, of an end user, of a key, or all; by their start, ISO 8601. */
export interface SessionQuery {
  readonly teamId?: string | undefined;
  readonly keyId?: string | undefined;
  readonly endUserId?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Sessions, the latest start first. Throws StoreUnavailable. */
export interface SessionList {
  /** Fewer than `limit` does not mean the end; `after` is the `next` of the page before. */
  listSessions(
    query: SessionQuery,
    limit: number,
    after: string | undefined,
  ): Promise<{ readonly values: readonly object[]; readonly next: string | undefined }>;
}

/** Reads aggregates. Throws StoreUnavailable. */
export interface AggregateReader {
  /** The rows of a partition from `from` to before `to`, in order of their sort keys. */
  range(pk: string, from: string, to: string): Promise<AggregateRow[]>;
}
