import type { Capture, GatewayEvent, Mark, RequestRecord } from '../../kernel/model/index.ts';

/** Stores the one record of each ended request. */
export interface RequestRecords {
  /** Resolves when the record is stored, with its event; a repeated write has no effect. Throws StoreUnavailable. */
  write(record: RequestRecord, event?: GatewayEvent): Promise<void>;
}

/** A stored record, with the marks of its findings by index. */
export interface StoredRecord {
  readonly record: RequestRecord;
  readonly marks: Readonly<Record<number, Mark>>;
}

/** Which records to list: of a team, of a key, of an end user, or all. The reader of a team's list checks the others. */
export interface RecordQuery {
  readonly teamId?: string | undefined;
  readonly keyId?: string | undefined;
  readonly endUserId?: string | undefined;
  /** Only those with findings. */
  readonly withFindings: boolean;
  /** ISO 8601; the end is not included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** A record's position: by its time, then by its id. */
export interface RecordPosition {
  readonly time: string;
  readonly id: string;
}

/** Reads records. Throws StoreUnavailable. */
export interface RequestRecordReader {
  /** Newest first, after `after`; fewer than `limit` does not mean the end. `read`: items read from the store. */
  page(
    query: RecordQuery,
    limit: number,
    after: RecordPosition | undefined,
  ): Promise<{
    readonly rows: readonly StoredRecord[];
    readonly next: RecordPosition | undefined;
    readonly read: number;
  }>;
  /** undefined where there is none, or where it expired. */
  read(position: RecordPosition): Promise<StoredRecord | undefined>;
  /** Sets or removes the mark of a finding. @returns the record; undefined where there is none */
  mark(position: RecordPosition, finding: number, mark: Mark | null): Promise<StoredRecord | undefined>;
}

/** The captured texts of exchanges. Throws StoreUnavailable. */
export interface CaptureStore {
  write(requestId: string, capture: Capture): Promise<void>;
  /** undefined where there are none, or where they expired. */
  read(requestId: string): Promise<Capture | undefined>;
}

/** A store with data of end users. Throws StoreUnavailable. */
export interface EndUserStore {
  /**
   * Deletes all data of an end user, of every key.
   * @returns how many items of each kind there were
   */
  deleteEndUser(endUserId: string): Promise<Readonly<Record<string, number>>>;
}
