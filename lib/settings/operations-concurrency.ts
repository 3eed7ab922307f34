/** Concurrent runs of the functions that must go on while the gateway uses all that is left, and what each share is for. */
const WANTED = {
  /** Administrators must be able to disable a key. */
  adminApi: 50,
  eventRelay: 20,
  usageCounter: 20,
} as const;
/** A reservation is also the most that a function may run: with fewer, it would be refused in ordinary use. */
const LEAST = 5;

/** The most that is reserved for them together. */
export const MAX_OPERATIONS_CONCURRENCY = Object.values(WANTED).reduce((sum, share) => sum + share, 0);
/** Nothing is reserved below this. */
export const MIN_OPERATIONS_CONCURRENCY = Math.ceil((LEAST * MAX_OPERATIONS_CONCURRENCY) / WANTED.usageCounter);

export type OperationsConcurrency = { readonly [Name in keyof typeof WANTED]?: number };

/** The share of each function in the setting `operationsConcurrency`; none below the minimum. */
export function shareConcurrency(total = 0): OperationsConcurrency {
  if (total < MIN_OPERATIONS_CONCURRENCY) return {};
  const shares = Object.entries(WANTED).map(([name, wanted]) => [
    name,
    Math.floor((wanted * total) / MAX_OPERATIONS_CONCURRENCY),
  ]);
  return Object.fromEntries(shares) as OperationsConcurrency;
}
