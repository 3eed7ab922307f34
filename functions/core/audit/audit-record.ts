import { createHash } from 'node:crypto';
import * as z from 'zod';

/** Seven years, leap days included. */
export const DEFAULT_AUDIT_RETENTION_DAYS = 2_557;

export const AUDIT_ACTIONS = [
  'key.created',
  'key.updated',
  'key.rotated',
  'key.revoked',
  'policy.updated',
  'webhook.created',
  'webhook.updated',
  'webhook.secret_rotated',
  'webhook.deleted',
  'webhook.tested',
  'webhook.redelivered',
  'end_user.deleted',
  'threat.marked',
  /** Who read what people wrote, and who had it judged again. */
  'capture.read',
  'capture.replayed',
  /** Who signed in at the dashboard. */
  'session.created',
  /** What the named record says did not take place: another change came between. */
  'audit.void',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

const actor = z.union([
  z.object({ type: z.literal('key'), id: z.string() }),
  /** Somebody whom the deployment's identity provider vouched for. */
  z.object({ type: z.literal('person'), subject: z.string(), email: z.string().nullable() }),
  /** Somebody with the deployment's own credentials. */
  z.object({ type: z.literal('operator') }),
]);
const changed = z.record(z.string(), z.unknown()).nullable();
const BEFORE = 'The changed fields before the change; null for a new object.';
const AFTER = 'The changed fields after it; null for a deleted object.';

/** Who did what to what, from where; the fields that changed, before and after, without secrets. */
export const auditFactSchema = z.object({
  at: z.iso.datetime(),
  actor,
  action: z.enum(AUDIT_ACTIONS),
  target: z.object({
    type: z.enum(['key', 'policy', 'webhook', 'delivery', 'end_user', 'threat', 'capture', 'session', 'audit']),
    id: z.string(),
  }),
  before: changed.meta({ description: BEFORE }),
  after: changed.meta({ description: AFTER }),
  from: z
    .object({ address: z.string(), requestId: z.string() })
    .nullable()
    .meta({ description: 'The request; null for an operator.' }),
});
export type AuditFact = z.infer<typeof auditFactSchema>;

/** A fact in its place in the chain: each record holds the hash and the time of the one before. */
export const auditRecordSchema = auditFactSchema.extend({
  seq: z.int().min(1).meta({ description: 'The number of the entry: 1, 2, 3, ...' }),
  /** The same in every attempt to write it. */
  id: z.string(),
  previousHash: z.string().nullable().meta({ description: '`hash` of the previous entry; null in the first.' }),
  previousAt: z.iso.datetime().nullable(),
});
export type AuditRecord = z.infer<typeof auditRecordSchema>;

/** What the next record goes on from. */
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

/** The fact as the record that follows the chain's end (undefined: as the first). */
export function nextRecord(id: string, fact: AuditFact, end: ChainEnd | undefined): AuditRecord {
  return {
    seq: (end?.seq ?? 0) + 1,
    id,
    ...fact,
    previousHash: end?.hash ?? null,
    previousAt: end?.at ?? null,
  };
}

/** A record as it is stored, read back and hashed: its members keep their order through parsing and writing. */
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
