import type { Mark, RequestRecord } from '../model/analytics.ts';
import type { Capture } from '../model/capture.ts';
import type { GatewayEvent } from '../model/events.ts';

/** Takes the one record of each ended request. */
export interface RequestRecords {
  /** Resolves when it is stored, and the event that tells of it with it; the same again does no harm. Throws StoreUnavailable. */
  write(record: RequestRecord, event?: GatewayEvent): Promise<void>;
}

/** A record as it was stored, with what operators think of its findings, by their index. */
export interface StoredRecord {
  readonly record: RequestRecord;
  readonly marks: Readonly<Record<number, Mark>>;
}

/** Which records are looked for: those of a key, or of an end user, or all. */
export interface RecordQuery {
  readonly keyId?: string | undefined;
  readonly endUserId?: string | undefined;
  /** Only those with findings. */
  readonly withFindings: boolean;
  /** ISO 8601; the end is not included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Where a record stands among all: by when it came in, then by its id. */
export interface RecordPosition {
  readonly time: string;
  readonly id: string;
}

/** Records for those who look. Throws StoreUnavailable. */
export interface RequestRecordReader {
  /** Newest first, from after `after` on; fewer than `limit` do not mean that there are no more. */
  page(
    query: RecordQuery,
    limit: number,
    after: RecordPosition | undefined,
  ): Promise<{ readonly rows: readonly StoredRecord[]; readonly next: RecordPosition | undefined }>;
  /** undefined where there is none, or none any more. */
  read(position: RecordPosition): Promise<StoredRecord | undefined>;
  /** Puts a mark on a finding that the record has, or takes it off. @returns the record; undefined where it is gone. */
  mark(position: RecordPosition, finding: number, mark: Mark | null): Promise<StoredRecord | undefined>;
}

/** The texts of exchanges whose policy asks to keep them, for as long as the deployment's setting says. Throws StoreUnavailable. */
export interface CaptureStore {
  write(requestId: string, capture: Capture): Promise<void>;
  /** undefined where there is none, or none any more. */
  read(requestId: string): Promise<Capture | undefined>;
}

/** A store that keeps something for end users. Throws StoreUnavailable. */
export interface EndUserStore {
  /**
   * Deletes all that it keeps for an end user, whichever key it came by.
   * @returns how many items of each kind there were
   */
  deleteEndUser(endUserId: string): Promise<Readonly<Record<string, number>>>;
}
