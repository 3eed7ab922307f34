/** Stored responses of requests with an `Idempotency-Key`. */
export type { IdempotencyClaim, IdempotencyEntry, IdempotencyStore } from './idempotency-store.ts';
export { IdempotentResponses, type StoredResponse, type Turn } from './idempotent-responses.ts';
