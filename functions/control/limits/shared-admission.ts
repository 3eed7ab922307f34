import type { Clock } from '../../kernel/tasks/index.ts';
import { KeyAdmission } from './key-admission.ts';
import type { OnUnsettled } from './key-settlements.ts';
import { refusalOf, withoutReservations } from './ledger.ts';
import { limitStates } from './limit-headers.ts';
import type { LimitStore } from './limit-store.ts';
import type { KeyLimiter, LimitStates, Verdict } from './limiter.ts';
import type { Limits, Need } from './limits.ts';

const MAX_KEYS = 10_000;

export interface SharedAdmissionOptions {
  readonly onUnsettled: OnUnsettled;
}

/**
 * Admits the requests of each key exactly, with fewer writes than requests. A key has at most one write at a time (KeyAdmission):
 *
 *     request 1            write 1 takes 1 request
 *     requests 2, 3, 4     arrive meanwhile and wait; write 2 takes 3
 *     20 in 250 ms         the next write also leases 15, three quarters of as many (KeyLease): the next 15 need no write
 *     250 ms later         the lease ends; the tokens and money that its unused requests reserved are released
 *     requests that end    release what they reserved and count what they used, one write for all that wait (KeySettlements)
 *
 * A request that does not fit waits once for what this process is about to release, then it is refused.
 *
 * Must never happen: a request is admitted that no write has taken, so limits hold even if the process dies, which loses at most its lease; or
 * a settlement is written twice. Why: docs/decisions/0002-exact-admission.md
 */
export class SharedAdmission implements KeyLimiter {
  private readonly store: LimitStore;
  private readonly clock: Clock;
  private readonly onUnsettled: OnUnsettled;
  private readonly byKey = new Map<string, KeyAdmission>();

  constructor(store: LimitStore, clock: Clock, { onUnsettled }: SharedAdmissionOptions) {
    this.store = store;
    this.clock = clock;
    this.onUnsettled = onUnsettled;
  }

  admit(keyId: string, limits: Limits, need: Need, onSent?: () => void): Promise<Verdict> {
    return this.admissionOf(keyId).admit(limits, need, onSent);
  }

  knownRefusal(keyId: string, limits: Limits, need: Need): Verdict | undefined {
    const seen = this.store.lastSeen(keyId);
    // A lease is already taken and may still be used.
    if (seen === undefined || this.byKey.get(keyId)?.hasLeased) return undefined;
    const atBest = withoutReservations(seen.ledger);
    const refusal = refusalOf(atBest, limits, need, seen.nowMs);
    return refusal && { admitted: false, states: limitStates(limits, atBest, seen.nowMs, false), refusal };
  }

  async peek(keyId: string, limits: Limits): Promise<LimitStates> {
    const { ledger, nowMs } = await this.store.peek(keyId);
    return limitStates(limits, ledger, nowMs, true);
  }

  private admissionOf(keyId: string): KeyAdmission {
    let admission = this.byKey.get(keyId);
    if (admission !== undefined) return admission;
    if (this.byKey.size >= MAX_KEYS) this.dropOne();
    admission = new KeyAdmission(keyId, this.store, this.clock, this.onUnsettled);
    this.byKey.set(keyId, admission);
    return admission;
  }

  private dropOne(): void {
    for (const [keyId, admission] of this.byKey) {
      if (admission.isIdle) {
        this.byKey.delete(keyId);
        return;
      }
    }
  }
}
