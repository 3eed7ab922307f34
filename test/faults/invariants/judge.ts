import type { Ledger } from '../ledger.ts';
import type { Finding, Invariant } from './invariant.ts';

export interface Result extends Finding {
  readonly invariant: Invariant;
}

/** What each invariant comes to; one that had too few cases to look at is violated, too. */
export function judge(invariants: readonly Invariant[], ledger: Ledger): Result[] {
  return invariants.map((invariant) => {
    const finding = invariant.check(ledger);
    const told = finding.checked - finding.excused;
    const isFew = told < invariant.least;
    const few = isFew ? [`only ${told} cases that are not excused, at least ${invariant.least} are needed`] : [];
    return { invariant, ...finding, violations: [...finding.violations, ...few] };
  });
}
