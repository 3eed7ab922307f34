import type { ApprovalState, GatewayEvent } from '../../kernel/model/index.ts';
import type { Approval } from './approval.ts';

export interface ApprovalQuery {
  /** Of all keys if absent. */
  readonly teamId?: string | undefined;
  readonly state: ApprovalState | undefined;
  readonly limit: number;
  readonly cursor: string | undefined;
}

export interface ApprovalPage {
  readonly approvals: readonly Approval[];
  /** Opaque; absent on the last page. */
  readonly nextCursor?: string | undefined;
}

/** What a change sets. */
export type ApprovalChange = Pick<Approval, 'state' | 'decidedAt' | 'decidedBy'>;

/** What asking for a call and using an approval need. Throws StoreUnavailable when the store does not respond in time. */
export interface ApprovalStore {
  /** The last approval for a call in a session, in any state. */
  find(call: Pick<Approval, 'keyId' | 'sessionId' | 'digest'>): Promise<Approval | undefined>;
  /** All of a session. */
  ofSession(keyId: string, sessionId: string | null): Promise<readonly Approval[]>;
  /** Creates an approval instead of `replaced`, with its event. @returns false if another one was created first; nothing is written then */
  create(approval: Approval, replaced: Approval | undefined, event: GatewayEvent): Promise<boolean>;
  /** Changes what was read, with an event. @returns false if its state has changed since; exactly one of many changes is made */
  change(read: Approval, change: ApprovalChange, event?: GatewayEvent): Promise<boolean>;
  /** Counts a wrong code of a key before it is looked up. @returns false if `most` were counted in this hour */
  countGuess(keyId: string, most: number): Promise<boolean>;
  /** Removes a code that was right from the count. */
  forgetGuess(keyId: string): Promise<void>;
}

/** What deciding needs. Throws StoreUnavailable when the store does not respond in time. */
export interface ApprovalDesk extends Pick<ApprovalStore, 'change'> {
  get(id: string): Promise<Approval | undefined>;
  /** Newest first. An unreadable cursor is a GatewayError `invalid_value`. */
  list(query: ApprovalQuery): Promise<ApprovalPage>;
}
