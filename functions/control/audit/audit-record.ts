import { createHash } from 'node:crypto';
import type { AuditFact, AuditRecord } from '../../kernel/model/index.ts';

/** Seven years, leap days included. */
export const DEFAULT_AUDIT_RETENTION_DAYS = 2_557;

/** What the next record follows. */
export interface ChainEnd {
  readonly seq: number;
  readonly hash: string;
  readonly at: string;
}

export interface AuditEntry {
  readonly record: AuditRecord;
  /** SHA-256 of the record's JSON, hex. */
  readonly hash: string;
}

/** The record of a fact that follows `end`; the first record where `end` is undefined. */
export function nextRecord(id: string, fact: AuditFact, end: ChainEnd | undefined): AuditRecord {
  return {
    seq: (end?.seq ?? 0) + 1,
    id,
    ...fact,
    previousHash: end?.hash ?? null,
    previousAt: end?.at ?? null,
  };
}

/** A record in the text that is stored and hashed: members keep their order through parsing and serializing. */
export function recordText(record: AuditRecord): string {
  return JSON.stringify(record);
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export function endAt({ record, hash }: AuditEntry): ChainEnd {
  return { seq: record.seq, hash, at: record.at };
}

export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  /** The greatest number that an entry of the next page may have; absent on the last page. Clients must not rely on it. */
  readonly nextCursor?: string;
  /** The recorded end of the chain; undefined while it is empty. It may be behind the entries, never ahead. */
  readonly head: ChainEnd | undefined;
}

/** An append-only chain of records. Throws StoreUnavailable when the store does not respond in time. */
export interface AuditLog {
  /** Resolves once the record is in the chain, after exactly one other, however many append at once. */
  append(fact: AuditFact): Promise<AuditEntry>;
  /** Newest first, of all or of one team, without `head`. An unreadable cursor is a GatewayError `invalid_value`. */
  list(limit: number, cursor: string | undefined, teamId?: string): Promise<AuditPage>;
}
