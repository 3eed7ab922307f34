import type { AuditEntry, AuditFact, ChainEnd } from '../audit/audit-record.ts';

export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  /** Opaque; absent on the last page. */
  readonly nextCursor?: string;
  /** Where the chain is said to end; undefined while it is empty. It may lag behind the entries, never run ahead of them. */
  readonly head: ChainEnd | undefined;
}

/** An append-only chain of records. Throws StoreUnavailable when the store cannot be reached in time. */
export interface AuditLog {
  /** Resolves once the record stands in the chain, behind exactly one other, however many append at once. */
  append(fact: AuditFact): Promise<AuditEntry>;
  /** Newest first. An unreadable cursor is a GatewayError `invalid_value`. */
  list(limit: number, cursor: string | undefined): Promise<AuditPage>;
}
