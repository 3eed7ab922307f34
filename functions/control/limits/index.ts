/**
 * Limits of rate, tokens, money and concurrency: `Limiter` admits a request by one conditional write and settles it. The ledger's rules are exported
 * for the store that applies them.
 */
export { CallTotals } from './call-totals.ts';
export type { KeyUse } from './key-pace.ts';
export { LayeredAdmission } from './layered-admission.ts';
export {
  CONCURRENT_RETRY_MS,
  EMPTY_LEDGER,
  type Expired,
  expiredIn,
  expiredMoney,
  fitting,
  isLongOver,
  type Ledger,
  leasableCount,
  RESERVATION_MS,
  type Refusal,
  type Reserved,
  refusalOf,
  roomFor,
  SKEW_MS,
  SLOT_MS,
  slotOf,
  withoutReservations,
} from './ledger.ts';
export { limitExceeded, limitHeaders, limitStates } from './limit-headers.ts';
export { addReserved, type LimitStore, reservedFor, type Settlement, type TakeResult } from './limit-store.ts';
export type { KeyLimiter, LimitAlarm, Limiter, LimitStates, Reservation, Verdict } from './limiter.ts';
export {
  boundsAt,
  fromPicos,
  type Limits,
  latestAdmittingMicros,
  limitsOf,
  type Need,
  NO_NEED,
  outlivesReservations,
  reservesWhileRunning,
  type TakeRequest,
  toPicos,
  windowEndMs,
  windowOf,
} from './limits.ts';
export { SharedAdmission } from './shared-admission.ts';
export { limitsWithoutRate, type SharedLimit, sharedLimitsOf, toolLimitsOf } from './shared-limits.ts';
