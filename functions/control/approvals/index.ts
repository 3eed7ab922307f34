/** Tool calls that wait for the approval of a person. */
export { type Approval, codesIn, stateOf, toApprovalView, VALID_MS } from './approval.ts';
export type { ApprovalChange, ApprovalDesk, ApprovalPage, ApprovalQuery, ApprovalStore } from './approval-store.ts';
export { type ApprovalSecrets, Approvals, decidedEvent, openCall } from './approvals.ts';
export { readWaiting } from './read-waiting.ts';
export { readReply } from './reply.ts';
