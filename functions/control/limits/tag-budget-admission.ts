import type { BackgroundTasks } from '../../kernel/tasks/index.ts';
import type { KeyLimiter, Limiter, LimitStates, Reservation, Verdict } from './limiter.ts';
import { type Limits, type Need, NO_NEED } from './limits.ts';
import type { TagLimit } from './tag-budgets.ts';

type Refused = Extract<Verdict, { admitted: false }>;

/**
 * Admits by the budgets of a key's tags, then by the key's limits. This order is exact, since money can be released but
 * a request cannot be put back into a bucket: a refused request takes nothing (docs/decisions/0002-exact-admission.md).
 */
export class TagBudgetAdmission implements Limiter {
  private readonly keys: KeyLimiter;
  private readonly backgroundTasks: BackgroundTasks;

  /** `backgroundTasks` returns the reservations of a refused request. */
  constructor(keys: KeyLimiter, backgroundTasks: BackgroundTasks) {
    this.keys = keys;
    this.backgroundTasks = backgroundTasks;
  }

  admit(keyId: string, limits: Limits, need: Need, tags: readonly TagLimit[], onSent?: () => void): Promise<Verdict> {
    const isShared = tags.length > 0 && need.nanoUsd > 0;
    if (isShared) return this.admitByTags(keyId, limits, need, tags, onSent);
    return this.keys.admit(keyId, limits, need, onSent);
  }

  peek(keyId: string, limits: Limits): Promise<LimitStates> {
    return this.keys.peek(keyId, limits);
  }

  private async admitByTags(
    keyId: string,
    limits: Limits,
    need: Need,
    tags: readonly TagLimit[],
    onSent: (() => void) | undefined,
  ): Promise<Verdict> {
    // A key that exceeds its own limit must not use up what it shares.
    const known = this.keys.knownRefusal(keyId, limits, need);
    if (known !== undefined) return known;
    const held: Reservation[] = [];
    let verdict: Verdict | undefined;
    try {
      verdict = await this.refusedByTags(tags, need, held, () => this.keys.peek(keyId, limits), onSent);
      verdict ??= await this.keys.admit(keyId, limits, need);
    } finally {
      if (!verdict?.admitted) for (const one of held) this.backgroundTasks.add(one.settle(NO_NEED));
    }
    if (!verdict.admitted) return verdict;
    if (verdict.reservation !== undefined) held.push(verdict.reservation);
    const settle = async (used: Need) => {
      await Promise.all(held.map((one) => one.settle(used)));
    };
    return { ...verdict, reservation: { settle } };
  }

  /**
   * Takes from all tag budgets at once; reservations are in `held`, also where another budget refuses or the store is
   * unavailable.
   */
  private async refusedByTags(
    tags: readonly TagLimit[],
    { nanoUsd }: Need,
    held: Reservation[],
    states: () => Promise<LimitStates>,
    onSent: (() => void) | undefined,
  ): Promise<Refused | undefined> {
    const unsent = new Set(tags);
    const sent = (tag: TagLimit) => {
      if (unsent.delete(tag) && unsent.size === 0) onSent?.();
    };
    const asked = await Promise.allSettled(
      tags.map(async (tag) => {
        const { id, limits, budget } = tag;
        const verdict = await this.keys.admit(id, limits, { tokens: 0, nanoUsd }, () => sent(tag));
        // It may need no write.
        sent(tag);
        if (verdict.admitted && verdict.reservation !== undefined) held.push(verdict.reservation);
        return verdict.admitted ? undefined : { ...verdict.refusal, tagBudget: budget };
      }),
    );
    for (const one of asked) if (one.status === 'rejected') throw one.reason;
    const refusals = asked.flatMap((one) => (one.status === 'fulfilled' && one.value ? [one.value] : []));
    // The request would not be admitted before the last of them resets.
    const [refusal] = refusals.sort((a, b) => b.resetAtMs - a.resetAtMs);
    return refusal && { admitted: false, states: await states(), refusal };
  }
}
