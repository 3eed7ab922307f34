/** Roll-outs of a policy: the requests that they take, their watch, and how they end. */
export { policyInForce, takesSession, withCandidate } from './taken-requests.ts';
export { risePoints, watchRollout } from './watch-rollout.ts';
export { withdrawnEvent } from './withdrawn-event.ts';
