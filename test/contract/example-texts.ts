import { GITHUB_TOKEN } from './inspection/planted-secret.ts';

/** A test text that every policy blocks. */
export const BLOCK = 'SVC-TEST-BLOCK-7f3a';
/** What a model writes that is blocked halfway, and what of it a caller gets. */
export const CUT = `All is well so far. ${BLOCK} And no more of it.`;
export const KEPT = 'All is well so far. ';
/** What a model writes with a secret, and what of it a caller gets. */
export const LEAK = `Take ${GITHUB_TOKEN} for it.`;
export const CLEAN = 'Take [REDACTED_GITHUB_TOKEN] for it.';
