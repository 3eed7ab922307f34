/** Items of translated responses, encrypted with the caller's key, for later requests that refer to them. */
export type { ItemStore, NewItems, SealedItems } from './item-store.ts';
export { type ItemOwner, itemsTooLarge, StoredItems } from './stored-items.ts';
