import type { BudgetLimit, TagBudget } from '../../kernel/model/index.ts';
import { type Bucket, type Limits, limitsOf } from './limits.ts';

/** A budget that several keys share, in the form that admission uses. */
export interface TagLimit {
  /** The id under which its use is stored, beside those of keys. */
  readonly id: string;
  readonly budget: TagBudget;
  readonly limits: Limits;
}

/** This rate of requests is unreachable. */
const ANY_REQUESTS: Bucket = { capacity: 1_000_000_000, intervalMicros: 1 };

const known = new WeakMap<TagBudget, TagLimit>();

/** The budgets that a key with these tags takes from; each the same object as long as the policy's entry lives. */
export function tagLimitsOf(
  tags: Readonly<Record<string, string>>,
  budgets: readonly TagBudget[] = [],
): readonly TagLimit[] {
  return budgets.filter(({ tag, value }) => Object.hasOwn(tags, tag) && tags[tag] === value).map(toTagLimit);
}

/** Limits without a rate: of money, of simultaneous requests. */
export function limitsWithoutRate(limits: { readonly budget?: BudgetLimit; readonly maxConcurrent?: number }): Limits {
  return { ...limitsOf({ rateLimit: { requests: 1, period: 'second' }, ...limits }), requests: ANY_REQUESTS };
}

function toTagLimit(budget: TagBudget): TagLimit {
  const made = known.get(budget) ?? {
    id: `tag_${JSON.stringify([budget.tag, budget.value])}`,
    budget,
    limits: limitsWithoutRate({ budget }),
  };
  known.set(budget, made);
  return made;
}
