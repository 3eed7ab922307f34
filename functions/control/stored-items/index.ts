export type { ItemStore, NewItems, SealedItems } from './item-store.ts';
export { type ItemOwner, itemsTooLarge, StoredItems } from './stored-items.ts';
