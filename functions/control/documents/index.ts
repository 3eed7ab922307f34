/** Documents with versions that the admin API writes and every process of the gateway applies within 10 s: the policy, the routes. */
export { type DocumentPage, type DocumentStore, type DocumentVersion, LiveDocument } from './documents.ts';
export type { StateStore } from './state-store.ts';
