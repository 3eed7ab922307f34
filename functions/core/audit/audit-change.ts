import type { AuditLog } from '../ports/audit-log.ts';
import type { Clock } from '../ports/clock.ts';
import type { AuditEntry, AuditFact } from './audit-record.ts';

/** Who asks for something, and from where. */
export interface Caller {
  readonly actor: AuditFact['actor'];
  readonly from: AuditFact['from'];
}

/** Whoever has the deployment's own credentials. */
export const OPERATOR: Caller = { actor: { type: 'operator' }, from: null };

/** What the audit log needs. */
export interface AuditDeps {
  readonly audit: AuditLog;
  readonly clock: Clock;
  /** Told of every audit record, so that its hash is known outside of the log too. */
  readonly onAudited: (entry: AuditEntry) => void;
}

/**
 * Puts what is about to be done into the audit log. It is called before the change, so that none is ever made without its
 * record; where the record cannot be written the change is not made.
 */
export async function audit(
  caller: Caller,
  fact: Pick<AuditFact, 'action' | 'target' | 'before' | 'after'>,
  { audit, clock, onAudited }: AuditDeps,
): Promise<AuditEntry> {
  const entry = await audit.append({ at: new Date(clock.now()).toISOString(), ...caller, ...fact });
  onAudited(entry);
  return entry;
}

/** Says in the audit log that what a record announced did not take place. */
export async function auditVoid(caller: Caller, { record }: AuditEntry, deps: AuditDeps): Promise<void> {
  const target = { type: 'audit', id: String(record.seq) } as const;
  await audit(caller, { action: 'audit.void', target, before: null, after: null }, deps);
}
