/** The audit trail: changes by administrators as a chain of hashes, and its verification. */
export { type AuditDeps, audit, auditVoid, type Caller, changedFields, OPERATOR } from './audit-change.ts';
export {
  type AuditEntry,
  type AuditLog,
  type AuditPage,
  type ChainEnd,
  DEFAULT_AUDIT_RETENTION_DAYS,
  endAt,
  hashOf,
  nextRecord,
  recordText,
} from './audit-record.ts';
export { findEntries } from './find-entries.ts';
export { verifyChain } from './verify-chain.ts';
