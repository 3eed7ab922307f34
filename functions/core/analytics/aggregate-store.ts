export interface AggregateKey {
  readonly pk: string;
  readonly sk: string;
}

/** Something that records add up to, as it is stored. */
export interface Aggregate {
  readonly key: AggregateKey;
  /** Survives JSON. */
  readonly value: object;
  /** Seconds since 1970, from which on it is gone for its readers. */
  readonly expiresAt: number;
  /** Names under which lists find it. */
  readonly listed?: { readonly key: string; readonly endUser?: string; readonly sort: string };
}

export interface VersionedAggregate {
  readonly value: object;
  readonly version: number;
  readonly expiresAt: number;
}

/** Aggregates at rest, each changed only by who has seen its present version. Throws StoreUnavailable. */
export interface AggregateStore {
  /** As they stand now, in the order asked for, those too that have expired; undefined where there is none. */
  read(keys: readonly AggregateKey[]): Promise<(VersionedAggregate | undefined)[]>;
  /** @returns false where another version than this stands there; undefined: where anything stands there */
  replace(aggregate: Aggregate, version: number | undefined): Promise<boolean>;
}

export interface AggregateRow {
  readonly sk: string;
  readonly value: object;
}

/** Which sessions are looked for: those of a key, or of an end user, or all; by when they began, ISO 8601. */
export interface SessionQuery {
  readonly keyId?: string | undefined;
  readonly endUserId?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Sessions, those that began last first. Throws StoreUnavailable. */
export interface SessionList {
  /** Fewer than `limit` do not mean that there are no more; `after` is the `next` of the page before. */
  listSessions(
    query: SessionQuery,
    limit: number,
    after: string | undefined,
  ): Promise<{ readonly values: readonly object[]; readonly next: string | undefined }>;
}

/** Aggregates for those who only look. Throws StoreUnavailable. */
export interface AggregateReader {
  /** Those of a partition whose sort key is at or after `from` and before `to`, in order. */
  range(pk: string, from: string, to: string): Promise<AggregateRow[]>;
}
