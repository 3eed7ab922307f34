import type { Clock } from '../../kernel/tasks/index.ts';
import { type Approval, stateOf } from './approval.ts';
import type { ApprovalDesk, ApprovalStore } from './approval-store.ts';

/** Approvals in memory, for tests. A call that fails: add a promise that rejects to `faults`. */
export class MemoryApprovals implements ApprovalStore, ApprovalDesk {
  readonly items = new Map<string, Approval>();
  readonly events: unknown[] = [];
  readonly guesses = new Map<string, number>();
  private readonly clock: Pick<Clock, 'now'>;

  constructor(clock: Pick<Clock, 'now'>) {
    this.clock = clock;
  }

  async find(call: Pick<Approval, 'keyId' | 'sessionId' | 'digest'>) {
    return this.items.get(nameOf(call));
  }

  async ofSession(keyId: string, sessionId: string | null) {
    return [...this.items.values()].filter((one) => one.keyId === keyId && one.sessionId === sessionId);
  }

  async create(approval: Approval, replaced: Approval | undefined, event: unknown) {
    if (this.items.get(nameOf(approval))?.id !== replaced?.id) return false;
    this.items.set(nameOf(approval), approval);
    this.events.push(event);
    return true;
  }

  async change(read: Approval, change: Partial<Approval>, event?: unknown) {
    const stored = this.items.get(nameOf(read));
    if (stored?.id !== read.id || stored.state !== read.state) return false;
    const { state = read.state, decidedAt = null, decidedBy = null } = change;
    this.items.set(nameOf(read), { ...stored, state, decidedAt, decidedBy });
    if (event !== undefined) this.events.push(event);
    return true;
  }

  async countGuess(keyId: string, most: number) {
    const count = this.guesses.get(keyId) ?? 0;
    if (count >= most) return false;
    this.guesses.set(keyId, count + 1);
    return true;
  }

  async forgetGuess(keyId: string) {
    this.guesses.set(keyId, (this.guesses.get(keyId) ?? 0) - 1);
  }

  async get(id: string) {
    return [...this.items.values()].find((one) => one.id === id);
  }

  async list({ state, limit }: Parameters<ApprovalDesk['list']>[0]) {
    const all = [...this.items.values()].filter(
      (one) => state === undefined || stateOf(one, this.clock.now()) === state,
    );
    return { approvals: all.slice(0, limit) };
  }
}

function nameOf({ keyId, sessionId, digest }: Pick<Approval, 'keyId' | 'sessionId' | 'digest'>): string {
  return JSON.stringify([keyId, sessionId, digest]);
}
