/** Encrypted items of responses: those that later requests refer to, and whole responses to repeated requests. */
export type { ItemStore, NewItems, SealedItems } from './item-store.ts';
export { type CachedRequest, type CacheScope, MAX_CACHED_BYTES, ResponseCache } from './response-cache.ts';
export { type ItemOwner, itemsTooLarge, StoredItems } from './stored-items.ts';
