import type { approvalOperations } from '../../contract/index.ts';
import {
  type Approval,
  type ApprovalChange,
  decidedEvent,
  openCall,
  stateOf,
  toApprovalView,
} from '../../control/approvals/index.ts';
import { audit, auditVoid, type Caller } from '../../control/audit/index.ts';
import { GatewayError } from '../../kernel/errors/index.ts';
import type { AdminDeps } from '../admin-deps.ts';
import type { Handlers } from '../operation-routes.ts';

/** Tool calls that wait for a person; each read of arguments and each decision is in the audit log. */
export const APPROVAL_HANDLERS: Handlers<typeof approvalOperations, AdminDeps> = {
  async listApprovals({ query: { state, limit, cursor } }, deps) {
    const page = await deps.approvals.list({ state, limit, cursor });
    const now = deps.clock.now();
    return {
      object: 'list',
      data: page.approvals.map((approval) => toApprovalView(approval, now)),
      nextCursor: page.nextCursor ?? null,
    };
  },
  /** The read is in the audit log before the arguments are shown. */
  async getApproval({ params, caller }, deps) {
    const approval = await find(params.id, deps);
    const target = { type: 'approval', id: approval.id } as const;
    await audit(caller, { action: 'approval.read', target, teams: [approval.teamId], before: null, after: null }, deps);
    const now = deps.clock.now();
    const isOver = Date.parse(approval.expiresAt) <= now;
    return { ...toApprovalView(approval, now), call: isOver ? null : await openCall(approval, deps.approvalSecrets) };
  },
  async decideApproval({ params, body, caller }, deps) {
    const approval = await find(params.id, deps);
    if (caller.actor.type === 'key' && caller.actor.id === approval.keyId) {
      throw new GatewayError('insufficient_permissions', 'A key cannot decide on its own tool calls.');
    }
    refuseUnlessPending(approval, deps.clock.now());
    const now = deps.clock.now();
    const state = body.decision === 'approve' ? 'approved' : 'denied';
    const change: ApprovalChange = { state, decidedAt: new Date(now).toISOString(), decidedBy: nameOf(caller.actor) };
    const target = { type: 'approval', id: approval.id } as const;
    const decided = { before: { state: approval.state }, after: { state } };
    const entry = await audit(
      caller,
      { action: 'approval.decided', target, teams: [approval.teamId], ...decided },
      deps,
    );
    if (!(await deps.approvals.change(approval, change, decidedEvent(approval, change, now)))) {
      await auditVoid(caller, entry, deps);
      throw decidedAlready();
    }
    deps.onApprovalDecided({ ...approval, ...change });
    return toApprovalView({ ...approval, ...change }, now);
  },
};

async function find(id: string, deps: AdminDeps): Promise<Approval> {
  const approval = await deps.approvals.get(id);
  if (approval === undefined) throw new GatewayError('not_found', 'There is no such approval, or it has expired.');
  return approval;
}

/** @throws GatewayError `conflict` */
function refuseUnlessPending(approval: Approval, nowMs: number): void {
  const state = stateOf(approval, nowMs);
  if (state === 'expired') throw new GatewayError('conflict', 'The approval has expired. The model can ask again.');
  if (state !== 'pending') throw decidedAlready();
}

function decidedAlready(): GatewayError {
  return new GatewayError('conflict', 'The approval is already decided.');
}

function nameOf(actor: Caller['actor']): string {
  if (actor.type === 'operator' || actor.type === 'system') return actor.type;
  return actor.type === 'key' ? actor.id : (actor.email ?? actor.subject);
}
