import type { AuditFact } from '../../kernel/model/index.ts';
import type { Clock } from '../../kernel/tasks/index.ts';
import type { AuditEntry, AuditLog } from './audit-record.ts';

/** Who makes a change, and from where. */
export interface Caller {
  readonly actor: AuditFact['actor'];
  readonly from: AuditFact['from'];
}

/** Anyone with the deployment's AWS credentials. */
export const OPERATOR: Caller = { actor: { type: 'operator' }, from: null };

/** What the audit log needs. */
export interface AuditDeps {
  readonly audit: AuditLog;
  readonly clock: Clock;
  /** Receives every audit record, so that its hash is also known outside of the log. */
  readonly onAudited: (entry: AuditEntry) => void;
}

type Change = Pick<AuditFact, 'action' | 'target' | 'before' | 'after'> & {
  /** The target's team, and the one that it moves to. Owners see entries of targets that stay in their team. */
  readonly teams?: readonly (string | null | undefined)[];
};

/** Records a change before it is made. Where the record cannot be written, the change is not made. */
export async function audit(
  { actor, from }: Caller,
  { teams = [], ...fact }: Change,
  { audit, clock, onAudited }: AuditDeps,
): Promise<AuditEntry> {
  const [teamId, ...others] = new Set(teams);
  const ofTeam = teamId != null && others.length === 0 ? { teamId } : {};
  const entry = await audit.append({ at: new Date(clock.now()).toISOString(), actor, from, ...fact, ...ofTeam });
  onAudited(entry);
  return entry;
}

/** Records that the change of an earlier record did not happen. */
export async function auditVoid(caller: Caller, { record }: AuditEntry, deps: AuditDeps): Promise<void> {
  const target = { type: 'audit', id: String(record.seq) } as const;
  await audit(caller, { action: 'audit.void', target, teams: [record.teamId], before: null, after: null }, deps);
}

/** The members in which two objects differ, with both values; absent members are left out. */
export function changedFields(before: object, after: object): Pick<AuditFact, 'before' | 'after'> {
  const [was, is] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const names = [...new Set([...was.keys(), ...is.keys()])];
  const changed = names.filter((name) => JSON.stringify(was.get(name)) !== JSON.stringify(is.get(name)));
  const pick = (from: ReadonlyMap<string, unknown>) =>
    Object.fromEntries(changed.filter((name) => from.has(name)).map((name) => [name, from.get(name)]));
  return { before: pick(was), after: pick(is) };
}
