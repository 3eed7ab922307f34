import type { DeploymentPolicy } from '../../kernel/model/index.ts';
import { type AggregateReader, readRollout } from '../analytics/index.ts';
import { type AuditDeps, audit, auditVoid, type Caller, changedFields } from '../audit/index.ts';
import type { DocumentStore } from '../documents/index.ts';
import { policyInForce } from './taken-requests.ts';
import { type Counts, withdrawnEvent } from './withdrawn-event.ts';

interface RolloutWatchDeps extends AuditDeps {
  readonly policies: Pick<DocumentStore<DeploymentPolicy>, 'current' | 'replace'>;
  readonly aggregates: AggregateReader;
}

const SYSTEM: Caller = { actor: { type: 'system' }, from: null };

/** How many percentage points more the candidate blocks than the policy in force on the same requests; 0 without requests. */
export function risePoints({ requests, blocked, blockedBefore }: Counts): number {
  return requests === 0 ? 0 : (100 * (blocked - blockedBefore)) / requests;
}

/**
 * Withdraws the roll-out of the policy if its candidate blocks too much: writes a new version with the policy in force alone. A run that ends
 * in between is completed by the next one, and a version that an administrator has written since stays.
 * @returns whether it was withdrawn
 * @throws StoreUnavailable
 */
export async function watchRollout(deps: RolloutWatchDeps): Promise<boolean> {
  const read = await deps.policies.current();
  const { rollout } = read.settings;
  if (rollout === undefined) return false;
  const { version } = read;
  const nowMs = deps.clock.now();
  const { watched } = await readRollout({ version, minutes: rollout.watch.minutes, nowMs }, deps.aggregates);
  if (!isBeyond(rollout, watched)) return false;
  const settings = policyInForce(read.settings);
  const next = { version: version + 1, settings, createdAt: new Date(nowMs).toISOString(), createdBy: null };
  const target = { type: 'policy', id: String(next.version) } as const;
  const change = { action: 'policy.withdrawn', target, ...changedFields(read.settings, settings) } as const;
  const entry = await audit(SYSTEM, change, deps);
  if (await deps.policies.replace(read, next, withdrawnEvent(read, next, 'watch', watched))) return true;
  await auditVoid(SYSTEM, entry, deps);
  return false;
}

function isBeyond(
  { watch: { blockedPoints, minRequests } }: NonNullable<DeploymentPolicy['rollout']>,
  counts: Counts,
): boolean {
  return counts.requests >= minRequests && risePoints(counts) > blockedPoints;
}
