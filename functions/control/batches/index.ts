/** Batches of a key: which provider has them, and how many lines they have. Their lines are stored items. */
export type { BatchPage, BatchStore, StoredBatch } from './batch-store.ts';
