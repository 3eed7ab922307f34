/** Roll-outs of a policy: their watch, and how they end. */
export { risePoints, watchRollout } from './watch-rollout.ts';
export { withdrawnEvent } from './withdrawn-event.ts';
