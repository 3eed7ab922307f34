/** Tool calls that wait for the approval of a person. */
export { type Approval, codesIn, stateOf, toApprovalView } from './approval.ts';
export type { ApprovalChange, ApprovalDesk, ApprovalPage, ApprovalQuery, ApprovalStore } from './approval-store.ts';
export { type ApprovalSecrets, Approvals, decidedEvent, openCall } from './approvals.ts';
export { readWaiting } from './read-waiting.ts';
export { LONGEST_REPLY, readReply } from './reply.ts';
