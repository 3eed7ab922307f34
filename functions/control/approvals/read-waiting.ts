import { type Approval, stateOf } from './approval.ts';
import type { ApprovalDesk } from './approval-store.ts';

/** More are in no deployment whose people decide. */
const MAX_PAGES = 5;
const PAGE = 100;

/** The approvals that wait now, of the newest 500. @throws StoreUnavailable */
export async function readWaiting(desk: Pick<ApprovalDesk, 'list'>, nowMs: number): Promise<Approval[]> {
  const waiting: Approval[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { approvals, nextCursor } = await desk.list({ state: 'pending', limit: PAGE, cursor });
    waiting.push(...approvals.filter((one) => stateOf(one, nowMs) === 'pending'));
    if (nextCursor === undefined) break;
    cursor = nextCursor;
  }
  return waiting;
}
