/** Roll-outs of a policy: their watch, and how they end. */
export { type RolloutWatchDeps, risePoints, watchRollout } from './watch-rollout.ts';
export { withdrawnEvent } from './withdrawn-event.ts';
