const DAY_MS = 86_400_000;
const FEE_PER_DAY_CENTS = 20;

/** 20 cents for each day that has begun after the due date; never more than the book costs. */
export function feeFor({ due, priceCents }, now) {
  const late = Math.ceil((now.getTime() - due.getTime()) / DAY_MS);
  if (late <= 0) return 0;
  return Math.min(late * FEE_PER_DAY_CENTS, priceCents);
}
