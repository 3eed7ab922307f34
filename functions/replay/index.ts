/** Recorded requests inspected again under another policy, and the playground's guard. */
export { Replay, type ReplayEngine } from './replay.ts';
export { replayPast } from './replay-past.ts';
export { tryGuard } from './try-guard.ts';
