import type { BackgroundTasks } from '../../kernel/tasks/index.ts';
import type { Refusal } from './ledger.ts';
import type { KeyLimiter, Limiter, LimitStates, Reservation, Verdict } from './limiter.ts';
import { type Limits, type Need, NO_NEED } from './limits.ts';
import { isRate, neededOf, ONE_REQUEST, type SharedLimit } from './shared-limits.ts';

type Refused = Extract<Verdict, { admitted: false }>;

/** A reservation of a limit that the key shares. */
interface Held {
  readonly shared: SharedLimit;
  readonly reservation: Reservation;
}

/**
 * Admits by the limits that a key shares, all at once, then by the key's: two calls in turn. For a request of a key with a team and a tag:
 *
 *     tag, team       reserve the money, tokens and concurrency that the request may need
 *     team's rate     reserves one request, as the limits of an MCP server's tools do
 *     key             refuses: all is released, as if it had never been reserved
 *                     admits: the rate's request counts now; the rest is settled when the request ends
 *
 * This order is exact, since reservations can be released but a request cannot be put back into the key's bucket: a refused request takes
 * nothing (docs/decisions/0002-exact-admission.md).
 */
export class LayeredAdmission implements Limiter {
  private readonly keys: KeyLimiter;
  private readonly backgroundTasks: BackgroundTasks;

  /** `backgroundTasks` returns the reservations of a refused request. */
  constructor(keys: KeyLimiter, backgroundTasks: BackgroundTasks) {
    this.keys = keys;
    this.backgroundTasks = backgroundTasks;
  }

  admit(
    keyId: string,
    limits: Limits,
    need: Need,
    shared: readonly SharedLimit[],
    onSent?: () => void,
  ): Promise<Verdict> {
    const takenFrom = shared.filter((one) => neededOf(one, need) !== undefined);
    if (takenFrom.length > 0) return this.admitByAll(keyId, limits, need, takenFrom, onSent);
    return this.keys.admit(keyId, limits, need, onSent);
  }

  peek(keyId: string, limits: Limits): Promise<LimitStates> {
    return this.keys.peek(keyId, limits);
  }

  private async admitByAll(
    keyId: string,
    limits: Limits,
    need: Need,
    shared: readonly SharedLimit[],
    onSent: (() => void) | undefined,
  ): Promise<Verdict> {
    // A key that exceeds its own limit must not use up what it shares.
    const known = this.keys.knownRefusal(keyId, limits, need);
    if (known !== undefined) return known;
    const held: Held[] = [];
    let verdict: Verdict | undefined;
    try {
      verdict = await this.refusedByShared(shared, need, held, () => this.keys.peek(keyId, limits), onSent);
      verdict ??= await this.keys.admit(keyId, limits, need);
    } finally {
      if (!verdict?.admitted) for (const one of held) this.settleLater(one, NO_NEED);
    }
    if (!verdict.admitted) return verdict;
    const running: Reservation[] = verdict.reservation === undefined ? [] : [verdict.reservation];
    for (const one of held) {
      if (isRate(one.shared.kind)) this.settleLater(one, ONE_REQUEST);
      else running.push(one.reservation);
    }
    if (running.length === 0) return { ...verdict, reservation: undefined };
    const settle = async (used: Need) => {
      await Promise.all(running.map((one) => one.settle(used)));
    };
    return { ...verdict, reservation: { settle } };
  }

  private settleLater({ reservation }: Held, used: Need): void {
    this.backgroundTasks.add(reservation.settle(used));
  }

  /**
   * Takes from all shared limits at once; reservations are in `held`, also where another limit refuses or the store is
   * unavailable.
   */
  private async refusedByShared(
    shared: readonly SharedLimit[],
    need: Need,
    held: Held[],
    states: () => Promise<LimitStates>,
    onSent: (() => void) | undefined,
  ): Promise<Refused | undefined> {
    const unsent = new Set(shared);
    const sent = (one: SharedLimit) => {
      if (unsent.delete(one) && unsent.size === 0) onSent?.();
    };
    const asked = await Promise.allSettled(
      shared.map(async (one) => {
        const verdict = await this.keys.admit(one.id, one.limits, neededOf(one, need) ?? NO_NEED, () => sent(one));
        // It may need no write.
        sent(one);
        if (!verdict.admitted) return refusalBy(one, verdict.refusal);
        if (verdict.reservation !== undefined) held.push({ shared: one, reservation: verdict.reservation });
        return undefined;
      }),
    );
    for (const one of asked) if (one.status === 'rejected') throw one.reason;
    const refusals = asked.flatMap((one) => (one.status === 'fulfilled' && one.value ? [one.value] : []));
    // The request would not be admitted before the last of them resets.
    const [refusal] = refusals.sort((a, b) => b.resetAtMs - a.resetAtMs);
    return refusal && { admitted: false, states: await states(), refusal };
  }
}

/** The refusal with the name of what several keys share. */
function refusalBy(shared: SharedLimit, refusal: Refusal): Refusal {
  if (shared.kind === 'tag') return { ...refusal, tagBudget: shared.budget };
  if (shared.kind === 'toolRate') return { ...refusal, limit: 'requests', tools: shared.tools };
  return { ...refusal, ...(shared.kind === 'teamRate' && { limit: 'requests' }), team: shared.team };
}
