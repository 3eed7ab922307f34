export { Replay, type ReplayEngine } from './replay.ts';
export { replayPast } from './replay-past.ts';
export { tryGuard } from './try-guard.ts';
